"""Solo: the player's decisions and the end, R-50 to R-54."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from service.rules.chance import Chance
from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import (
    Card,
    ChooseConglomerates,
    ExchangeCards,
    Infiltrate,
    PlaceAgents,
    Placement,
    PlayOds,
    Plot,
    RotateCards,
    SkipAbility,
    TakeOver,
)
from service.rules.games.new_corp_order.events import (
    AgentsPlaced,
    CardsExchanged,
    CardsRotated,
    CardTaken,
    CompanyTakenOver,
    ConglomeratesChosen,
    DecisionReached,
    DisplayRefilled,
    EndTriggered,
    GameEnded,
    TurnBegan,
)
from service.rules.games.new_corp_order.terms import COLOURS
from service.rules.kernel import begin
from tests.rules.new_corp_order.support import (
    BROADCAST,
    GUERRILLA,
    HQ,
    ODS,
    ONLINE,
    PLAYER,
    PRINT,
    SOCIAL,
    Tile,
    case,
    just_won,
    solo,
)

GRID = {"A1": Tile("red", 2), "B1": Tile("black", 1), "C1": Tile("blue", 1), "D1": Tile("red", 1)}
DISPLAY = ("red", "red", "black", "blue")
PLACEMENT = DecisionReached(seat=PLAYER, decision="placement")
ODS_TURN = TurnBegan(seat=ODS)
START = begin(RULESET, 1, {"short-game": False, "first-player": None}, Chance(bytes(32)), "00", ("00",))


def given(**more: Any) -> Any:
    """The player's turn; red and black are the player's."""
    return case.given(*solo(**{"grid": GRID, "display": DISPLAY, **more}))


def test_r_50_the_first_decision_is_to_choose_two_colours() -> None:
    here = case.given(*START)
    listed = RULESET.legal(here.state, PLAYER)
    assert all(isinstance(action, ChooseConglomerates) for action in listed)
    pairs = {frozenset(pair) for pair in itertools.combinations(COLOURS, 2)}
    assert pairs == {frozenset(action.colours) for action in listed}
    assert 6 == len(listed)
    here.when(PLAYER, Plot(sources=("1", "2"))).refused("other-decision-due", "R-10", due="conglomerates")


def test_r_50_ods_has_the_other_colours_and_the_player_the_first_turn() -> None:
    here = case.given(*START)
    answer = here.when(PLAYER, ChooseConglomerates(colours=("red", "black")))
    answer.then(ConglomeratesChosen(player=("red", "black"), ods=("blue", "white")), TurnBegan(seat=PLAYER))
    hqs = answer.state.hqs
    assert {"red": 1, "black": 1, "blue": 0, "white": 0} == hqs[PLAYER].agents
    assert {"red": 0, "black": 0, "blue": 1, "white": 1} == hqs[ODS].agents
    assert dict.fromkeys(COLOURS, 21) == answer.state.supply
    assert 0 == answer.state.marker


def test_r_50_the_two_colours_are_different() -> None:
    here = case.given(*START)
    here.when(PLAYER, ChooseConglomerates(colours=("red", "red"))).refused("two-different-colours", "R-50")


def test_r_50_the_colours_are_chosen_once() -> None:
    given().when(PLAYER, ChooseConglomerates(colours=("red", "blue"))).refused("other-decision-due", "R-10")


def test_r_50_grid_and_agents_are_in_sight_before_the_choice() -> None:
    one = case.given(*START).state
    moved = {**one.companies, "A1": one.companies["A1"]._replace(agents=2)}
    assert RULESET.view(one, PLAYER) != RULESET.view(one._replace(companies=moved), PLAYER)


BATTLE = {
    "A1": Tile("red", 4),
    "B1": Tile("blue", 1, GUERRILLA),
    "C1": Tile("blue", 4),
    "A2": Tile("black", 1, PRINT),
    "C2": Tile("black", 1),
}


def test_r_53_the_players_takeover_follows_the_normal_rules() -> None:
    here = given(grid=BATTLE, hq=HQ({"red": 4}), ods=HQ({"blue": 2}))
    answer = here.when(PLAYER, TakeOver(source="A1", target="B1", agents=2))
    answer.then(
        CardsRotated(hq=PLAYER, colour="red", cards=2),
        CompanyTakenOver(seat=PLAYER, source="A1", target="B1", colour="red", agents=2, defender="blue", defenders=1),
        DecisionReached(seat=PLAYER, decision="ability"),
    )
    after = answer.case_after
    after.when(PLAYER, RotateCards(hq=ODS, colour="blue", cards=2)).then(
        CardsRotated(hq=ODS, colour="blue", cards=2), ODS_TURN
    )
    after.when(PLAYER, SkipAbility()).then_includes(ODS_TURN)
    here.when(PLAYER, TakeOver(source="A1", target="B1", agents=4)).refused("last-agent-stays", "R-19")


def test_r_53_the_player_may_take_a_company_of_an_own_colour_over() -> None:
    here = given(grid=BATTLE, hq=HQ({"red": 3}), ods=HQ({"blue": 1}))
    here.when(PLAYER, TakeOver(source="A1", target="A2", agents=2)).then_includes(
        DecisionReached(seat=PLAYER, decision="ability")
    )


def test_r_53_a_card_of_ods_is_not_rotated_for_a_takeover_of_the_players() -> None:
    here = given(grid=BATTLE, hq=HQ({"red": 1, "blue": 3}))
    here.when(PLAYER, TakeOver(source="C1", target="C2", agents=2)).refused(
        "not-your-conglomerate", "R-53", colour="blue"
    )
    sources = {action.source for action in RULESET.legal(here.state, PLAYER) if isinstance(action, TakeOver)}
    assert {"red", "black"} >= {here.state.companies[source].colour for source in sources}


def test_r_53_abilities_may_touch_the_cards_of_ods() -> None:
    grid = {"A1": Tile("red", 2, PRINT), "B1": Tile("black")}
    here = case.given(*solo(grid=grid, hq=HQ({"red": 1}), ods=HQ({"blue": 1})), *just_won("A1"))
    give, take = Card(colour="red", rotated=False), Card(colour="blue", rotated=False)
    answer = here.when(PLAYER, ExchangeCards(give=give, hq=ODS, take=take))
    answer.then(CardsExchanged(seat=PLAYER, gave=give, hq=ODS, took=take), ODS_TURN)
    assert (1, 1) == (answer.state.hqs[PLAYER].cards["blue"], answer.state.hqs[ODS].cards["red"])
    here.when(PLAYER, ExchangeCards(give=take, hq=PLAYER, take=give)).refused("own-hq", "R-33")


def test_r_53_a_foreign_card_in_the_players_hq_may_be_touched_by_an_ability() -> None:
    grid = {"A1": Tile("red", 2, GUERRILLA), "B1": Tile("black")}
    here = case.given(*solo(grid=grid, hq=HQ({"blue": 1})), *just_won("A1"))
    here.when(PLAYER, RotateCards(hq=PLAYER, colour="blue", cards=1)).then_includes(ODS_TURN)


def test_only_ods_itself_plays_its_turn() -> None:
    here = given(active=ODS)
    assert frozenset({ODS}) == RULESET.to_act(here.state)
    assert (ODS, PlayOds()) == RULESET.automaton(here.state)
    here.when(PLAYER, PlayOds()).refused("not-your-turn", None)
    given().when(PLAYER, PlayOds()).refused()
    assert RULESET.automaton(given().state) is None


GOALS = (ONLINE, GUERRILLA, BROADCAST)
SCORES = {
    "A1": Tile("red", 1, ONLINE),
    "B1": Tile("black", 7, GUERRILLA),
    "C1": Tile("red", 1, PRINT),
    "D1": Tile("red", 1, PRINT),
    "A2": Tile("blue", 1, ONLINE),
    "B2": Tile("white", 1, BROADCAST),
    "C2": Tile("white", 1, SOCIAL),
    "D2": Tile("white", 1, SOCIAL),
    "A3": Tile("white", 1, GUERRILLA),
    "B3": Tile("red", 1, BROADCAST),
}


def last_plot(grid: dict[str, Tile], **more: Any) -> GameEnded:
    """The end of a game whose last two cards are of ODS's colours."""
    here = given(grid=grid, objectives=GOALS, display=(None, "blue", None, "white"), deck=(), **more)
    answer = here.when(PLAYER, Plot(sources=("2", "4")))
    outcome = RULESET.outcome(answer.state)
    assert outcome is not None and list(answer.facts[-1].winners) == list(outcome["winners"])
    return answer.facts[-1]


