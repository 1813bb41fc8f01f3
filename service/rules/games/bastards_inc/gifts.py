"""Gifts: Billions that change hands, for nothing that binds (B-54)."""

from __future__ import annotations

from collections.abc import Iterator

from service.rules.games.bastards_inc.actions import Give
from service.rules.games.bastards_inc.business_events import MoneyGiven
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.edition.numbers import GIFTS
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.waking import wake
from service.rules.kernel import Illegal


def give(course: Course, seat: int, action: Give) -> None:
    """Give Billions to another seat, once per turn (B-54)."""
    own = course.state.companies[seat]
    if not 0 <= action.seat < len(course.state.companies) or action.seat == seat:
        raise Illegal("no-such-seat", seat=action.seat)
    if own.gave:
        raise Illegal("once-per-turn", "B-54")
    if action.billions not in GIFTS:
        raise Illegal("no-such-gift", "B-54", billions=action.billions)
    if own.billions < action.billions:
        raise Illegal("cannot-pay", "B-11", price=action.billions)
    course.record(MoneyGiven(seat=seat, to=action.seat, billions=action.billions))
    wake(course, action.seat, "gift")


def legal_gifts(state: State, seat: int) -> Iterator[Give]:
    """Return every gift that the seat may make."""
    own = state.companies[seat]
    if own.gave:
        return
    for other in range(len(state.companies)):
        if other != seat:
            yield from (Give(seat=other, billions=gift) for gift in GIFTS if gift <= own.billions)
