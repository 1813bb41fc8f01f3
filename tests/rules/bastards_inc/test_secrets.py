"""B-05: exchange something hidden for something else, and nobody whose secret it is not can tell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from service.rules.games.bastards_inc import RULESET
from service.rules.games.bastards_inc.actions import Draw, Drop
from service.rules.games.bastards_inc.events import EVENT_TYPES, DiscardChosen
from service.rules.games.bastards_inc.redact import PARTLY, PUBLIC, redact
from service.rules.games.bastards_inc.state import State, updated
from service.rules.kernel import Illegal
from service.rules.tabletop.table import Table
from tests.rules.bastards_inc.games import any_action, changed, keen_game
from tests.rules.bastards_inc.samples import EVENTS, SECRET, SECRET_FROM_ALL
from tests.rules.bastards_inc.tables import ALICE, BOB, CAROL, play, table
from tests.rules.playouts import chance_of, names_of, viewers

pytestmark = pytest.mark.long

GAMES = [(2, 3), pytest.param(3, 1, marks=pytest.mark.slow), (4, 5)]
"""Seats and seed of the games that are tried; with three nothing is hidden that is not with two or four."""


@cache
def known(state: State, viewer: int | None) -> str:
    """Everything that a viewer is told about a state, as JSON: view, table, actions, what they rest on, refusals.

    Text, caption and picture get nothing but the view: they are the same where it is.
    """
    seats = len(state.companies)
    names = names_of(seats)
    told: list[Any] = [RULESET.view(state, viewer), RULESET.standings(state, viewer)]
    shown = Table(RULESET, state, seats, viewer, "en", names)
    told += [repr(shown.board()), repr(shown.status()), [repr(shown.panel(seat)) for seat in range(seats)]]
    if viewer is not None:
        legal = list(RULESET.legal(state, viewer))
        told += [repr(legal), [repr(shown.preview(action)) for action in legal[::9][:3]], refusals(state, viewer)]
        assert RULESET.ahead is not None
        told.append(repr(RULESET.ahead(state, viewer)))
    return json.dumps(told)


def refusals(state: State, seat: int) -> list[Any]:
    """What is said to a seat that asks for this and that."""
    lots = Random(1)
    listed = list(RULESET.legal(state, seat))
    asked = [any_action(lots, state) for _ in range(10)]
    asked += [changed(lots, state, lots.choice(listed)) for _ in range(15) if listed]
    return [refusal(state, seat, action) for action in asked]


def refusal(state: State, seat: int, action: Any) -> Any:
    try:
        RULESET.decide(state, seat, action, chance_of(1))
    except Illegal as refused:
        said = RULESET.describe(refused, seat, "en", names_of(6))
        return [refused.code, refused.rule, repr(sorted(refused.facts.items())), said]
    return None


def positions(seats: int, seed: int) -> list[State]:
    """States of a whole game, of every phase."""
    game = keen_game(seats, seed)
    steps = {step.before.phase: step.before for step in game} | {n: step.before for n, step in enumerate(game[::23])}
    return list(steps.values())


def others(state: State, owner: int) -> list[int | None]:
    return [viewer for viewer in viewers(len(state.companies)) if viewer != owner]


def unseen_by_others(state: State, elsewhere: State, owner: int) -> None:
    """Check that the two states differ for their owner's eyes only."""
    for viewer in others(state, owner):
        assert known(state, viewer) == known(elsewhere, viewer), f"{viewer} can tell"


every_game = pytest.mark.parametrize(("seats", "seed"), GAMES)


@every_game
def test_b_05_a_card_of_a_hand_is_hidden_from_everybody_else(seats: int, seed: int) -> None:
    for number, state in enumerate(positions(seats, seed)):
        owner = number % seats
        hand = state.companies[owner].hand
        if not hand or not state.cards:
            continue
        swapped = tuple(sorted((*hand[1:], state.cards[-1])))
        dropped = tuple(card for card in state.companies[owner].dropped if card != hand[0])
        elsewhere = updated(state, owner, hand=swapped, dropped=dropped)._replace(cards=(*state.cards[:-1], hand[0]))
        unseen_by_others(state, elsewhere, owner)
        assert known(state, owner) != known(elsewhere, owner)


@every_game
def test_b_05_the_order_of_both_piles_is_hidden_from_everybody(seats: int, seed: int) -> None:
    for state in positions(seats, seed):
        elsewhere = state._replace(cards=state.cards[::-1], events=state.events[::-1])
        for viewer in viewers(seats):
            assert known(state, viewer) == known(elsewhere, viewer)


