"""Solo: the player's plots, R-51 and R-52."""

from __future__ import annotations

from typing import Any

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import Infiltrate, PlaceAgents, Placement, Plot
from service.rules.games.new_corp_order.events import (
    AgentsPlaced,
    CardTaken,
    DecisionReached,
    DisplayRefilled,
    EndTriggered,
    GameEnded,
    TurnBegan,
)
from tests.rules.new_corp_order.tables import HQ, ODS, PLAYER, Tile, case, solo

GRID = {"A1": Tile("red", 2), "B1": Tile("black", 1), "C1": Tile("blue", 1), "D1": Tile("red", 1)}
DISPLAY = ("red", "red", "black", "blue")
PLACEMENT = DecisionReached(seat=PLAYER, decision="placement")
ODS_TURN = TurnBegan(seat=ODS)


def given(**more: Any) -> Any:
    """The player's turn; red and black are the player's."""
    return case.given(*solo(**{"grid": GRID, "display": DISPLAY, **more}))


def taken(source: str, card: str, to: str) -> CardTaken:
    """The player took a card."""
    return CardTaken(seat=PLAYER, source=source, card=card, to=to)


def placed(company: str, colour: str, agents: int) -> AgentsPlaced:
    """The player placed agents."""
    return AgentsPlaced(seat=PLAYER, company=company, colour=colour, agents=agents)


def test_r_51_two_own_cards_of_one_colour_put_both_agents_on_one_company() -> None:
    answer = given().when(PLAYER, Plot(sources=("1", "2")))
    answer.then(taken("1", "red", "hq"), taken("2", "red", "hq"), PLACEMENT)
    assert 2 == answer.state.hqs[PLAYER].cards["red"]
    after = answer.case_after
    after.when(PLAYER, PlaceAgents(companies=("D1",))).then(placed("D1", "red", 2), ODS_TURN)
    after.when(PLAYER, PlaceAgents(companies=("D1", "A1"))).refused("one-company-per-colour", "R-51")
    reds = {square for square, company in after.state.companies.items() if company.colour == "red"}
    assert {(square,) for square in reds} == {action.companies for action in RULESET.legal(after.state, PLAYER)}


def test_r_51_own_cards_of_two_colours_place_one_agent_each() -> None:
    after = given().when(PLAYER, Plot(sources=("3", "1"))).case_after
    answer = after.when(PLAYER, PlaceAgents(companies=("B1", "A1")))
    answer.then(placed("B1", "black", 1), placed("A1", "red", 1), ODS_TURN)
    after.when(PLAYER, PlaceAgents(companies=("B1",))).refused("one-company-per-colour", "R-51")
    after.when(PLAYER, PlaceAgents(companies=())).refused("one-company-per-colour", "R-51")
    own = [company.colour for company in after.state.companies.values()]
    assert own.count("red") * own.count("black") == len(RULESET.legal(after.state, PLAYER))


def test_r_51_agents_go_to_a_company_of_their_colour() -> None:
    after = given().when(PLAYER, Plot(sources=("1", "2"))).case_after
    after.when(PLAYER, PlaceAgents(companies=("C1",))).refused()
    after.when(PLAYER, PlaceAgents(companies=("A4",))).refused("no-such-company", None)


def test_r_51_a_card_of_ods_goes_to_the_box_at_once() -> None:
    here = given()
    answer = here.when(PLAYER, Plot(sources=("4", "1")))
    answer.then(taken("4", "blue", "box"), taken("1", "red", "hq"), PLACEMENT)
    assert 1 == answer.state.box["blue"] - here.state.box["blue"]
    answer.case_after.when(PLAYER, PlaceAgents(companies=("A1",))).then(placed("A1", "red", 1), ODS_TURN)


def test_r_51_without_an_own_card_there_is_nothing_to_place() -> None:
    here = given(display=("white", "red", "black", "blue"))
    here.when(PLAYER, Plot(sources=("1", "4"))).then(taken("1", "white", "box"), taken("4", "blue", "box"), ODS_TURN)


