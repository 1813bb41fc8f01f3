"""Turns of players: Plot, Infiltrate, Takeover, consultants, the end of turn and game (R-10 to R-22, R-40, R-46)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import Discard, Infiltrate, Placement, Plot, SkipAbility, TakeOver
from service.rules.games.new_corp_order.events import (
    AbilitySkipped,
    AgentsMoved,
    AgentsPlaced,
    CardsDiscarded,
    CardsDrawn,
    CardsPlaced,
    CardsRotated,
    CardTaken,
    CompanyTakenOver,
    ConsultantTaken,
    ConsultantUsed,
    DecisionReached,
    DisplayRefilled,
    EndTriggered,
    GameEnded,
    TakeoverFailed,
    TurnBegan,
    TurnPassed,
)
from tests.rules.new_corp_order.support import (
    ADVISOR,
    ALICE,
    AMBIENT,
    BOB,
    BROADCAST,
    CAROL,
    CONTRACTOR,
    DEALMAKER,
    GUERRILLA,
    HQ,
    INFILTRATE_GRID,
    LAWYER,
    ONLINE,
    PRINT,
    SOCIAL,
    Tile,
    agents_placed,
    cards_placed,
    case,
    consultant_taken,
    consultant_used,
    given_hand,
    infiltrate,
    infiltrations,
    just_won,
    table,
)

PLOT_DISPLAY = ("red", "black", "blue", "white", "red")


def card_taken(source: str, card: str, seat: int = ALICE) -> CardTaken:
    """A card that went to a hand."""
    return CardTaken(seat=seat, source=source, card=card, to="hand")


def test_r_10_a_turn_is_exactly_one_action() -> None:
    answer = case.given(*table(3)).when(ALICE, Plot(sources=("deck", "deck")))
    assert frozenset({BOB}) == RULESET.to_act(answer.state)
    answer.case_after.when(ALICE, Plot(sources=("1", "2"))).refused("not-your-turn", None)


def test_r_10_only_the_seat_whose_turn_it_is_may_act() -> None:
    given = case.given(*table(3, active=BOB))
    for seat in (ALICE, CAROL):
        given.when(seat, Plot(sources=("1", "2"))).refused("not-your-turn", None)
        assert [] == list(RULESET.legal(given.state, seat))


def test_r_10_a_due_decision_comes_before_any_other_action() -> None:
    answer = case.given(*table(2, hands=[{"red": 3}])).when(ALICE, Plot(sources=("1",)))
    placing = Infiltrate(placements=(Placement(colour="red", cards=1, company="A1"),))
    answer.case_after.when(ALICE, placing).refused("other-decision-due", "R-10", due="second-card")
    answer.case_after.when(ALICE, TakeOver(source="A1", target="A2", agents=1)).refused("other-decision-due", "R-10")
    answer.case_after.when(ALICE, Discard(cards=("red",))).refused("other-decision-due", "R-10")


def test_r_10_a_decision_that_is_not_due_is_refused() -> None:
    given = case.given(*table(2, hands=[{"red": 6}]))
    given.when(ALICE, Discard(cards=("red",))).refused("other-decision-due", "R-10", due="turn")


def test_r_12_two_cards_from_the_display_which_is_refilled_from_the_left() -> None:
    given = case.given(*table(2, display=PLOT_DISPLAY, deck=("white", "blue", "red")))
    given.when(ALICE, Plot(sources=("4", "2"))).then(
        card_taken("4", "white"),
        card_taken("2", "black"),
        DisplayRefilled(cards=(("2", "white"), ("4", "blue"))),
        TurnBegan(seat=BOB),
    )


def test_r_12_a_card_from_the_deck_and_one_from_the_display() -> None:
    given = case.given(*table(2, display=PLOT_DISPLAY, deck=("white", "blue", "red")))
    given.when(ALICE, Plot(sources=("deck", "5"))).then(
        card_taken("deck", "white"),
        card_taken("5", "red"),
        DisplayRefilled(cards=(("5", "blue"),)),
        TurnBegan(seat=BOB),
    )


def test_r_12_two_cards_from_the_deck_leave_the_display_alone() -> None:
    given = case.given(*table(2, display=PLOT_DISPLAY, deck=("white", "blue", "red")))
    answer = given.when(ALICE, Plot(sources=("deck", "deck")))
    answer.then(card_taken("deck", "white"), card_taken("deck", "blue"), TurnBegan(seat=BOB))
    assert PLOT_DISPLAY == answer.state.display


def test_r_12_the_first_card_is_seen_before_the_second_is_chosen() -> None:
    given = case.given(*table(2, deck=("white", "blue", "red")))
    first = given.when(ALICE, Plot(sources=("deck",)))
    first.then(card_taken("deck", "white"), DecisionReached(seat=ALICE, decision="second-card"))
    first.case_after.when(ALICE, Plot(sources=("1",))).then(
        card_taken("1", "red"), DisplayRefilled(cards=(("1", "blue"),)), TurnBegan(seat=BOB)
    )


def test_r_12_the_display_is_not_refilled_in_between() -> None:
    first = case.given(*table(2, display=PLOT_DISPLAY)).when(ALICE, Plot(sources=("3",)))
    first.then(card_taken("3", "blue"), DecisionReached(seat=ALICE, decision="second-card"))
    assert ("red", "black", None, "white", "red") == first.state.display
    first.case_after.when(ALICE, Plot(sources=("3",))).refused("empty-slot", "R-12", slot="3")
    seconds = RULESET.legal(first.state, ALICE)
    assert {("1",), ("2",), ("4",), ("5",), ("deck",)} == {action.sources for action in seconds}


def test_r_12_the_second_card_is_one_card() -> None:
    first = case.given(*table(2)).when(ALICE, Plot(sources=("3",)))
    first.case_after.when(ALICE, Plot(sources=("1", "2"))).refused("wrong-number-of-cards", "R-12")
    first.case_after.when(ALICE, Plot(sources=())).refused("wrong-number-of-cards", "R-12")


@pytest.mark.parametrize("sources", [(), ("1", "2", "3"), ("deck", "deck", "deck")])
def test_r_12_no_card_and_three_cards_are_refused(sources: tuple[str, ...]) -> None:
    case.given(*table(2)).when(ALICE, Plot(sources=sources)).refused("wrong-number-of-cards", "R-12")


def test_r_12_the_same_slot_twice_is_refused() -> None:
    case.given(*table(2)).when(ALICE, Plot(sources=("2", "2"))).refused("empty-slot", "R-12", slot="2")


def test_r_12_an_empty_deck_gives_no_card() -> None:
    case.given(*table(2, deck=())).when(ALICE, Plot(sources=("1", "deck"))).refused("empty-deck", "R-12")
    case.given(*table(2, deck=("red",))).when(ALICE, Plot(sources=("deck", "deck"))).refused("empty-deck", "R-12")


def test_r_12_when_only_one_card_is_left_it_is_taken_alone() -> None:
    last = table(2, display=(None, None, "blue", None, None), deck=(), hands=[{"red": 1}] * 2, final_turns=2)
    case.given(*last).when(ALICE, Plot(sources=("3",))).then(card_taken("3", "blue"), TurnBegan(seat=BOB))
    case.given(*last).when(ALICE, Plot(sources=("3", "1"))).refused()
    plots = [action for action in RULESET.legal(case.given(*last).state, ALICE) if isinstance(action, Plot)]
    assert [Plot(sources=("3",))] == plots


def test_r_12_the_last_card_may_be_the_decks() -> None:
    last = table(2, display=(None,) * 5, deck=("white",), hands=[{"red": 1}] * 2, final_turns=2)
    case.given(*last).when(ALICE, Plot(sources=("deck",))).then_includes(
        card_taken("deck", "white"), TurnBegan(seat=BOB)
    )


def test_r_12_with_no_card_left_a_plot_is_not_legal() -> None:
    given = case.given(*table(2, display=(None,) * 5, deck=(), hands=[{"red": 1}], final_turns=2))
    given.when(ALICE, Plot(sources=("1",))).refused()
    given.when(ALICE, Plot(sources=("deck",))).refused()
    assert not [action for action in RULESET.legal(given.state, ALICE) if isinstance(action, Plot)]


def test_r_12_every_plot_is_listed_as_one_pick_and_as_two() -> None:
    plots = [action.sources for action in RULESET.legal(case.given(*table(2)).state, ALICE) if isinstance(action, Plot)]
    pairs = {frozenset(sources) for sources in plots if len(sources) == 2}
    places = ["1", "2", "3", "4", "5", "deck"]
    expected = {frozenset((one, other)) for one in places for other in places if one != other} | {frozenset({"deck"})}
    assert expected <= pairs
    assert {(place,) for place in places} <= set(plots)


def test_r_13_the_end_is_triggered_when_the_display_cannot_be_refilled() -> None:
    given = case.given(*table(3, display=PLOT_DISPLAY, deck=("white",)))
    answer = given.when(ALICE, Plot(sources=("5", "2")))
    answer.then(
        card_taken("5", "red"),
        card_taken("2", "black"),
        DisplayRefilled(cards=(("2", "white"),)),
        EndTriggered(seat=ALICE),
        TurnBegan(seat=BOB),
    )
    assert ("red", "white", "blue", "white", None) == answer.state.display


def test_r_13_the_end_is_triggered_without_any_card_to_refill_with() -> None:
    case.given(*table(3, deck=())).when(ALICE, Plot(sources=("1", "2"))).then(
        card_taken("1", "red"), card_taken("2", "black"), EndTriggered(seat=ALICE), TurnBegan(seat=BOB)
    )
    case.given(*table(3, deck=("blue",))).when(ALICE, Plot(sources=("1", "deck"))).then(
        card_taken("1", "red"), card_taken("deck", "blue"), EndTriggered(seat=ALICE), TurnBegan(seat=BOB)
    )


@pytest.mark.parametrize("sources", [("1", "2"), ("deck", "deck")])
def test_r_13_an_empty_deck_beside_a_full_display_triggers_nothing(sources: tuple[str, str]) -> None:
    answer = case.given(*table(3, deck=("blue", "red"))).when(ALICE, Plot(sources=sources))
    answer.then_none_is(EndTriggered)
    assert () == answer.state.deck and None not in answer.state.display


def test_r_13_the_first_of_two_picks_triggers_nothing() -> None:
    given = case.given(*table(3, deck=()))
    given.when(ALICE, Plot(sources=("1",))).then_none_is(EndTriggered)


def test_r_14_cards_above_six_are_discarded_at_the_end_of_the_turn() -> None:
    given = case.given(*table(2, hands=[{"red": 5}], display=PLOT_DISPLAY, deck=("white", "blue", "red")))
    answer = given.when(ALICE, Plot(sources=("1", "2")))
    answer.then(
        card_taken("1", "red"),
        card_taken("2", "black"),
        DisplayRefilled(cards=(("1", "white"), ("2", "blue"))),
        DecisionReached(seat=ALICE, decision="discard"),
    )
    assert frozenset({ALICE}) == RULESET.to_act(answer.state)
    discarded = answer.case_after.when(ALICE, Discard(cards=("black",)))
    discarded.then(CardsDiscarded(seat=ALICE, cards=("black",)), TurnBegan(seat=BOB))
    assert 1 == discarded.state.box["black"] - answer.state.box["black"]


def test_r_14_six_cards_are_kept() -> None:
    given = case.given(*table(2, hands=[{"red": 4}]))
    given.when(ALICE, Plot(sources=("1", "2"))).then_none_is(DecisionReached)


def test_r_14_the_end_is_triggered_before_the_discard() -> None:
    given = case.given(*table(2, hands=[{"red": 5}], deck=()))
    given.when(ALICE, Plot(sources=("1", "2"))).then_includes(
        EndTriggered(seat=ALICE), DecisionReached(seat=ALICE, decision="discard")
    )


def test_r_14_the_player_chooses_exactly_as_many_as_are_too_many() -> None:
    given = case.given(*table(2, hands=[{"red": 5, "blue": 1}])).when(ALICE, Plot(sources=("1", "2"))).case_after
    assert {"red": 6, "blue": 1, "black": 1, "white": 0} == given.state.hands[ALICE]
    for cards in [(), ("red",), ("red", "red", "red")]:
        given.when(ALICE, Discard(cards=cards)).refused("wrong-number-of-cards", "R-14", least=2, most=2)
    given.when(ALICE, Discard(cards=("blue", "blue"))).refused("cards-not-in-hand", "R-14", colour="blue")
    given.when(ALICE, Discard(cards=("white", "red"))).refused("cards-not-in-hand", "R-14", colour="white")
    listed = {tuple(sorted(action.cards)) for action in RULESET.legal(given.state, ALICE)}
    assert {("red", "red"), ("blue", "red"), ("black", "red"), ("black", "blue")} == listed
    assert 4 == len(RULESET.legal(given.state, ALICE))


def test_r_14_the_others_learn_how_many_are_discarded_and_not_which() -> None:
    told = [("red", "red"), ("blue", "white"), ("red",)]
    one, other, fewer = (CardsDiscarded(seat=ALICE, cards=cards) for cards in told)
    for viewer in (BOB, None):
        assert json.dumps(RULESET.redact(one, viewer)) == json.dumps(RULESET.redact(other, viewer))
        assert RULESET.redact(one, viewer) != RULESET.redact(fewer, viewer)
    assert RULESET.redact(one, ALICE) != RULESET.redact(other, ALICE)


def test_r_14_cards_in_an_hq_do_not_count() -> None:
    given = case.given(*table(2, hands=[{"red": 4}], hqs=[HQ({"blue": 5})]))
    given.when(ALICE, Plot(sources=("1", "2"))).then_none_is(DecisionReached)


def test_r_14_nobody_discards_after_an_infiltration() -> None:
    given = case.given(*table(2, grid={"A1": Tile("red")}, hands=[{"red": 6}]))
    placing = Infiltrate(placements=(Placement(colour="red", cards=1, company="A1"),))
    given.when(ALICE, placing).then_none_is(DecisionReached)


# Infiltrate: R-15.


def test_r_15_cards_go_to_the_hq_and_as_many_agents_to_one_company() -> None:
    answer = given_hand({"red": 3}).when(ALICE, infiltrate(("red", 2, "A1")))
    answer.then(cards_placed("red", 2), agents_placed("A1", "red", 2), TurnBegan(seat=BOB))
    assert 3 == answer.state.companies["A1"].agents
    assert 2 == answer.state.hqs[ALICE].cards["red"] and 1 == answer.state.hands[ALICE]["red"]


@pytest.mark.parametrize("number", [0, -1])
def test_r_15_at_least_one_card_is_placed(number: int) -> None:
    given_hand({"red": 3}).when(ALICE, infiltrate(("red", number, "A1"))).refused("no-cards-placed", "R-15")


def test_r_15_a_placement_is_needed() -> None:
    given_hand({"red": 3}).when(ALICE, infiltrate()).refused("no-cards-placed", "R-15")


def test_r_15_only_cards_in_the_hand_are_placed() -> None:
    placing = infiltrate(("red", 4, "A1"))
    given_hand({"red": 3}).when(ALICE, placing).refused("cards-not-in-hand", "R-15", colour="red", held=3)


def test_r_15_the_supply_must_hold_an_agent_for_each_card() -> None:
    few = {"A1": Tile("red", 20), "B1": Tile("blue"), "C1": Tile("red", 3)}
    few |= {square: Tile("black") for square in ("A2", "A3", "B2", "B3", "C2")}
    few |= {square: Tile("white") for square in ("C3", "D1", "D2", "D3")}
    scarce = given_hand({"red": 3}, grid=few)
    assert 2 == scarce.state.supply["red"]
    scarce.when(ALICE, infiltrate(("red", 3, "C1"))).refused("supply-too-small", "R-15", colour="red", left=2)
    scarce.when(ALICE, infiltrate(("red", 2, "C1"))).then_includes(agents_placed("C1", "red", 2))
    assert {1, 2} == {action.placements[0].cards for action in infiltrations(scarce.state)}


def test_r_15_the_company_must_hold_the_colour() -> None:
    answer = given_hand({"red": 3}).when(ALICE, infiltrate(("red", 1, "B1")))
    answer.refused("other-colour-there", "R-15", square="B1")


def test_r_15_the_company_must_be_on_the_grid() -> None:
    given_hand({"red": 3}).when(ALICE, infiltrate(("red", 1, "D4"))).refused("no-such-company", None, square="D4")


def test_r_15_every_number_and_every_company_of_the_colour_is_listed() -> None:
    here = given_hand({"red": 2, "white": 0}, grid={"A1": Tile("red"), "C1": Tile("red", 3)}, others="blue")
    listed = {(action.placements[0].cards, action.placements[0].company) for action in infiltrations(here.state)}
    assert {(1, "A1"), (2, "A1"), (1, "C1"), (2, "C1")} == listed
    assert 4 == len(infiltrations(here.state))


# The consultants, and those that change an infiltration, R-17 and R-18.


def test_r_11_a_consultant_returns_to_the_supply_before_the_action() -> None:
    answer = given_hand({"red": 1, "blue": 1}, ADVISOR).when(
        ALICE, infiltrate(("red", 1, "A1"), use=ADVISOR, joker="blue")
    )
    answer.then(
        consultant_used(ADVISOR),
        cards_placed("red", 1),
        cards_placed("blue", 1),
        agents_placed("A1", "red", 2),
        TurnBegan(seat=BOB),
    )
    assert 0 == answer.state.hqs[ALICE].consultants[ADVISOR]
    assert 2 == answer.state.consultants[ADVISOR]


def test_r_11_only_a_consultant_of_ones_own_is_used() -> None:
    placing = infiltrate(("red", 1, "A1"), use=ADVISOR, joker="blue")
    given_hand({"red": 1, "blue": 1}, DEALMAKER).when(ALICE, placing).refused(
        "consultant-not-held", "R-11", consultant=ADVISOR
    )


@pytest.mark.parametrize("consultant", [DEALMAKER, CONTRACTOR])
def test_r_11_a_consultant_of_takeovers_does_not_fit_an_infiltration(consultant: str) -> None:
    placing = infiltrate(("red", 1, "A1"), use=consultant)
    given_hand({"red": 1}, consultant).when(ALICE, placing).refused(
        "consultant-does-not-fit", "R-11", consultant=consultant
    )


@pytest.mark.parametrize("consultant", [ADVISOR, LAWYER])
def test_r_11_a_consultant_of_infiltrations_does_not_fit_a_takeover(consultant: str) -> None:
    here = case.given(*table(3, grid=INFILTRATE_GRID, hqs=[HQ({"red": 2}, consultants=[consultant])]))
    here.when(ALICE, TakeOver(source="C1", target="B1", agents=2, use=consultant)).refused(
        "consultant-does-not-fit", "R-11", consultant=consultant
    )


def test_r_16_three_cards_of_a_colour_may_fetch_a_consultant() -> None:
    here = given_hand({"red": 3})
    answer = here.when(ALICE, infiltrate(("red", 3, "A1"), take=CONTRACTOR))
    answer.then(
        cards_placed("red", 3), agents_placed("A1", "red", 3), consultant_taken(CONTRACTOR), TurnBegan(seat=BOB)
    )
    assert 1 == answer.state.hqs[ALICE].consultants[CONTRACTOR]
    assert 0 == answer.state.consultants[CONTRACTOR]


def test_r_16_taking_a_consultant_is_optional() -> None:
    here = given_hand({"red": 3}, grid={"A1": Tile("red")}, others="blue")
    here.when(ALICE, infiltrate(("red", 3, "A1"))).then(
        cards_placed("red", 3), agents_placed("A1", "red", 3), TurnBegan(seat=BOB)
    )
    takes = {action.take for action in infiltrations(here.state) if action.placements[0].cards == 3}
    assert {None, ADVISOR, DEALMAKER, CONTRACTOR} == takes
    assert {None} == {action.take for action in infiltrations(here.state) if action.placements[0].cards < 3}


def test_r_16_two_cards_fetch_no_consultant() -> None:
    placing = infiltrate(("red", 2, "A1"), take=CONTRACTOR)
    given_hand({"red": 3}).when(ALICE, placing).refused("too-few-cards-for-consultant", "R-16")


def test_r_16_the_supply_must_have_the_consultant() -> None:
    here = case.given(
        *table(2, grid=INFILTRATE_GRID, hands=[{"red": 3}], hqs=[HQ(), HQ(consultants=[ADVISOR, CONTRACTOR])])
    )
    assert 0 == here.state.consultants[CONTRACTOR]
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=CONTRACTOR)).refused(
        "consultant-not-in-supply", "R-16", consultant=CONTRACTOR
    )
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=LAWYER)).refused(
        "consultant-not-in-supply", "R-16", consultant=LAWYER
    )


def test_r_16_the_type_used_this_turn_is_not_taken_again() -> None:
    here = given_hand({"red": 3, "blue": 1}, ADVISOR)
    using = {"use": ADVISOR, "joker": "blue"}
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=ADVISOR, **using)).refused(
        "consultant-just-used", "R-16", consultant=ADVISOR
    )
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=DEALMAKER, **using)).then_includes(consultant_taken(DEALMAKER))
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=ADVISOR)).then_includes(consultant_taken(ADVISOR))
    takes = {action.take for action in infiltrations(here.state) if action.use == ADVISOR}
    assert {None, DEALMAKER, CONTRACTOR} == takes


def test_r_16_one_consultant_even_if_two_colours_qualify() -> None:
    here = given_hand({"red": 3, "blue": 3}, LAWYER, players=3)
    placing = infiltrate(("red", 3, "A1"), ("blue", 3, "B1"), use=LAWYER, take=ADVISOR)
    answer = here.when(ALICE, placing)
    answer.then_includes(consultant_used(LAWYER), consultant_taken(ADVISOR), TurnBegan(seat=BOB))
    assert 1 == len([fact for fact in answer.facts if isinstance(fact, ConsultantTaken)])


def test_r_16_three_cards_of_two_colours_do_not_qualify() -> None:
    placing = infiltrate(("red", 2, "A1"), ("blue", 2, "B1"), use=LAWYER, take=ADVISOR)
    given_hand({"red": 2, "blue": 2}, LAWYER, players=3).when(ALICE, placing).refused(
        "too-few-cards-for-consultant", "R-16"
    )


def test_r_16_the_second_colour_may_qualify() -> None:
    placing = infiltrate(("red", 1, "A1"), ("blue", 3, "B1"), use=LAWYER, take=ADVISOR)
    given_hand({"red": 1, "blue": 3}, LAWYER, players=3).when(ALICE, placing).then_includes(consultant_taken(ADVISOR))


def test_r_17_the_joker_counts_as_the_main_colour_and_stays_its_own_in_the_hq() -> None:
    here = given_hand({"red": 2, "blue": 1}, ADVISOR)
    answer = here.when(ALICE, infiltrate(("red", 2, "A1"), use=ADVISOR, joker="blue", take=DEALMAKER))
    answer.then(
        consultant_used(ADVISOR),
        cards_placed("red", 2),
        cards_placed("blue", 1),
        agents_placed("A1", "red", 3),
        consultant_taken(DEALMAKER),
        TurnBegan(seat=BOB),
    )
    assert (2, 1) == (answer.state.hqs[ALICE].cards["red"], answer.state.hqs[ALICE].cards["blue"])


def test_r_17_a_joker_needs_the_media_advisor() -> None:
    here = given_hand({"red": 2, "blue": 1}, ADVISOR)
    here.when(ALICE, infiltrate(("red", 2, "A1"), joker="blue")).refused("joker-needs-media-advisor", "R-17")


def test_r_17_the_media_advisor_needs_a_joker() -> None:
    here = given_hand({"red": 2, "blue": 1}, ADVISOR)
    here.when(ALICE, infiltrate(("red", 2, "A1"), use=ADVISOR)).refused("media-advisor-needs-joker", "R-17")


def test_r_17_the_joker_is_of_another_colour() -> None:
    here = given_hand({"red": 3}, ADVISOR)
    here.when(ALICE, infiltrate(("red", 2, "A1"), use=ADVISOR, joker="red")).refused(
        "joker-of-main-colour", "R-17", colour="red"
    )


def test_r_17_at_least_one_card_is_of_the_main_colour() -> None:
    here = given_hand({"red": 3, "blue": 1}, ADVISOR)
    here.when(ALICE, infiltrate(("red", 0, "A1"), use=ADVISOR, joker="blue")).refused("no-cards-placed", "R-15")


def test_r_17_the_joker_is_in_the_hand() -> None:
    here = given_hand({"red": 3}, ADVISOR)
    here.when(ALICE, infiltrate(("red", 1, "A1"), use=ADVISOR, joker="blue")).refused(
        "cards-not-in-hand", "R-15", colour="blue", held=0
    )


def test_r_17_the_supply_must_hold_an_agent_for_the_joker_too() -> None:
    grid = {"A1": Tile("red", 24), "B1": Tile("blue")}
    here = given_hand({"red": 1, "blue": 1}, ADVISOR, grid=grid, others="black")
    assert 1 == here.state.supply["red"]
    here.when(ALICE, infiltrate(("red", 1, "A1"), use=ADVISOR, joker="blue")).refused("supply-too-small", "R-15")
    here.when(ALICE, infiltrate(("red", 1, "A1"))).then_includes(agents_placed("A1", "red", 1))


def test_r_17_every_colour_held_is_listed_as_joker() -> None:
    here = given_hand({"red": 1, "blue": 1, "white": 2}, ADVISOR, grid={"A1": Tile("red")}, others="black")
    listed = {(action.placements[0].cards, action.joker) for action in infiltrations(here.state)}
    assert {(1, None), (1, "blue"), (1, "white")} == listed


def test_r_18_the_corporate_lawyer_places_two_colours() -> None:
    here = given_hand({"red": 2, "blue": 1}, LAWYER, players=3)
    here.when(ALICE, infiltrate(("red", 2, "C1"), ("blue", 1, "B1"), use=LAWYER)).then(
        consultant_used(LAWYER),
        cards_placed("red", 2),
        agents_placed("C1", "red", 2),
        cards_placed("blue", 1),
        agents_placed("B1", "blue", 1),
        TurnBegan(seat=BOB),
    )


def test_r_18_a_second_colour_needs_the_corporate_lawyer() -> None:
    here = given_hand({"red": 2, "blue": 1}, LAWYER, players=3)
    placing = infiltrate(("red", 2, "C1"), ("blue", 1, "B1"))
    here.when(ALICE, placing).refused("second-colour-needs-corporate-lawyer", "R-18")


def test_r_18_the_corporate_lawyer_needs_two_colours() -> None:
    here = given_hand({"red": 2, "blue": 1}, LAWYER, players=3)
    here.when(ALICE, infiltrate(("red", 2, "C1"), use=LAWYER)).refused("corporate-lawyer-needs-two-colours", "R-18")
    same = infiltrate(("red", 1, "A1"), ("red", 1, "C1"), use=LAWYER)
    here.when(ALICE, same).refused("corporate-lawyer-needs-two-colours", "R-18")


def test_r_18_each_colour_has_at_least_one_card() -> None:
    here = given_hand({"red": 2, "blue": 1}, LAWYER, players=3)
    placing = infiltrate(("red", 2, "C1"), ("blue", 0, "B1"), use=LAWYER)
    here.when(ALICE, placing).refused("no-cards-placed", "R-15")


def test_r_18_each_colour_goes_to_a_company_of_its_own() -> None:
    here = given_hand({"red": 2, "blue": 1}, LAWYER, players=3)
    placing = infiltrate(("red", 2, "C1"), ("blue", 1, "A1"), use=LAWYER)
    here.when(ALICE, placing).refused("other-colour-there", "R-15", square="A1")


def test_r_18_the_corporate_lawyer_is_not_combined_with_a_joker() -> None:
    here = given_hand({"red": 2, "blue": 1, "white": 1}, LAWYER, ADVISOR, players=3)
    two = (("red", 1, "C1"), ("blue", 1, "B1"))
    here.when(ALICE, infiltrate(*two, use=LAWYER, joker="white")).refused("joker-needs-media-advisor", "R-17")
    here.when(ALICE, infiltrate(*two, use=ADVISOR, joker="white")).refused(
        "second-colour-needs-corporate-lawyer", "R-18"
    )


def test_r_18_three_colours_are_too_many() -> None:
    here = given_hand(
        {"red": 1, "blue": 1, "white": 1}, LAWYER, players=3, grid={**INFILTRATE_GRID, "D1": Tile("white")}
    )
    here.when(ALICE, infiltrate(("red", 1, "C1"), ("blue", 1, "B1"), ("white", 1, "D1"), use=LAWYER)).refused()


def test_r_18_both_orders_are_accepted_and_one_is_listed() -> None:
    grid = {"A1": Tile("red"), "B1": Tile("blue")}
    here = given_hand({"red": 1, "blue": 1}, LAWYER, players=3, grid=grid, others="black")
    two = (("red", 1, "A1"), ("blue", 1, "B1"))
    states = [here.when(ALICE, infiltrate(*order, use=LAWYER)).state for order in (two, two[::-1])]
    assert states[0] == states[1]
    assert 1 == len([action for action in infiltrations(here.state) if action.use == LAWYER])


# Takeover, with the consultants that change it.

TAKEOVER_GRID = {"A1": Tile("red", 4), "B1": Tile("blue", 2, BROADCAST), "A2": Tile("red", 1), "B2": Tile("black", 3)}


def given_takeover(red: int = 3, *consultants: str, rotated: int = 0, **more: Any) -> Any:
    """Alice's turn with red cards in her HQ; red has four agents on A1, blue two on B1."""
    hq = HQ({"red": red}, rotated={"red": rotated}, consultants=consultants)
    return case.given(*table(**{"grid": TAKEOVER_GRID, "hqs": [hq], **more}))


