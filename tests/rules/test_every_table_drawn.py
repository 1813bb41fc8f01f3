"""What holds for what every game draws on the page of a table: its board, its symbols and its colours."""

from __future__ import annotations

import json
import re
from xml.etree.ElementTree import fromstring

import pytest

from service.rules.kernel import AnyRuleset
from service.rules.svg import Svg
from service.rules.tabletop.drawing import ROLES, small_look
from service.rules.tabletop.table import Table
from tests.rules.playouts import (
    TRIED,
    every_table,
    fewest,
    played,
    seeds,
    viewers,
)
from tests.rules.test_every_picture import SVG, check_harmless
from tests.rules.test_every_table import table

LARGE, SMALL = 17, 24
"""No text of a board is smaller, in its largest and in its smallest look."""
every_ruleset = pytest.mark.parametrize("ruleset", TRIED.values(), ids=TRIED)


@every_table
@fewest
@seeds
def test_a_board_is_harmless_and_can_be_read(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate([*game.states[::15], game.states[-1]]):
        language = ruleset.meta.languages[number % len(ruleset.meta.languages)]
        page = table(ruleset, state, seats, viewers(seats)[number % (seats + 1)], language)
        board = page.board()
        drawn = fromstring(board.svg)
        check_harmless(drawn)
        assert drawn.get("aria-label") and drawn.get("viewBox") == f"0 0 {board.width:g} {board.height:g}"
        named = {
            each.get("data-place"): each.get("aria-label") for each in drawn.iter(f"{SVG}g") if each.get("data-place")
        }
        assert named == {place: each.label for place, each in board.places.items()} and all(named.values())
        for place in board.places.values():
            assert 0 <= place.x and place.x + place.width <= board.width
            assert 0 <= place.y and place.y + place.height <= board.height
            assert place.x <= place.anchor[0] <= place.x + place.width
        assert all(size >= LARGE for size in sizes(board.svg)) and all(
            size >= SMALL for size in sizes(small_look(board.svg))
        )
        check_harmless(fromstring(small_look(board.svg)))
        json.dumps({name: place[:5] for name, place in board.places.items()})


def sizes(svg: str) -> list[float]:
    """The sizes of all texts of a picture, each of a role."""
    texts = list(fromstring(svg).iter(f"{SVG}text"))
    assert all(str(each.get("class")).split()[0].removeprefix("t-") in ROLES for each in texts)
    return [float(each.get("font-size", 0)) for each in texts]


@every_table
def test_a_name_is_nothing_but_text_on_a_board(name: str, seats: int) -> None:
    ruleset, game = played(name, seats, 1)
    names = ["</title><script>&\"'", "\x00\x1b\ud800", "محمد", "李小龙🎉", ""][:seats]
    page = Table(ruleset, game.states[-1], seats, 0, "en", names)
    for svg in (page.board().svg, small_look(page.board().svg)):
        check_harmless(fromstring(svg.encode(errors="surrogatepass")))
    assert page.status().sentence and page.result()


@every_ruleset
def test_symbols_can_stand_on_a_page(ruleset: AnyRuleset) -> None:
    for language in ruleset.meta.languages:
        for name, symbol in ruleset.contributions.symbols(language).items():
            drawn = fromstring(symbol)
            assert drawn.tag == "symbol" and drawn.get("id") == name and drawn.get("viewBox")
            assert re.fullmatch(r"[a-z0-9-]+", name)
            check_harmless(
                fromstring(Svg("<svg>") + symbol.replace(f' id="{name}"', "").replace("symbol", "g") + "</svg>"), ""
            )


@every_ruleset
def test_words_can_be_read_on_every_colour_of_a_game(ruleset: AnyRuleset) -> None:
    looks = ruleset.contributions.looks
    assert {name for name in looks if not name.startswith("on-")} == {
        name[3:] for name in looks if name.startswith("on-")
    }
    for name in looks:
        if not name.startswith("on-"):
            for below, above in zip(looks[name], looks[f"on-{name}"], strict=True):
                assert contrast(below, above) >= 4.5, name


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (WCAG 2.2, contrast ratio)."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
