"""What holds for the pictures of every game, checked on random games of it."""

from __future__ import annotations

import json
import re
from xml.etree.ElementTree import Element, fromstring

from service.rules.typeset import LOOSE
from tests.rules.playouts import every_table, fewest, names_of, played, seeds, viewers

SVG = "{http://www.w3.org/2000/svg}"
HARMLESS = {"svg", "g", "title", "text", "rect", "circle", "ellipse", "polygon", "path"}
SQUARE = re.compile(r"\b[A-Z][0-9]\b")


@every_table
@fewest
@seeds
def test_the_table_is_painted_as_a_picture_that_stands_for_itself(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate([*game.states[::25], game.states[-1]]):
        viewer = viewers(seats)[number % (seats + 1)]
        shown = ruleset.view(state, viewer)
        for language in ruleset.meta.languages:
            painted = ruleset.paint(shown, language, names_of(seats))
            picture = fromstring(painted)
            assert picture.tag == f"{SVG}svg" and picture.get("role") == "img" and picture.get("viewBox")
            assert picture.findtext(f"{SVG}title") == ruleset.caption(shown, language, names_of(seats))
            check_harmless(picture)
            assert painted == ruleset.paint(json.loads(json.dumps(shown)), language, names_of(seats))


@every_table
@fewest
@seeds
def test_every_square_that_an_action_names_is_in_the_picture(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in game.states[:-1:15]:
        for seat in ruleset.to_act(state) & set(range(seats)):
            squares = places_of(ruleset.paint(ruleset.view(state, seat), "en", names_of(seats)))
            assert len(squares) == len(set(squares))
            for action in ruleset.legal(state, seat):
                assert set(SQUARE.findall(ruleset.notate(action))) <= set(squares)


@every_table
@fewest
@seeds
def test_a_position_has_a_caption_in_every_language(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    long = ["W" * 60] * seats
    for state in game.states[::3] + game.states[-1:]:
        for language in ruleset.meta.languages:
            for names in (names_of(seats), long):
                caption = ruleset.caption(ruleset.view(state, None), language, names)
                assert 0 < len(caption) <= 250 and caption.endswith(".")
                assert caption.replace("\N{NO-BREAK SPACE}", " ").isprintable()
                assert language != "fr" or not LOOSE.search(caption), caption


@every_table
def test_a_name_is_nothing_but_text_in_a_picture(name: str, seats: int) -> None:
    ruleset, game = played(name, seats, 1)
    names = ["</title><script>&\"'", "\x00\x1b\ud800", "محمد", "李小龙🎉", ""][:seats]
    picture = fromstring(ruleset.paint(ruleset.view(game.states[-1], 0), "en", names).encode())
    check_harmless(picture)
    assert any("<script>" in text for text in picture.itertext())


def places_of(painted: str) -> list[str]:
    """The names of the places in a picture."""
    return [each.get("data-place", "") for each in fromstring(painted).iter(f"{SVG}g") if each.get("class") == "square"]


def check_harmless(picture: Element, space: str = SVG) -> None:
    """Check that a picture runs nothing, fetches nothing, and needs no style that a strict policy refuses."""
    for each in picture.iter():
        assert each.tag.removeprefix(space) in HARMLESS, each.tag
        for key, value in each.items():
            assert not key.startswith("on") and "href" not in key and key not in {"style", "id"}, key
            assert "url(" not in value and "//" not in value, value