def take_over(agents: int, target: str = "B1", use: str | None = None, source: str = "A1") -> TakeOver:
    """Red's agents go from A1 to a neighbour."""
    return TakeOver(source=source, target=target, agents=agents, use=use)


def rotated(number: int) -> CardsRotated:
    """Alice's red cards were rotated."""
    return CardsRotated(hq=ALICE, colour="red", cards=number)


def failed(agents: int, target: str = "B1") -> TakeoverFailed:
    """Red's agents came back to A1."""
    return TakeoverFailed(seat=ALICE, source="A1", target=target, colour="red", agents=agents)


def won(agents: int, target: str = "B1", defender: str = "blue", defenders: int = 2) -> CompanyTakenOver:
    """Red's agents took a company over."""
    return CompanyTakenOver(
        seat=ALICE, source="A1", target=target, colour="red", agents=agents, defender=defender, defenders=defenders
    )


ABILITY = DecisionReached(seat=ALICE, decision="ability")
NEXT = TurnBegan(seat=BOB)


@pytest.mark.parametrize("agents", [1, 2])
def test_r_19_a_failed_attempt_rotates_the_cards_and_returns_the_agents(agents: int) -> None:
    here = given_takeover(3)
    answer = here.when(ALICE, take_over(agents))
    answer.then(rotated(agents), failed(agents), NEXT)
    assert here.state.companies == answer.state.companies
    assert (3 - agents, agents) == (answer.state.hqs[ALICE].cards["red"], answer.state.hqs[ALICE].rotated["red"])