def test_r_51_the_first_card_is_seen_before_the_second_is_chosen() -> None:
    first = given(deck=("blue", "red", "red", "red", "red")).when(PLAYER, Plot(sources=("deck",)))
    first.then(taken("deck", "blue", "box"), DecisionReached(seat=PLAYER, decision="second-card"))
    first.case_after.when(PLAYER, Plot(sources=("deck",))).then(taken("deck", "red", "hq"), PLACEMENT)
    own = given().when(PLAYER, Plot(sources=("1",)))
    own.then(taken("1", "red", "hq"), DecisionReached(seat=PLAYER, decision="second-card"))
    second = own.case_after.when(PLAYER, Plot(sources=("4",)))
    second.then(taken("4", "blue", "box"), PLACEMENT)
    second.case_after.when(PLAYER, PlaceAgents(companies=("A1",))).then(placed("A1", "red", 1), ODS_TURN)


def test_r_51_the_display_has_four_slots() -> None:
    given().when(PLAYER, Plot(sources=("1", "5"))).refused("empty-slot", "R-12", slot="5")


def test_r_51_the_display_is_not_refilled_while_it_holds_a_card() -> None:
    here = given(display=(None, "red", "red", "blue"))
    answer = here.when(PLAYER, Plot(sources=("2", "3"))).case_after.when(PLAYER, PlaceAgents(companies=("A1",)))
    answer.then(placed("A1", "red", 2), ODS_TURN)
    assert (None, None, None, "blue") == answer.state.display


REFILLED = DisplayRefilled(cards=(("1", "white"), ("2", "blue"), ("3", "red"), ("4", "black")))
DECK = ("white", "blue", "red", "black", "red")


def test_r_51_the_display_is_refilled_to_four_when_it_is_empty_after_the_placement() -> None:
    here = given(display=(None, "red", None, "red"), deck=DECK)
    after = here.when(PLAYER, Plot(sources=("2", "4"))).then_none_is(DisplayRefilled).case_after
    answer = after.when(PLAYER, PlaceAgents(companies=("A1",)))
    answer.then(placed("A1", "red", 2), REFILLED, ODS_TURN)
    assert ("white", "blue", "red", "black") == answer.state.display


def test_r_51_the_display_is_refilled_at_once_when_nothing_is_placed() -> None:
    here = given(display=(None, "blue", None, "white"), deck=DECK)
    here.when(PLAYER, Plot(sources=("2", "4"))).then(
        taken("2", "blue", "box"), taken("4", "white", "box"), REFILLED, ODS_TURN
    )


def test_r_51_a_card_of_the_deck_beside_the_last_of_the_display() -> None:
    here = given(display=(None, "blue", None, None), deck=("blue", *DECK))
    here.when(PLAYER, Plot(sources=("2", "deck"))).then(
        taken("2", "blue", "box"), taken("deck", "blue", "box"), REFILLED, ODS_TURN
    )


def test_r_51_infiltrate_is_no_action_of_its_own() -> None:
    placing = Infiltrate(placements=(Placement(colour="red", cards=1, company="A1"),))
    here = given(hq=HQ({"red": 3}))
    here.when(PLAYER, placing).refused("no-infiltrate-in-solo", "R-51")
    assert not [action for action in RULESET.legal(here.state, PLAYER) if isinstance(action, Infiltrate)]


def test_r_51_agents_are_placed_on_the_last_plot_too() -> None:
    here = given(display=(None, "red", None, "red"), deck=("white", "blue", "red"))
    plotted = here.when(PLAYER, Plot(sources=("2", "4")))
    plotted.then(taken("2", "red", "hq"), taken("4", "red", "hq"), PLACEMENT)
    answer = plotted.case_after.when(PLAYER, PlaceAgents(companies=("A1",)))
    assert placed("A1", "red", 2) == answer.facts[0]
    assert isinstance(answer.facts[1], GameEnded) and 2 == len(answer.facts)


def test_r_52_the_game_ends_at_once_when_the_display_cannot_be_refilled_in_full() -> None:
    here = given(display=(None, "blue", None, "white"), deck=DECK[:3])
    answer = here.when(PLAYER, Plot(sources=("2", "4")))
    answer.then_none_is(DisplayRefilled).then_none_is(EndTriggered).then_none_is(TurnBegan)
    assert isinstance(answer.facts[-1], GameEnded)


def test_r_52_exactly_four_cards_are_enough() -> None:
    here = given(display=(None, "blue", None, "white"), deck=DECK[:4])
    here.when(PLAYER, Plot(sources=("2", "4"))).then_includes(REFILLED, ODS_TURN)


def test_r_52_a_small_deck_beside_a_display_ends_nothing() -> None:
    here = given(display=(None, "blue", "red", "white"), deck=())
    here.when(PLAYER, Plot(sources=("2", "4"))).then(taken("2", "blue", "box"), taken("4", "white", "box"), ODS_TURN)
