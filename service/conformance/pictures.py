"""The pictures of a game: the whole table, and its caption."""

from __future__ import annotations

import json
import re
from typing import Final
from xml.etree.ElementTree import Element, fromstring

from service.conformance.check import Checks, Trial, ensure, same
from service.conformance.playouts import Broken
from service.conformance.words import check_typeset
from service.rules.kernel import Json

PICTURES = Checks()
SVG: Final = "{http://www.w3.org/2000/svg}"
HOSTILE: tuple[str, ...] = ("</title><script>&\"'", "\x00\x1b\ud800", "محمد", "李小龙🎉", "")
"""Names that are more than letters."""
_HARMLESS: Final = frozenset({"svg", "g", "title", "text", "rect", "circle", "ellipse", "polygon", "path"})
_SQUARE: Final = re.compile(r"\b[A-Z][0-9]\b")


@PICTURES.games(1, "Build the picture with `picture` of svg.py, with `caption` as its title, from the view alone.")
def the_table_is_painted_as_a_picture_that_stands_for_itself(trial: Trial) -> None:
    """Check the picture of the table."""
    ruleset, game, names = trial.ruleset, trial.game, trial.names
    for number, state in enumerate([*game.states[::25], game.states[-1]]):
        shown = ruleset.view(state, trial.viewers[number % (trial.seats + 1)])
        for language in ruleset.meta.languages:
            painted = ruleset.paint(shown, language, names)
            drawn = parsed(painted)
            whole = drawn.tag == f"{SVG}svg" and drawn.get("role") == "img" and drawn.get("viewBox")
            ensure(whole, "the picture is no <svg> with role and viewBox")
            same(drawn.findtext(f"{SVG}title"), ruleset.caption(shown, language, names), "the title of the picture")
            check_harmless(drawn)
            again = ruleset.paint(json.loads(json.dumps(shown)), language, names)
            ensure(painted == again, "a view that went through JSON gives another picture")


@PICTURES.games(1, "A replay stops at any event: let `view`, `draw`, `paint`, `caption` do without what comes later.")
def the_table_can_be_looked_at_after_every_event(trial: Trial) -> None:
    """Check the states between the events of a step, those of the setup above all."""
    ruleset, languages, state = trial.ruleset, trial.ruleset.meta.languages, None
    for number, event in enumerate(trial.game.log()):
        state = ruleset.evolve(state, event)
        ruleset.to_act(state), ruleset.decision(state), ruleset.turn(state), ruleset.outcome(state)
        for at, viewer in enumerate(trial.viewers):
            try:
                shown = ruleset.view(state, viewer)
                # Each event is drawn for one viewer, in one language: there are many.
                if number < len(trial.game.setup) or number % len(trial.viewers) == at:
                    _look(trial, shown, languages[number % len(languages)])
            except Exception as error:
                raise Broken(f"event {number + 1}, {type(event).__name__}, viewer {viewer}: {error!r}") from error


def _look(trial: Trial, shown: Json, language: str) -> None:
    ruleset, names = trial.ruleset, trial.names
    ensure(ruleset.draw(shown, language, names), "the table as text is empty")
    drawn = parsed(ruleset.paint(shown, language, names))
    same(drawn.findtext(f"{SVG}title"), ruleset.caption(shown, language, names), "the title of the picture")


@PICTURES.games(1, "Draw a `place` of svg.py for each square that the notation names, such as B3.")
def every_square_that_an_action_names_is_in_the_picture(trial: Trial) -> None:
    """Check the places of the picture."""
    ruleset = trial.ruleset
    for state in trial.game.states[:-1:15]:
        for seat in ruleset.to_act(state) & set(range(trial.seats)):
            squares = places_of(ruleset.paint(ruleset.view(state, seat), "en", trial.names))
            same(sorted(squares), sorted(set(squares)), "the squares of the picture")
            for action in ruleset.legal(state, seat):
                lacking = set(_SQUARE.findall(ruleset.notate(action))) - set(squares)
                ensure(not lacking, f"{ruleset.notate(action)} names {sorted(lacking)}, which the picture has not")


@PICTURES.games(1, "Let `caption` be one sentence of at most 250 characters with any names; shorten them.")
def a_position_has_a_caption_in_every_language(trial: Trial) -> None:
    """Check the caption."""
    ruleset, game = trial.ruleset, trial.game
    for state in game.states[::3] + game.states[-1:]:
        for language in ruleset.meta.languages:
            for names in (trial.names, ["W" * 60] * trial.seats):
                caption = ruleset.caption(ruleset.view(state, None), language, names)
                ensure(0 < len(caption) <= 250 and caption.endswith("."), f"{len(caption)} characters: {caption!r}")
                ensure(caption.replace("\N{NO-BREAK SPACE}", " ").isprintable(), f"not printable: {caption!r}")
                check_typeset(language, caption)


@PICTURES.games(1, "Write names with `line_of` or `said` of svg.py.")
def a_name_is_nothing_but_text_in_a_picture(trial: Trial) -> None:
    """Check a picture with hostile names."""
    view = trial.ruleset.view(trial.game.states[-1], 0)
    drawn = parsed(trial.ruleset.paint(view, "en", (HOSTILE * 2)[: trial.seats]).encode())
    check_harmless(drawn)
    ensure(any("<script>" in text for text in drawn.itertext()), "the name of the first seat is not in the picture")


def parsed(svg: str | bytes) -> Element:
    """Return a picture as elements; ParseError if it is no XML."""
    return fromstring(svg)  # noqa: S314 - it is what the game itself draws


def places_of(painted: str) -> list[str]:
    """Return the names of the places in a picture."""
    return [each.get("data-place", "") for each in parsed(painted).iter(f"{SVG}g") if each.get("class") == "square"]


def check_harmless(drawn: Element, space: str = SVG) -> None:
    """Check that a picture runs nothing, fetches nothing, and needs no style that a strict policy refuses."""
    for each in drawn.iter():
        ensure(each.tag.removeprefix(space) in _HARMLESS, f"a picture has no element {each.tag}")
        for key, value in each.items():
            harmful = key.startswith("on") or "href" in key or key in {"style", "id"}
            ensure(not harmful, f"a picture has no attribute {key}")
            ensure("url(" not in value and "//" not in value, f"a picture fetches nothing: {value}")