@pytest.mark.parametrize("agents", [0, -1])
def test_r_19_at_least_one_agent_moves(agents: int) -> None:
    given_takeover(3).when(ALICE, take_over(agents)).refused("no-agents-moved", "R-19")


@pytest.mark.parametrize(("source", "target"), [("A1", "B2"), ("A1", "C1"), ("A1", "A1"), ("D1", "A1"), ("D1", "A2")])
def test_r_19_the_target_is_orthogonally_adjacent(source: str, target: str) -> None:
    here = given_takeover(3, grid={"A1": Tile("red", 4), "D1": Tile("red", 4)}, others="blue")
    here.when(ALICE, take_over(1, target, source=source)).refused("not-adjacent", "R-19", source=source, target=target)


def test_r_19_as_many_unrotated_cards_as_agents_are_needed() -> None:
    here = given_takeover(2, rotated=3)
    here.when(ALICE, take_over(3)).refused("too-few-cards", "R-19", colour="red", unrotated=2)
    here.when(ALICE, take_over(2)).then_includes(rotated(2))
    given_takeover(0, rotated=3).when(ALICE, take_over(1)).refused("too-few-cards", "R-19", colour="red", unrotated=0)


def test_r_19_at_least_one_agent_stays_on_the_source() -> None:
    here = given_takeover(5)
    here.when(ALICE, take_over(4)).refused("last-agent-stays", "R-19", square="A1")
    here.when(ALICE, take_over(5)).refused("last-agent-stays", "R-19", square="A1")
    here.when(ALICE, take_over(1, "B2", source="A2")).refused("last-agent-stays", "R-19", square="A2")
    here.when(ALICE, take_over(3)).then_includes(won(3))


