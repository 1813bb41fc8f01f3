"""Fights for Influence about the arrival of a VP (B-32 to B-34)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from service.rules.games.bastards_inc.actions import Fight, Let, Push, Yield
from service.rules.games.bastards_inc.companies import standing
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.events import (
    ArrivalForced,
    ArrivalRepelled,
    Bid,
    BidsRevealed,
    ChallengeAnswered,
    DecisionReached,
    VicePresidentArrived,
)
from service.rules.games.bastards_inc.placing import go_on, settle
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import Vp
from service.rules.kernel import Illegal


def let(course: Course, seat: int, _: Let) -> None:
    """Let the newcomer in (B-32)."""
    _answer(course, seat, None)


def fight(course: Course, seat: int, action: Fight) -> None:
    """Pay Influence to keep the newcomer out (B-32)."""
    if not 0 <= action.influence <= course.state.companies[seat].influence:
        raise Illegal("not-so-much-influence", "B-32", influence=action.influence)
    _answer(course, seat, action.influence)


def push(course: Course, seat: int, _: Push) -> None:
    """Pay one Influence more than the fighters, whose VPs on the field go to the Lounge (B-33)."""
    arrival = _arrival(course.state)
    home = _standing(course.state, fighters(course.state), arrival)
    influence = course.state.bids + 1
    course.record(ArrivalForced(seat=seat, vp=arrival.vp, field=arrival.field, influence=influence, home=home))
    go_on(course)


def give_up(course: Course, _seat: int, _: Yield) -> None:
    """Give the arrival up (B-33)."""
    _repel(course, asked=True)


def fighters(state: State) -> tuple[int, ...]:
    """Return the seats that fight the arrival, once the bids are revealed."""
    return tuple(seat for seat, influence in state.answers if influence is not None)


def _answer(course: Course, seat: int, influence: int | None) -> None:
    course.record(ChallengeAnswered(seat=seat, influence=influence))
    if not course.state.asked:
        _reveal(course)


def _reveal(course: Course) -> None:
    answers = dict(course.state.answers)
    bids = tuple(Bid(seat, answer if isinstance(answer, int) else None) for seat, answer in sorted(answers.items()))
    course.record(BidsRevealed(bids=bids))
    state, arrival = course.state, _arrival(course.state)
    if not fighters(state):
        settle(course, arrival)
    elif state.companies[arrival.seat].influence > state.bids:
        course.record(DecisionReached(phase="push", seats=(arrival.seat,)))
    else:
        _repel(course, asked=False)


def _repel(course: Course, *, asked: bool) -> None:
    arrival = _arrival(course.state)
    home = _standing(course.state, (arrival.seat,), arrival)
    course.record(ArrivalRepelled(seat=arrival.seat, vp=arrival.vp, field=arrival.field, home=home, asked=asked))
    go_on(course)


def _arrival(state: State) -> VicePresidentArrived:
    return cast("VicePresidentArrived", state.arrival)


def _standing(state: State, seats: Iterable[int], arrival: VicePresidentArrived) -> tuple[Vp, ...]:
    return tuple(vp for seat in seats for vp in standing(state, seat, arrival.field))
