"""The picture of the table: what it shows to whom."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from service.rules.games.bastards_inc.events import Boom, EventRevealed
from service.rules.games.bastards_inc.state import Folder, State
from service.rules.games.bastards_inc.tabletop.paint import paint
from service.rules.games.bastards_inc.terms import LOCATIONS
from service.rules.games.bastards_inc.view import view
from tests.rules.bastards_inc.tables import ALICE, BOB, table
from tests.rules.playouts import names_of

SVG = "{http://www.w3.org/2000/svg}"
MARIGOLD = "#f6b42c"


def painted(state: State, viewer: int | None = ALICE, language: str = "en") -> Element:
    return fromstring(paint(view(state, viewer), language, names_of(len(state.companies))))


def texts(drawn: Element) -> list[str]:
    return [each.text or "" for each in drawn.iter(f"{SVG}text")]


def place(drawn: Element, name: str) -> Element:
    (found,) = [each for each in drawn.iter(f"{SVG}g") if each.get("data-place") == name]
    return found


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_place_is_a_square_of_the_picture(seats: int, language: str) -> None:
    drawn = painted(table(seats), language=language)
    named = [each.get("data-place") for each in drawn.iter(f"{SVG}g") if each.get("class") == "square"]
    assert sorted(filter(None, named)) == sorted(LOCATIONS)


def test_a_vp_stands_on_its_field_with_its_black_money() -> None:
    drawn = place(painted(table(companies={BOB: {"vps": (("KOR", 4), "VIP")}})), "KOR")
    assert {"2", "4"} <= set(texts(drawn)[5:])
    assert len(list(drawn.iter(f"{SVG}circle"))) == 1


def test_four_vps_of_each_of_six_seats_find_room_in_the_lounge() -> None:
    state = table(6, companies={seat: {"vps": ("VIP",) * 4} for seat in range(6)})
    drawn = place(painted(state), "VIP")
    middles = [(float(each.get("cx", 0)), float(each.get("cy", 0))) for each in drawn.iter(f"{SVG}circle")]
    assert len(set(middles)) == 24
    assert all(13 <= x <= 216 - 13 and 13 <= y <= 124 - 13 for x, y in middles)


def test_the_values_in_force_are_those_that_are_drawn() -> None:
    event = EventRevealed(event="e12", booms=(Boom("POO", 2),))
    calm, boom = (painted(table(in_force=each)) for each in (None, event))
    assert "3" in texts(place(calm, "POO")) and "5" in texts(place(boom, "POO"))
    assert any("Gold Rush" in each for each in texts(boom))


def test_the_reader_sees_their_own_hand_and_no_other() -> None:
    state = table(companies={ALICE: {"hand": ("a03",)}, BOB: {"hand": ("b05",)}})
    assert any("Too Big to Pay" in each for each in texts(painted(state, ALICE)))
    assert not any("Celebrities Eat Bark" in each for each in texts(painted(state, ALICE)))
    assert not any("Too Big to Pay" in each for each in texts(painted(state, None)))


def test_the_pieces_of_the_reader_are_marigold() -> None:
    state = table(companies={ALICE: {"vps": ("KOR", "VIP")}, BOB: {"vps": ("TIG", "VIP")}})
    for viewer, field in ((ALICE, "KOR"), (BOB, "TIG")):
        (disc,) = place(painted(state, viewer), field).iter(f"{SVG}circle")
        assert disc.get("fill") == MARIGOLD


def test_businesses_are_named_under_their_company() -> None:
    state = table(companies={BOB: {"portfolio": (Folder("b01", turned=False), Folder("b02", turned=True))}})
    assert "b01 Sneaker Cathedral · b02 Credit for a Goat" in texts(painted(state))