@pytest.mark.parametrize(("source", "target"), [("A4", "A1"), ("A1", "A4"), ("E1", "A1")])
def test_r_19_source_and_target_are_on_the_grid(source: str, target: str) -> None:
    given_takeover(3).when(ALICE, take_over(1, target, source=source)).refused("no-such-company", None)


def test_r_19_failing_attempts_are_listed() -> None:
    listed = [action for action in RULESET.legal(given_takeover(3).state, ALICE) if isinstance(action, TakeOver)]
    numbers = [action.agents for action in listed if (action.source, action.target) == ("A1", "B1")]
    assert [1, 2, 3] == sorted(numbers)


def test_r_20_success_needs_more_agents_than_the_target_holds() -> None:
    answer = given_takeover(3).when(ALICE, take_over(3))
    answer.then(rotated(3), won(3), ABILITY)
    assert ("red", 3) == (answer.state.companies["B1"].colour, answer.state.companies["B1"].agents)
    assert 1 == answer.state.companies["A1"].agents
    assert frozenset({ALICE}) == RULESET.to_act(answer.state)


def test_r_20_the_military_contractor_needs_only_as_many() -> None:
    here = given_takeover(3, CONTRACTOR)
    used = ConsultantUsed(seat=ALICE, consultant=CONTRACTOR)
    here.when(ALICE, take_over(2, use=CONTRACTOR)).then(used, rotated(2), won(2), ABILITY)
    here.when(ALICE, take_over(1, use=CONTRACTOR)).then(used, rotated(1), failed(1), NEXT)


