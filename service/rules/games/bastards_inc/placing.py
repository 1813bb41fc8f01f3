"""Placing free VPs, seat by seat (B-30, B-31, B-35)."""

from __future__ import annotations

from service.rules.games.bastards_inc import event
from service.rules.games.bastards_inc.actions import Place
from service.rules.games.bastards_inc.card_events import PapersUsed
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.entering import PAPERS, price_to_enter
from service.rules.games.bastards_inc.events import (
    DecisionReached,
    PlacingBegun,
    TurnBegan,
    VicePresidentArrived,
    VicePresidentPlaced,
    VicePresidentRested,
)
from service.rules.games.bastards_inc.paying import pay
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.values import challengers
from service.rules.kit.turns import clockwise


def begin_placing(course: Course) -> None:
    """Make all VPs in the Lounge free, and ask the first seat that has one (B-23, B-30)."""
    course.record(PlacingBegun())
    waiting = _waiting(course.state)
    if waiting:
        _begin_turn(course, waiting[0], last=len(waiting) == 1)
    else:
        event.reveal_event(course)


def place(course: Course, seat: int, action: Place) -> None:
    """Place the free VP with the lowest number; whoever may fight its arrival is asked (B-31, B-32)."""
    price = price_to_enter(course.state, seat, action)
    vp = course.state.companies[seat].free[0]
    if action.to == "VIP":
        course.record(VicePresidentRested(seat=seat, vp=vp))
        go_on(course)
        return
    if action.by == "papers":
        course.record(PapersUsed(seat=seat, card=PAPERS))
    pay(course, seat, price)
    arrival = VicePresidentArrived(seat=seat, vp=vp, field=action.to, by=action.by)
    course.record(arrival)
    asked = challengers(course.state, seat, action.to)
    if asked:
        course.record(DecisionReached(phase="challenge", seats=asked))
    else:
        settle(course, arrival)


def settle(course: Course, arrival: VicePresidentArrived) -> None:
    """Put the VP that has arrived on its field, and go on."""
    course.record(VicePresidentPlaced(seat=arrival.seat, vp=arrival.vp, field=arrival.field))
    go_on(course)


def go_on(course: Course) -> None:
    """Ask whoever places next: one each clockwise, the last seat all, then back, all that are left (B-30)."""
    state = course.state
    waiting = _waiting(state)
    if not waiting:
        event.reveal_event(course)
    elif not state.back:
        order = clockwise(len(state.companies), state.start_player)
        later = [seat for seat in waiting if order.index(seat) > order.index(state.active)]
        _begin_turn(course, later[0], last=len(later) == 1)
    elif waiting[-1] == state.active:
        course.record(DecisionReached(phase="place", seats=(state.active,)))
    else:
        _begin_turn(course, waiting[-1], last=True)


def _waiting(state: State) -> list[int]:
    return [seat for seat in clockwise(len(state.companies), state.start_player) if state.companies[seat].free]


def _begin_turn(course: Course, seat: int, *, last: bool) -> None:
    course.record(TurnBegan(seat=seat, back=last))
    course.record(DecisionReached(phase="place", seats=(seat,)))
