"""The drawing phase: B-07, B-16, B-20 to B-24."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import Draw, Drop, Instruct, Keep
from service.rules.games.bastards_inc.decide import to_act
from service.rules.games.bastards_inc.decide.course import Course, draw_cards
from service.rules.games.bastards_inc.decide.rounds import asked_to_draw, begin_round
from service.rules.games.bastards_inc.describe import describe
from service.rules.games.bastards_inc.events import (
    CardsDiscarded,
    CardsDrawn,
    CardsReshuffled,
    DecisionReached,
    DiscardChosen,
    DrawChosen,
    PlacingBegun,
    PricePaid,
)
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.redact import redact
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.view import view
from tests.rules.bastards_inc.support import ALICE, BOB, CAROL, Loaded, play, refused, table, take

EVERYBODY = frozenset({ALICE, BOB, CAROL})
NAMES = ("Alice", "Bob", "Carol")
POOR = {"billions": 1, "influence": 0}


def drawing(**changes: Any) -> State:
    """Return a table at which everybody is asked what to discard and to draw."""
    return table(**{"phase": "draw", "asked": EVERYBODY, **changes})


def test_b_20_everybody_decides_unseen_and_the_last_answer_lets_all_draw() -> None:
    state = play(drawing(), (CAROL, Draw(bonus=0)), (ALICE, Draw(bonus=0)))
    assert frozenset({BOB}) == to_act(state)
    taken = take(state, BOB, Draw(bonus=0))
    assert [ALICE, BOB, CAROL] == [event.seat for event in taken.all(CardsDrawn)]
    assert [2, 2, 2] == [len(company.hand) for company in taken.state.companies]


def test_b_20_a_card_is_dropped_before_cards_are_drawn() -> None:
    state = drawing(companies={ALICE: {"hand": ("a03", "b01")}})
    taken = take(state, ALICE, Drop(card="b01"))
    assert (DiscardChosen(seat=ALICE, card="b01"),) == taken.events
    assert ("a03", "b01") == taken.state.companies[ALICE].hand
    after = play(taken.state, (ALICE, Draw(bonus=0)), (BOB, Draw(bonus=0)), (CAROL, Draw(bonus=0)))
    assert ("b01",) == after.discards and "b01" not in after.companies[ALICE].hand
    assert () == after.companies[ALICE].dropped and 2 == len(after.companies[ALICE].hand)


def test_b_20_a_card_is_dropped_once_and_from_the_hand() -> None:
    state = play(drawing(companies={ALICE: {"hand": ("a03",)}}), (ALICE, Drop(card="a03")))
    assert ("card-dropped-already", "B-20") == refused(state, ALICE, Drop(card="a03"))
    assert ("card-not-in-hand", "B-20") == refused(state, ALICE, Drop(card="b01"))


def test_b_20_all_pay_and_discard_before_the_first_draws_from_the_start_player_on() -> None:
    state = drawing(start_player=BOB, companies={ALICE: {"hand": ("a03",)}, CAROL: {"hand": ("a04", "a05")}})
    state = play(state, (ALICE, Drop(card="a03")), (CAROL, Drop(card="a05")), (ALICE, Draw(bonus=1)))
    taken = take(play(state, (CAROL, Draw(bonus=0))), BOB, Draw(bonus=2))
    told = [type(event) for event in taken.events]
    assert [DrawChosen, PricePaid, CardsDiscarded, PricePaid, CardsDiscarded, *[CardsDrawn] * 3] == told[:8]
    assert [BOB, ALICE] == [event.seat for event in taken.all(PricePaid)]
    assert [5, 2] == [event.billions for event in taken.all(PricePaid)]
    assert [CAROL, ALICE] == [event.seat for event in taken.all(CardsDiscarded)]
    assert [(BOB, 4), (CAROL, 1), (ALICE, 3)] == [(each.seat, len(each.cards)) for each in taken.all(CardsDrawn)]


def test_b_20_a_larger_hand_stays_as_it_is() -> None:
    state = drawing(companies={ALICE: {"hand": ("a03", "a04", "a05")}})
    after = play(state, *((seat, Draw(bonus=0)) for seat in (ALICE, BOB, CAROL)))
    assert ("a03", "a04", "a05") == after.companies[ALICE].hand


def test_b_20_a_seat_that_declines_to_draw_keeps_its_hand_after_the_discards() -> None:
    state = play(drawing(companies={ALICE: {"hand": ("a03", "a04")}}), (ALICE, Drop(card="a03")))
    taken = take(state, ALICE, Keep())
    assert taken.events == (DrawChosen(seat=ALICE, bonus=None),)
    after = take(play(taken.state, (BOB, Draw(bonus=0))), CAROL, Draw(bonus=1))
    assert [BOB, CAROL] == [event.seat for event in after.all(CardsDrawn)]
    assert [CAROL] == [event.seat for event in after.all(PricePaid)]
    assert (("a04",), ("a03",)) == (after.state.companies[ALICE].hand, after.state.discards)


def test_b_20_nobody_declines_who_would_draw_nothing_anyway() -> None:
    state = drawing(companies={ALICE: {"hand": ("a03", "a04")}})
    assert ("draws-nothing-anyway", "B-20") == refused(state, ALICE, Keep()) and Keep() not in legal(state, ALICE)
    assert Keep() in legal(play(state, (ALICE, Drop(card="a03"))), ALICE)


def test_b_20_that_a_seat_declined_is_told_to_itself_alone() -> None:
    state = drawing()
    declined, drew = (take(state, ALICE, action) for action in (Keep(), Draw(bonus=0)))
    for viewer in (BOB, None):
        assert redact(declined.events[0], viewer) == redact(drew.events[0], viewer)
        assert describe(declined.events[0], viewer, "en", NAMES) == describe(drew.events[0], viewer, "en", NAMES)
        assert view(declined.state, viewer) == view(drew.state, viewer)
    assert describe(declined.events[0], ALICE, "en", NAMES) == "You decided to draw nothing."
    assert view(declined.state, ALICE)["own"]["answer"] == "keep"


def test_b_20_under_revision_1_drawing_is_not_declined() -> None:
    state = drawing(revision=1)
    assert Keep() not in legal(state, ALICE)
    assert refused(state, ALICE, Keep())


def test_b_20_whoever_has_answered_is_asked_no_more() -> None:
    state = play(drawing(companies={ALICE: {"hand": ("a03",)}}), (ALICE, Draw(bonus=0)))
    assert ("not-your-turn", None) == refused(state, ALICE, Drop(card="a03"))
    assert [] == legal(state, ALICE)


@pytest.mark.parametrize(("cards", "bonuses"), [(1, [0, 1, 2, 3]), (2, [0, 1, 2, 3]), (3, [0, 2, 3]), (5, [0])])
def test_b_21_a_bonus_is_legal_only_if_it_buys_a_card(cards: int, bonuses: list[int]) -> None:
    state = drawing(companies={ALICE: {"hand": ("a03", "a04", "a05", "a06", "a07")[:cards]}})
    assert bonuses == [action.bonus for action in legal(state, ALICE) if isinstance(action, Draw)]
    for bonus in {0, 1, 2, 3} - set(bonuses):
        assert ("bonus-buys-no-card", "B-21") == refused(state, ALICE, Draw(bonus=bonus))


def test_b_21_a_dropped_card_makes_room_for_a_bonus() -> None:
    state = drawing(companies={ALICE: {"hand": ("a03", "a04", "a05")}})
    assert Draw(bonus=1) in legal(play(state, (ALICE, Drop(card="a03"))), ALICE)


def test_b_21_a_bonus_that_cannot_be_paid_is_refused() -> None:
    state = drawing(companies={ALICE: {"billions": 3, "influence": 1}})
    assert [Draw(bonus=0), Draw(bonus=1)] == [each for each in legal(state, ALICE) if isinstance(each, Draw)]
    assert ("cannot-pay", "B-10") == refused(state, ALICE, Draw(bonus=2))
    assert ("no-such-bonus", "B-20") == refused(state, ALICE, Draw(bonus=4))


def test_b_22_without_a_card_and_without_money_for_a_bonus_a_seat_is_not_asked() -> None:
    state = table(companies={ALICE: POOR, BOB: {**POOR, "hand": ("a03",)}})
    assert (BOB, CAROL) == asked_to_draw(state)


def test_b_22_whoever_is_not_asked_draws_all_the_same() -> None:
    state = drawing(asked=frozenset({BOB}), companies={ALICE: POOR, CAROL: POOR})
    assert [2, 2, 2] == [len(company.hand) for company in play(state, (BOB, Draw(bonus=0))).companies]


def test_b_22_a_round_in_which_nobody_is_asked_to_draw_begins_without_a_decision() -> None:
    course = Course(table(companies=dict.fromkeys(EVERYBODY, POOR)), Loaded())
    begin_round(course, BOB)
    assert "draw" == course.state.phase and not to_act(course.state)
    assert not [event for event in course if isinstance(event, DecisionReached)]


def test_b_24_an_empty_pile_is_the_shuffled_discard_pile_in_the_middle_of_a_draw_too() -> None:
    state = drawing(seats=2, asked=frozenset({ALICE, BOB}), cards=("b01",), discards=("b03", "a05", "b02"))
    taken = take(play(state, (ALICE, Draw(bonus=0))), BOB, Draw(bonus=0), Loaded())
    assert [CardsReshuffled(cards=("a05", "b02", "b03"))] == taken.all(CardsReshuffled)
    assert [("b01",), ("a05",), ("b02", "b03")] == [event.cards for event in taken.all(CardsDrawn)]
    assert [("a05", "b01"), ("b02", "b03")] == [company.hand for company in taken.state.companies]
    assert len(taken.state.reshuffled) == 1


def test_b_24_with_both_piles_empty_one_draws_what_there_is() -> None:
    course = Course(table(cards=("b01",)), Loaded())
    draw_cards(course, ALICE, 2)
    draw_cards(course, BOB, 2)
    assert [CardsDrawn(seat=ALICE, cards=("b01",))] == course


def test_b_06_each_reshuffle_has_a_label_of_its_own() -> None:
    dice = Loaded()
    draw_cards(Course(table(cards=(), discards=("b01",), reshuffled=(frozenset(), frozenset())), dice), ALICE, 1)
    assert ["cards:3"] == dice.labels


def test_b_07_no_answer_of_the_drawing_phase_makes_the_links_of_others_stale() -> None:
    state = drawing(companies={ALICE: {"hand": ("a03",)}})
    for action in (Drop(card="a03"), Instruct(instruction="guard", setting="open"), Draw(bonus=0)):
        after = play(state, (ALICE, action))
        assert state.decision == after.decision
        state = after


def test_b_16_instructions_are_free_in_the_drawing_phase_each_once() -> None:
    state = play(drawing(), (ALICE, Instruct(instruction="guard", setting="open")))
    assert "open" == state.companies[ALICE].guard and ALICE in to_act(state)
    assert {"watch", "venture"} == {each.instruction for each in legal(state, ALICE) if isinstance(each, Instruct)}
    assert refused(state, ALICE, Instruct(instruction="guard", setting="ask"))


def test_b_23_with_all_vps_in_the_lounge_placing_follows_at_once() -> None:
    taken = take(play(drawing(), (ALICE, Draw(bonus=0)), (BOB, Draw(bonus=0))), CAROL, Draw(bonus=0))
    assert [PlacingBegun()] == taken.all(PlacingBegun)
    assert ("place", frozenset({ALICE})) == (taken.state.phase, taken.state.asked)