def test_r_11_the_military_contractor_may_be_used_where_it_is_not_needed() -> None:
    here = given_takeover(3, CONTRACTOR)
    used = ConsultantUsed(seat=ALICE, consultant=CONTRACTOR)
    here.when(ALICE, take_over(3, use=CONTRACTOR)).then(used, rotated(3), won(3), ABILITY)
    merged = AgentsMoved(source="A1", target="A2", colour="red", agents=1)
    here.when(ALICE, take_over(1, "A2", use=CONTRACTOR)).then(used, rotated(1), merged, NEXT)


def test_r_11_a_takeover_uses_only_a_consultant_of_ones_own() -> None:
    here = given_takeover(3, DEALMAKER)
    here.when(ALICE, take_over(2, use=CONTRACTOR)).refused("consultant-not-held", "R-11", consultant=CONTRACTOR)


@pytest.mark.parametrize("consultant", [ADVISOR, LAWYER])
def test_r_11_only_the_consultants_of_takeovers_are_listed_with_one(consultant: str) -> None:
    here = given_takeover(3, consultant, DEALMAKER, players=3)
    uses = {action.use for action in RULESET.legal(here.state, ALICE) if isinstance(action, TakeOver)}
    assert {None, DEALMAKER} == uses


LAST_BLUE = {"A1": Tile("red", 4), "B1": Tile("blue", 2), "A2": Tile("red"), "C3": Tile("white")}