@every_game
def test_b_05_guard_and_watch_are_hidden_from_everybody_else(seats: int, seed: int) -> None:
    for number, state in enumerate(positions(seats, seed)):
        owner = number % seats
        own = state.companies[owner]
        guard = "open" if own.guard == "ask" else "ask"
        watch = "always" if own.watch != "always" else "never"
        elsewhere = updated(state, owner, guard=guard, watch=watch, instructed=("watch",) if not own.instructed else ())
        unseen_by_others(state, elsewhere, owner)
        assert known(state, owner) != known(elsewhere, owner)


def answered_otherwise(state: State, seat: int) -> Iterator[State]:
    """Yield the state with other answers of a seat that has answered."""
    answers: dict[str, tuple[Any, ...]] = {
        "draw": (0, 1, 2),
        "collect": ((), (1,)),
        "challenge": (None, 0, 1, 3),
        "expose": (False, True),
    }
    for answer in answers[state.phase]:
        yield state._replace(answers=tuple((each, answer if each == seat else was) for each, was in state.answers))


@pytest.mark.parametrize("phase", ["draw", "collect", "challenge", "expose"])
def test_b_05_an_answer_is_hidden_from_everybody_else_until_all_are_in(phase: str) -> None:
    waiting = [
        step.before
        for seats in (3, 4, 5)
        for seed in range(4)
        for step in keen_game(seats, seed)
        if step.before.phase == phase and step.before.answers
    ]
    assert waiting
    for state in waiting[:6]:
        owner = state.answers[0][0]
        for elsewhere in answered_otherwise(state, owner):
            unseen_by_others(state, elsewhere, owner)
        assert len({known(elsewhere, owner) for elsewhere in answered_otherwise(state, owner)}) > 1


def test_b_20_that_a_card_was_chosen_to_be_discarded_is_hidden_from_everybody_else() -> None:
    asked = frozenset({ALICE, BOB, CAROL})
    state = table(phase="draw", asked=asked, companies={ALICE: {"hand": ("a01", "b02")}})
    dropped = play(state, (ALICE, Drop(card="a01")))
    unseen_by_others(state, dropped, ALICE)
    assert known(state, ALICE) != known(dropped, ALICE)
    done, also_done = (play(each, (ALICE, Draw(bonus=0))) for each in (state, dropped))
    unseen_by_others(done, also_done, ALICE)


@pytest.mark.parametrize(("one", "other"), SECRET)
def test_b_05_a_secret_of_an_event_is_for_its_seat_alone(one: Any, other: Any) -> None:
    for viewer in (None, BOB):
        assert redact(one, viewer) == redact(other, viewer)
    assert redact(one, ALICE) != redact(other, ALICE)


@pytest.mark.parametrize(("one", "other"), SECRET_FROM_ALL)
def test_b_05_the_order_of_a_shuffled_pile_is_in_no_event(one: Any, other: Any) -> None:
    for viewer in (None, ALICE, BOB):
        assert redact(one, viewer) == redact(other, viewer)


def test_b_20_the_seat_that_chooses_a_card_to_be_discarded_is_not_named() -> None:
    chosen = DiscardChosen(seat=ALICE, card="a01")
    assert redact(chosen, BOB) == redact(chosen, None) == {"seat": None, "card": None}


def test_every_event_is_either_public_or_has_its_secret_named() -> None:
    assert set(PUBLIC) & set(PARTLY) == set()
    assert {*PUBLIC, *PARTLY} >= set(EVENT_TYPES.values())


def test_what_is_redacted_is_json() -> None:
    for event in EVENTS:
        for viewer in (None, ALICE, BOB):
            told = redact(event, viewer)
            assert json.loads(json.dumps(told)) == told


@every_game
def test_b_05_at_the_end_all_hands_are_open(seats: int, seed: int) -> None:
    state = keen_game(seats, seed)[-1].after
    for viewer in viewers(seats):
        hands = [each["hand"] for each in RULESET.view(state, viewer)["companies"]]
        assert hands == [list(company.hand) for company in state.companies]


@every_game
def test_b_05_imagined_states_differ_in_all_that_is_hidden(seats: int, seed: int) -> None:
    for state in positions(seats, seed):
        tables = RULESET.imagine(state, ALICE)
        for other in range(1, seats):
            companies = [each.companies[other] for each in tables]
            if state.phase not in {"challenge", "expose"}:
                assert {each.guard for each in companies} == {"ask", "open"}
                assert {each.watch for each in companies} == {"ask", "never", "always"}
            if state.companies[other].hand and len(state.cards) > len(state.companies[other].hand):
                assert not set.intersection(*(set(each.hand) for each in companies))
        assert {each.events[0] for each in tables if state.events} == set(state.events)


def test_b_17_who_was_not_asked_keeps_the_instruction_that_shows() -> None:
    waiting = [step.before for step in keen_game(4, 5) if step.before.phase == "challenge"]
    assert waiting
    for state in waiting:
        for each in RULESET.imagine(state, None):
            for seat in state.asked:
                assert each.companies[seat].guard == "ask"