def test_r_54_each_company_that_matches_an_objective_is_worth_one() -> None:
    won = {**SCORES, "A2": Tile("black", 1, ONLINE)}
    assert GameEnded(scores=(4, 2), winners=(PLAYER,)) == last_plot(won, hq=HQ({"red": 9}))
    lost = {**SCORES, "A1": Tile("blue", 1, ONLINE)}
    assert GameEnded(scores=(2, 4), winners=(ODS,)) == last_plot(lost, hq=HQ({"red": 9}, agents={"white": 4}))


@pytest.mark.parametrize(
    ("own", "theirs", "winner"), [({"blue": 1}, {}, PLAYER), ({}, {}, ODS), ({"blue": 1}, {"red": 1}, ODS)]
)
def test_r_54_a_tie_goes_to_the_player_only_with_more_agents(
    own: dict[str, int], theirs: dict[str, int], winner: int
) -> None:
    result = last_plot(SCORES, hq=HQ(agents=own), ods=HQ(agents=theirs))
    assert GameEnded(scores=(3, 3), winners=(winner,)) == result


def test_r_54_the_standings_name_the_companies_that_score() -> None:
    told = RULESET.standings(given(grid=SCORES, objectives=GOALS, hq=HQ(agents={"blue": 1})).state, PLAYER)
    player, ods = told["seats"]
    assert (3, {"A1", "B1", "B3"}, 3) == (player["total"], set(player["companies"]), player["agents"])
    assert (3, {"A2", "B2", "A3"}, 2) == (ods["total"], set(ods["companies"]), ods["agents"])
    assert set(GOALS) == set(told["objectives"])