def test_r_20_the_last_agents_of_a_colour_are_not_taken_over() -> None:
    here = given_takeover(3, grid=LAST_BLUE, others="black")
    here.when(ALICE, take_over(3)).refused("last-of-colour", "R-20", colour="blue")
    listed = [action for action in RULESET.legal(here.state, ALICE) if isinstance(action, TakeOver)]
    assert 3 not in [action.agents for action in listed if action.target == "B1"]


def test_r_20_an_attempt_on_the_last_of_a_colour_that_fails_anyway_is_legal() -> None:
    here = given_takeover(3, CONTRACTOR, grid=LAST_BLUE, others="black")
    here.when(ALICE, take_over(2)).then(rotated(2), failed(2), NEXT)
    here.when(ALICE, take_over(2, use=CONTRACTOR)).refused("last-of-colour", "R-20", colour="blue")
    here.when(ALICE, take_over(1, use=CONTRACTOR)).then_includes(failed(1))


def test_r_20_the_last_company_but_one_of_a_colour_may_be_taken() -> None:
    here = given_takeover(3, grid={**LAST_BLUE, "D3": Tile("blue")}, others="black")
    here.when(ALICE, take_over(3)).then_includes(won(3))


DRAWN = CardsDrawn(seat=ALICE, cards=("white", "blue"))
DECK = ("white", "blue", "red")


def test_r_21_the_dealmaker_draws_two_after_a_failed_attempt() -> None:
    used = ConsultantUsed(seat=ALICE, consultant=DEALMAKER)
    answer = given_takeover(3, DEALMAKER, deck=DECK).when(ALICE, take_over(1, use=DEALMAKER))
    answer.then(used, rotated(1), failed(1), DRAWN, NEXT)
    assert ("red",) == answer.state.deck


def test_r_21_the_dealmaker_draws_two_after_a_merger() -> None:
    used = ConsultantUsed(seat=ALICE, consultant=DEALMAKER)
    merged = AgentsMoved(source="A1", target="A2", colour="red", agents=1)
    here = given_takeover(3, DEALMAKER, deck=DECK)
    here.when(ALICE, take_over(1, "A2", use=DEALMAKER)).then(used, rotated(1), merged, DRAWN, NEXT)


