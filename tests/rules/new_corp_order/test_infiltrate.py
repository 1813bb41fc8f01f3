"""Infiltrate: R-15."""

from __future__ import annotations

import pytest

from service.rules.games.new_corp_order.events import TurnBegan
from tests.rules.new_corp_order.placing import agents, cards, given, infiltrate, infiltrations
from tests.rules.new_corp_order.tables import ALICE, BOB, Tile


def test_r_15_cards_go_to_the_hq_and_as_many_agents_to_one_company() -> None:
    answer = given({"red": 3}).when(ALICE, infiltrate(("red", 2, "A1")))
    answer.then(cards("red", 2), agents("A1", "red", 2), TurnBegan(seat=BOB))
    assert 3 == answer.state.companies["A1"].agents
    assert 2 == answer.state.hqs[ALICE].cards["red"] and 1 == answer.state.hands[ALICE]["red"]


@pytest.mark.parametrize("number", [0, -1])
def test_r_15_at_least_one_card_is_placed(number: int) -> None:
    given({"red": 3}).when(ALICE, infiltrate(("red", number, "A1"))).refused("no-cards-placed", "R-15")


def test_r_15_a_placement_is_needed() -> None:
    given({"red": 3}).when(ALICE, infiltrate()).refused("no-cards-placed", "R-15")


def test_r_15_only_cards_in_the_hand_are_placed() -> None:
    placing = infiltrate(("red", 4, "A1"))
    given({"red": 3}).when(ALICE, placing).refused("cards-not-in-hand", "R-15", colour="red", held=3)


def test_r_15_the_supply_must_hold_an_agent_for_each_card() -> None:
    few = {"A1": Tile("red", 20), "B1": Tile("blue"), "C1": Tile("red", 3)}
    few |= {square: Tile("black") for square in ("A2", "A3", "B2", "B3", "C2")}
    few |= {square: Tile("white") for square in ("C3", "D1", "D2", "D3")}
    scarce = given({"red": 3}, grid=few)
    assert 2 == scarce.state.supply["red"]
    scarce.when(ALICE, infiltrate(("red", 3, "C1"))).refused("supply-too-small", "R-15", colour="red", left=2)
    scarce.when(ALICE, infiltrate(("red", 2, "C1"))).then_includes(agents("C1", "red", 2))
    assert {1, 2} == {action.placements[0].cards for action in infiltrations(scarce.state)}


def test_r_15_the_company_must_hold_the_colour() -> None:
    answer = given({"red": 3}).when(ALICE, infiltrate(("red", 1, "B1")))
    answer.refused("other-colour-there", "R-15", square="B1")


def test_r_15_the_company_must_be_on_the_grid() -> None:
    given({"red": 3}).when(ALICE, infiltrate(("red", 1, "D4"))).refused("no-such-company", None, square="D4")


def test_r_15_every_number_and_every_company_of_the_colour_is_listed() -> None:
    here = given({"red": 2, "white": 0}, grid={"A1": Tile("red"), "C1": Tile("red", 3)}, others="blue")
    listed = {(action.placements[0].cards, action.placements[0].company) for action in infiltrations(here.state)}
    assert {(1, "A1"), (2, "A1"), (1, "C1"), (2, "C1")} == listed
    assert 4 == len(infiltrations(here.state))