# Plots.


def player_took(source: str, card: str, to: str) -> CardTaken:
    """The player took a card."""
    return CardTaken(seat=PLAYER, source=source, card=card, to=to)


def player_placed(company: str, colour: str, agents: int) -> AgentsPlaced:
    """The player placed agents."""
    return AgentsPlaced(seat=PLAYER, company=company, colour=colour, agents=agents)


def test_r_51_two_own_cards_of_one_colour_put_both_agents_on_one_company() -> None:
    answer = given().when(PLAYER, Plot(sources=("1", "2")))
    answer.then(player_took("1", "red", "hq"), player_took("2", "red", "hq"), PLACEMENT)
    assert 2 == answer.state.hqs[PLAYER].cards["red"]
    after = answer.case_after
    after.when(PLAYER, PlaceAgents(companies=("D1",))).then(player_placed("D1", "red", 2), ODS_TURN)
    after.when(PLAYER, PlaceAgents(companies=("D1", "A1"))).refused("one-company-per-colour", "R-51")
    reds = {square for square, company in after.state.companies.items() if company.colour == "red"}
    assert {(square,) for square in reds} == {action.companies for action in RULESET.legal(after.state, PLAYER)}


def test_r_51_own_cards_of_two_colours_place_one_agent_each() -> None:
    after = given().when(PLAYER, Plot(sources=("3", "1"))).case_after
    answer = after.when(PLAYER, PlaceAgents(companies=("B1", "A1")))
    answer.then(player_placed("B1", "black", 1), player_placed("A1", "red", 1), ODS_TURN)
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
    answer.then(player_took("4", "blue", "box"), player_took("1", "red", "hq"), PLACEMENT)
    assert 1 == answer.state.box["blue"] - here.state.box["blue"]
    answer.case_after.when(PLAYER, PlaceAgents(companies=("A1",))).then(player_placed("A1", "red", 1), ODS_TURN)


def test_r_51_without_an_own_card_there_is_nothing_to_place() -> None:
    here = given(display=("white", "red", "black", "blue"))
    here.when(PLAYER, Plot(sources=("1", "4"))).then(
        player_took("1", "white", "box"), player_took("4", "blue", "box"), ODS_TURN
    )