def test_r_21_the_dealmaker_draws_after_the_company_ability() -> None:
    used = ConsultantUsed(seat=ALICE, consultant=DEALMAKER)
    answer = given_takeover(3, DEALMAKER, deck=DECK).when(ALICE, take_over(3, use=DEALMAKER))
    answer.then(used, rotated(3), won(3), ABILITY)
    skipped = AbilitySkipped(seat=ALICE, company="B1")
    answer.case_after.when(ALICE, SkipAbility()).then(skipped, DRAWN, NEXT)


def test_r_21_without_the_dealmaker_nothing_is_drawn_after_the_ability() -> None:
    answer = given_takeover(3, DEALMAKER, deck=DECK).when(ALICE, take_over(3))
    answer.case_after.when(ALICE, SkipAbility()).then(AbilitySkipped(seat=ALICE, company="B1"), NEXT)


def test_r_21_the_dealmaker_draws_what_is_left() -> None:
    given_takeover(3, DEALMAKER, deck=("white",)).when(ALICE, take_over(1, use=DEALMAKER)).then_includes(
        failed(1), CardsDrawn(seat=ALICE, cards=("white",)), NEXT
    )
    nothing = given_takeover(3, DEALMAKER, deck=()).when(ALICE, take_over(1, use=DEALMAKER))
    nothing.then(ConsultantUsed(seat=ALICE, consultant=DEALMAKER), rotated(1), failed(1), NEXT)


def test_r_13_a_dealmaker_that_empties_the_deck_triggers_nothing() -> None:
    answer = given_takeover(3, DEALMAKER, deck=("white", "blue")).when(ALICE, take_over(1, use=DEALMAKER))
    answer.then_none_is(EndTriggered)
    assert () == answer.state.deck and answer.state.final_turns is None


def test_r_14_the_hand_limit_holds_after_a_dealmaker() -> None:
    here = given_takeover(3, DEALMAKER, deck=DECK, hands=[{"red": 5}])
    answer = here.when(ALICE, take_over(1, use=DEALMAKER))
    answer.then_includes(failed(1), DRAWN, DecisionReached(seat=ALICE, decision="discard"))
    answer.then_none_is(TurnBegan)


def test_r_14_the_discard_comes_after_ability_and_dealmaker() -> None:
    here = given_takeover(3, DEALMAKER, deck=DECK, hands=[{"red": 6}])
    answer = here.when(ALICE, take_over(3, use=DEALMAKER)).case_after.when(ALICE, SkipAbility())
    answer.then(AbilitySkipped(seat=ALICE, company="B1"), DRAWN, DecisionReached(seat=ALICE, decision="discard"))


def test_r_22_moving_onto_the_same_colour_merges_and_triggers_nothing() -> None:
    answer = given_takeover(3).when(ALICE, take_over(2, "A2"))
    answer.then(rotated(2), AgentsMoved(source="A1", target="A2", colour="red", agents=2), NEXT)
    assert (2, 3) == (answer.state.companies["A1"].agents, answer.state.companies["A2"].agents)
    assert 0 == sum(answer.state.hqs[ALICE].agents.values())


def test_r_22_a_merger_too_leaves_one_agent_behind() -> None:
    given_takeover(5).when(ALICE, take_over(4, "A2")).refused("last-agent-stays", "R-19", square="A1")


def test_r_22_one_defender_goes_to_the_hq_and_the_others_to_the_supply() -> None:
    here = given_takeover(5, grid={"A1": Tile("red", 6), "B1": Tile("blue", 3), "C1": Tile("blue")})
    answer = here.when(ALICE, take_over(4))
    answer.then_includes(won(4, defenders=3))
    assert {"red": 0, "black": 0, "blue": 1, "white": 0} == answer.state.hqs[ALICE].agents
    assert 2 == answer.state.supply["blue"] - here.state.supply["blue"]


def test_r_22_a_lone_defender_goes_to_the_hq() -> None:
    here = given_takeover(5, grid={"A1": Tile("red", 6), "B1": Tile("blue", 1), "C1": Tile("blue")})
    answer = here.when(ALICE, take_over(2))
    answer.then_includes(won(2, defenders=1))
    assert 1 == answer.state.hqs[ALICE].agents["blue"]
    assert 0 == answer.state.supply["blue"] - here.state.supply["blue"]


# The last round, forced passes, and who wins.

END_GRID = {"A1": Tile("red", 2, ONLINE), "B1": Tile("red", 1, GUERRILLA), "C1": Tile("blue", 1, ONLINE)}
PLOT_OF_TWO = Plot(sources=("1", "2"))
ONE_RED_CARD = Infiltrate(placements=(Placement(colour="red", cards=1, company="A1"),))


def whose_turns(facts: tuple[Any, ...]) -> list[int]:
    """The seats whose turns began."""
    return [fact.seat for fact in facts if isinstance(fact, TurnBegan)]


@pytest.mark.parametrize("trigger", [ALICE, BOB, CAROL])
def test_r_40_everybody_has_one_more_turn_and_the_triggering_player_the_last(trigger: int) -> None:
    here = case.given(*table(3, active=trigger, deck=(), hands=[{"red": 3}] * 3, grid=END_GRID))
    answer = here.when(trigger, PLOT_OF_TWO)
    answer.then_includes(EndTriggered(seat=trigger))
    order = whose_turns(answer.facts)
    while RULESET.outcome(answer.state) is None:
        answer = answer.case_after.when(order[-1], ONE_RED_CARD)
        order += whose_turns(answer.facts)
    assert [(trigger + step) % 3 for step in (1, 2, 3)] == order
    assert isinstance(answer.facts[-1], GameEnded)
    assert frozenset() == RULESET.to_act(answer.state)


def test_r_40_a_later_failed_refill_triggers_nothing_new() -> None:
    here = case.given(*table(3, deck=("white",), final_turns=3))
    answer = here.when(ALICE, PLOT_OF_TWO)
    answer.then(
        CardTaken(seat=ALICE, source="1", card="red", to="hand"),
        CardTaken(seat=ALICE, source="2", card="black", to="hand"),
        DisplayRefilled(cards=(("1", "white"),)),
        TurnBegan(seat=BOB),
    )
    assert 1 == answer.state.final_turns


def test_r_40_the_game_ends_after_the_last_turns_last_decision() -> None:
    here = case.given(*table(3, deck=(), hands=[{"red": 5}], final_turns=1))
    plotted = here.when(ALICE, PLOT_OF_TWO)
    plotted.then_none_is(GameEnded)
    discarded = plotted.case_after.when(ALICE, Discard(cards=("black",)))
    discarded.then_includes(CardsDiscarded(seat=ALICE, cards=("black",)))
    assert isinstance(discarded.facts[-1], GameEnded)
    discarded.then_none_is(TurnBegan)


