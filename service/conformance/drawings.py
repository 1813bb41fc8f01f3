"""What a game draws on the page of a table: its board, its symbols and its colours."""

from __future__ import annotations

import json
import re
from typing import Final

from service.conformance.check import Checks, Trial, ensure, same
from service.conformance.pictures import HOSTILE, SVG, check_harmless, parsed
from service.conformance.tables import table
from service.rules.kernel import AnyRuleset
from service.rules.svg import Svg
from service.rules.table_parts import Board
from service.rules.tabletop.drawing import ROLES, small_look
from service.rules.tabletop.table import Table

DRAWINGS = Checks()
LARGE: Final = 17
SMALL: Final = 24
"""No text of a board is smaller, in its largest and in its smallest look."""
CONTRAST: Final = 4.5


@DRAWINGS.games(1, "Build boards with `plates` or with Place and `lettered` of tabletop/drawing.py.")
def a_board_is_harmless_and_can_be_read(trial: Trial) -> None:
    """Check the board."""
    languages = trial.ruleset.meta.languages
    for number, state in enumerate([*trial.game.states[::15], trial.game.states[-1]]):
        viewer = trial.viewers[number % (trial.seats + 1)]
        board = table(trial, state, viewer, languages[number % len(languages)]).board()
        drawn = parsed(board.svg)
        check_harmless(drawn)
        same(drawn.get("viewBox"), f"0 0 {board.width:g} {board.height:g}", "the box of the board")
        named = {
            each.get("data-place"): each.get("aria-label") for each in drawn.iter(f"{SVG}g") if each.get("data-place")
        }
        same(named, {name: place.label for name, place in board.places.items()}, "the places of the board")
        ensure(drawn.get("aria-label") and all(named.values()), "board or places have no label")
        _check_places(board)
        ensure(all(size >= LARGE for size in _sizes(board.svg)), f"a text is smaller than {LARGE}")
        ensure(all(size >= SMALL for size in _sizes(small_look(board.svg))), f"a small text is smaller than {SMALL}")
        check_harmless(parsed(small_look(board.svg)))
        json.dumps({name: place[:5] for name, place in board.places.items()})


def _check_places(board: Board) -> None:
    for name, place in board.places.items():
        inside = place.x >= 0 and place.x + place.width <= board.width
        inside = inside and place.y >= 0 and place.y + place.height <= board.height
        ensure(inside and place.x <= place.anchor[0] <= place.x + place.width, f"{name} is not within the board")


def _sizes(svg: str) -> list[float]:
    """Return the sizes of all texts of a picture, each of a role."""
    texts = list(parsed(svg).iter(f"{SVG}text"))
    for each in texts:
        role = str(each.get("class")).split()[0].removeprefix("t-")
        ensure(role in ROLES, f"a text of the board has no role of {sorted(ROLES)}: {role}")
    return [float(each.get("font-size", 0)) for each in texts]


@DRAWINGS.games(1, "Write names with `lettered` or `said`.")
def a_name_is_nothing_but_text_on_a_board(trial: Trial) -> None:
    """Check a board with hostile names."""
    page = Table(trial.ruleset, trial.game.states[-1], trial.seats, 0, "en", (HOSTILE * 2)[: trial.seats])
    for svg in (page.board().svg, small_look(page.board().svg)):
        check_harmless(parsed(svg.encode(errors="surrogatepass")))
    ensure(page.status().sentence and page.result(), "status or result are missing")


@DRAWINGS.ruleset("Make each symbol an element `symbol` with its name as id and a viewBox; names in kebab case.")
def symbols_can_stand_on_a_page(ruleset: AnyRuleset) -> None:
    """Check the symbols."""
    for language in ruleset.meta.languages:
        for name, symbol in ruleset.contributions.symbols(language).items():
            drawn = parsed(symbol)
            whole = drawn.tag == "symbol" and drawn.get("id") == name and drawn.get("viewBox")
            ensure(whole and re.fullmatch(r"[a-z0-9-]+", name), f"the symbol {name} is none")
            inside = symbol.replace(f' id="{name}"', "").replace("symbol", "g")
            check_harmless(parsed(Svg("<svg>") + inside + "</svg>"), "")


@DRAWINGS.ruleset("Choose `looks` in which `on-cN` can be read on `cN`, by day and by night.")
def words_can_be_read_on_every_colour_of_a_game(ruleset: AnyRuleset) -> None:
    """Check the contrast of colours."""
    looks = ruleset.contributions.looks
    below = {name for name in looks if not name.startswith("on-")}
    same({name.removeprefix("on-") for name in looks.keys() - below}, below, "the colours with words on them")
    for name in below:
        for ground, words in zip(looks[name], looks[f"on-{name}"], strict=True):
            ensure(contrast(ground, words) >= CONTRAST, f"{words} on {ground} ({name}) has less than {CONTRAST}")


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2.2, contrast ratio)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear: list[float] = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
