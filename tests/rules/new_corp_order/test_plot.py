"""Plot: R-12 to R-14, and what a turn is (R-10)."""

from __future__ import annotations

import json

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import Discard, Infiltrate, Placement, Plot, TakeOver
from service.rules.games.new_corp_order.events import (
    CardsDiscarded,
    CardTaken,
    DecisionReached,
    DisplayRefilled,
    EndTriggered,
    TurnBegan,
)
from tests.rules.new_corp_order.tables import ALICE, BOB, CAROL, HQ, Tile, case, table

DISPLAY = ("red", "black", "blue", "white", "red")


def taken(source: str, card: str, seat: int = ALICE) -> CardTaken:
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
    given = case.given(*table(2, display=DISPLAY, deck=("white", "blue", "red")))
    given.when(ALICE, Plot(sources=("4", "2"))).then(
        taken("4", "white"),
        taken("2", "black"),
        DisplayRefilled(cards=(("2", "white"), ("4", "blue"))),
        TurnBegan(seat=BOB),
    )


def test_r_12_a_card_from_the_deck_and_one_from_the_display() -> None:
    given = case.given(*table(2, display=DISPLAY, deck=("white", "blue", "red")))
    given.when(ALICE, Plot(sources=("deck", "5"))).then(
        taken("deck", "white"), taken("5", "red"), DisplayRefilled(cards=(("5", "blue"),)), TurnBegan(seat=BOB)
    )


def test_r_12_two_cards_from_the_deck_leave_the_display_alone() -> None:
    given = case.given(*table(2, display=DISPLAY, deck=("white", "blue", "red")))
    answer = given.when(ALICE, Plot(sources=("deck", "deck")))
    answer.then(taken("deck", "white"), taken("deck", "blue"), TurnBegan(seat=BOB))
    assert DISPLAY == answer.state.display


def test_r_12_the_first_card_is_seen_before_the_second_is_chosen() -> None:
    given = case.given(*table(2, deck=("white", "blue", "red")))
    first = given.when(ALICE, Plot(sources=("deck",)))
    first.then(taken("deck", "white"), DecisionReached(seat=ALICE, decision="second-card"))
    first.case_after.when(ALICE, Plot(sources=("1",))).then(
        taken("1", "red"), DisplayRefilled(cards=(("1", "blue"),)), TurnBegan(seat=BOB)
    )


def test_r_12_the_display_is_not_refilled_in_between() -> None:
    first = case.given(*table(2, display=DISPLAY)).when(ALICE, Plot(sources=("3",)))
    first.then(taken("3", "blue"), DecisionReached(seat=ALICE, decision="second-card"))
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
    case.given(*last).when(ALICE, Plot(sources=("3",))).then(taken("3", "blue"), TurnBegan(seat=BOB))
    case.given(*last).when(ALICE, Plot(sources=("3", "1"))).refused()
    plots = [action for action in RULESET.legal(case.given(*last).state, ALICE) if isinstance(action, Plot)]
    assert [Plot(sources=("3",))] == plots


def test_r_12_the_last_card_may_be_the_decks() -> None:
    last = table(2, display=(None,) * 5, deck=("white",), hands=[{"red": 1}] * 2, final_turns=2)
    case.given(*last).when(ALICE, Plot(sources=("deck",))).then_includes(taken("deck", "white"), TurnBegan(seat=BOB))


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
    given = case.given(*table(3, display=DISPLAY, deck=("white",)))
    answer = given.when(ALICE, Plot(sources=("5", "2")))
    answer.then(
        taken("5", "red"),
        taken("2", "black"),
        DisplayRefilled(cards=(("2", "white"),)),
        EndTriggered(seat=ALICE),
        TurnBegan(seat=BOB),
    )
    assert ("red", "white", "blue", "white", None) == answer.state.display


def test_r_13_the_end_is_triggered_without_any_card_to_refill_with() -> None:
    case.given(*table(3, deck=())).when(ALICE, Plot(sources=("1", "2"))).then(
        taken("1", "red"), taken("2", "black"), EndTriggered(seat=ALICE), TurnBegan(seat=BOB)
    )
    case.given(*table(3, deck=("blue",))).when(ALICE, Plot(sources=("1", "deck"))).then(
        taken("1", "red"), taken("deck", "blue"), EndTriggered(seat=ALICE), TurnBegan(seat=BOB)
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
    given = case.given(*table(2, hands=[{"red": 5}], display=DISPLAY, deck=("white", "blue", "red")))
    answer = given.when(ALICE, Plot(sources=("1", "2")))
    answer.then(
        taken("1", "red"),
        taken("2", "black"),
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