def test_r_51_the_first_card_is_seen_before_the_second_is_chosen() -> None:
    first = given(deck=("blue", "red", "red", "red", "red")).when(PLAYER, Plot(sources=("deck",)))
    first.then(player_took("deck", "blue", "box"), DecisionReached(seat=PLAYER, decision="second-card"))
    first.case_after.when(PLAYER, Plot(sources=("deck",))).then(player_took("deck", "red", "hq"), PLACEMENT)
    own = given().when(PLAYER, Plot(sources=("1",)))
    own.then(player_took("1", "red", "hq"), DecisionReached(seat=PLAYER, decision="second-card"))
    second = own.case_after.when(PLAYER, Plot(sources=("4",)))
    second.then(player_took("4", "blue", "box"), PLACEMENT)
    second.case_after.when(PLAYER, PlaceAgents(companies=("A1",))).then(player_placed("A1", "red", 1), ODS_TURN)


def test_r_51_the_display_has_four_slots() -> None:
    given().when(PLAYER, Plot(sources=("1", "5"))).refused("empty-slot", "R-12", slot="5")


def test_r_51_the_display_is_not_refilled_while_it_holds_a_card() -> None:
    here = given(display=(None, "red", "red", "blue"))
    answer = here.when(PLAYER, Plot(sources=("2", "3"))).case_after.when(PLAYER, PlaceAgents(companies=("A1",)))
    answer.then(player_placed("A1", "red", 2), ODS_TURN)
    assert (None, None, None, "blue") == answer.state.display


REFILLED = DisplayRefilled(cards=(("1", "white"), ("2", "blue"), ("3", "red"), ("4", "black")))
DECK = ("white", "blue", "red", "black", "red")


def test_r_51_the_display_is_refilled_to_four_when_it_is_empty_after_the_placement() -> None:
    here = given(display=(None, "red", None, "red"), deck=DECK)
    after = here.when(PLAYER, Plot(sources=("2", "4"))).then_none_is(DisplayRefilled).case_after
    answer = after.when(PLAYER, PlaceAgents(companies=("A1",)))
    answer.then(player_placed("A1", "red", 2), REFILLED, ODS_TURN)
    assert ("white", "blue", "red", "black") == answer.state.display


def test_r_51_the_display_is_refilled_at_once_when_nothing_is_placed() -> None:
    here = given(display=(None, "blue", None, "white"), deck=DECK)
    here.when(PLAYER, Plot(sources=("2", "4"))).then(
        player_took("2", "blue", "box"), player_took("4", "white", "box"), REFILLED, ODS_TURN
    )


def test_r_51_a_card_of_the_deck_beside_the_last_of_the_display() -> None:
    here = given(display=(None, "blue", None, None), deck=("blue", *DECK))
    here.when(PLAYER, Plot(sources=("2", "deck"))).then(
        player_took("2", "blue", "box"), player_took("deck", "blue", "box"), REFILLED, ODS_TURN
    )


def test_r_51_infiltrate_is_no_action_of_its_own() -> None:
    placing = Infiltrate(placements=(Placement(colour="red", cards=1, company="A1"),))
    here = given(hq=HQ({"red": 3}))
    here.when(PLAYER, placing).refused("no-infiltrate-in-solo", "R-51")
    assert not [action for action in RULESET.legal(here.state, PLAYER) if isinstance(action, Infiltrate)]


def test_r_51_agents_are_placed_on_the_last_plot_too() -> None:
    here = given(display=(None, "red", None, "red"), deck=("white", "blue", "red"))
    plotted = here.when(PLAYER, Plot(sources=("2", "4")))
    plotted.then(player_took("2", "red", "hq"), player_took("4", "red", "hq"), PLACEMENT)
    answer = plotted.case_after.when(PLAYER, PlaceAgents(companies=("A1",)))
    assert player_placed("A1", "red", 2) == answer.facts[0]
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
    here.when(PLAYER, Plot(sources=("2", "4"))).then(
        player_took("2", "blue", "box"), player_took("4", "white", "box"), ODS_TURN
    )