def test_r_40_the_last_ability_is_still_a_decision() -> None:
    hqs = [HQ(), HQ({"red": 1})]
    here = case.given(*table(2, grid=END_GRID, hqs=hqs, deck=(), final_turns=1), *just_won("B1", agents=1))
    answer = here.when(ALICE, SkipAbility())
    answer.then_includes(AbilitySkipped(seat=ALICE, company="B1"))
    assert isinstance(answer.facts[-1], GameEnded)


def test_r_40_after_the_end_nobody_acts() -> None:
    here = case.given(*table(2, grid=END_GRID, deck=(), hands=[{"red": 1}, {"red": 1}], final_turns=1))
    over = here.when(ALICE, ONE_RED_CARD).case_after
    for seat in (ALICE, BOB):
        over.when(seat, ONE_RED_CARD).refused("game-over", None)
        assert [] == list(RULESET.legal(over.state, seat))
    assert frozenset() == RULESET.to_act(over.state)


NO_CARDS = {"display": (None,) * 5, "deck": ()}


def test_r_10_a_player_without_a_legal_action_is_passed_over_in_the_same_step() -> None:
    here = case.given(*table(3, grid=END_GRID, hands=[{"red": 1}, {}, {"red": 1}], final_turns=3, **NO_CARDS))
    here.when(ALICE, ONE_RED_CARD).then(
        CardsPlaced(seat=ALICE, colour="red", cards=1),
        AgentsPlaced(seat=ALICE, company="A1", colour="red", agents=1),
        TurnPassed(seat=BOB),
        TurnBegan(seat=CAROL),
    )


def test_r_10_several_players_may_be_passed_over_and_the_game_ends() -> None:
    here = case.given(*table(3, grid=END_GRID, hands=[{"red": 1}], final_turns=3, **NO_CARDS))
    answer = here.when(ALICE, ONE_RED_CARD)
    answer.then_includes(TurnPassed(seat=BOB), TurnPassed(seat=CAROL))
    assert isinstance(answer.facts[-1], GameEnded)
    answer.then_none_is(TurnBegan)


def test_r_10_a_pass_uses_up_a_turn_of_the_last_round() -> None:
    here = case.given(
        *table(3, grid=END_GRID, hands=[{"red": 2}, {}, {"red": 1}], final_turns=2, active=CAROL, **NO_CARDS)
    )
    answer = here.when(CAROL, ONE_RED_CARD)
    answer.then_includes(TurnBegan(seat=ALICE))
    assert isinstance(answer.case_after.when(ALICE, ONE_RED_CARD).facts[-1], GameEnded)


def test_r_10_a_player_with_a_legal_action_is_not_passed_over() -> None:
    here = {"grid": END_GRID, "hands": [{"red": 1}], "final_turns": 2}
    takeover = case.given(*table(2, hqs=[HQ(), HQ({"red": 1})], **here, **NO_CARDS))
    takeover.when(ALICE, ONE_RED_CARD).then_includes(TurnBegan(seat=BOB))
    plot = case.given(*table(2, display=(None, None, None, None, "red"), deck=(), **here))
    plot.when(ALICE, ONE_RED_CARD).then_includes(TurnBegan(seat=BOB))


def test_r_10_cards_without_agents_in_the_supply_are_no_legal_action() -> None:
    grid = {"A1": Tile("red", 24), "B1": Tile("blue", 1)}
    hands = [{"red": 1}, {"red": 2}]
    here = case.given(*table(2, grid=grid, others="black", hands=hands, final_turns=2, **NO_CARDS))
    assert 1 == here.state.supply["red"]
    here.when(ALICE, ONE_RED_CARD).then_includes(TurnPassed(seat=BOB))


def test_r_10_passing_is_no_action_and_no_list_holds_it() -> None:
    listed = RULESET.legal(case.given(*table(2)).state, ALICE)
    assert {Plot, TakeOver, Infiltrate} >= {type(action) for action in listed}


GOALS = [(SOCIAL, PRINT)] * 3
"""Objectives that no company of the grid below matches, but black's, of which nobody has a share."""


def scored(players: int, hqs: list[HQ], **grid: Tile) -> GameEnded:
    """The end of a game after Alice's last turn, in which she gets a white card; white and red have a company each."""
    laid = {"A1": Tile("red", 1, ONLINE), "D3": Tile("white", 1, AMBIENT), **grid}
    facts = table(
        players, grid=laid, others="black", hqs=hqs, hands=[{"white": 1}], objectives=GOALS[:players], final_turns=1
    )
    placing = Infiltrate(placements=(Placement(colour="white", cards=1, company="D3"),))
    last = case.given(*facts).when(ALICE, placing)
    outcome = RULESET.outcome(last.state)
    assert outcome is not None
    result = last.facts[-1]
    assert (list(result.winners), list(result.scores)) == (list(outcome["winners"]), list(outcome["scores"]))
    return result


def test_r_46_the_highest_score_wins() -> None:
    result = scored(3, [HQ(), HQ({"red": 1})], B1=Tile("red", 1, ONLINE))
    assert GameEnded(scores=(2, 4, 0), winners=(BOB,)) == result


def test_r_46_of_equals_the_one_with_more_agents_wins() -> None:
    result = scored(3, [HQ(), HQ(agents={"red": 1}), HQ()])
    assert GameEnded(scores=(2, 2, 0), winners=(BOB,)) == result


def test_r_46_agents_of_all_colours_count() -> None:
    result = scored(2, [HQ(agents={"white": 2}), HQ(agents={"red": 1, "white": 1, "blue": 1})])
    assert GameEnded(scores=(2, 2), winners=(BOB,)) == result


def test_r_46_still_tied_the_victory_is_shared() -> None:
    assert GameEnded(scores=(2, 2, 0), winners=(ALICE, BOB)) == scored(3, [HQ(), HQ({"red": 1})])
    result = scored(2, [HQ(agents={"white": 1}), HQ(agents={"red": 1})])
    assert GameEnded(scores=(2, 2), winners=(ALICE, BOB)) == result


def test_r_46_consultants_count_for_the_victory() -> None:
    result = scored(3, [HQ(consultants=[CONTRACTOR, DEALMAKER]), HQ({"red": 1})])
    assert GameEnded(scores=(3, 2, 0), winners=(ALICE,)) == result
