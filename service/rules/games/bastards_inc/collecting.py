"""Collecting VPs from the board: everybody chooses unseen (B-23)."""

from __future__ import annotations

from service.rules.games.bastards_inc import placing
from service.rules.games.bastards_inc.actions import Collect
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.events import CollectionChosen, DecisionReached, VicePresidentsCollected
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.values import may_leave
from service.rules.kernel import Illegal
from service.rules.kit.turns import clockwise


def collectable(state: State, seat: int) -> tuple[int, ...]:
    """Return the VPs of a seat that may be collected."""
    vps = enumerate(state.companies[seat].vps, 1)
    return tuple(number for number, vp in vps if may_leave(state, seat, vp.at))


def ask_to_collect(course: Course) -> None:
    """Ask everybody who has a VP to collect."""
    state = course.state
    asked = tuple(seat for seat in range(len(state.companies)) if collectable(state, seat))
    if asked:
        course.record(DecisionReached(phase="collect", seats=asked))
    else:
        placing.begin_placing(course)


def collect(course: Course, seat: int, action: Collect) -> None:
    """End the seat's answer; with the last one all VPs chosen come back, and placing begins."""
    if list(action.vps) != sorted(set(action.vps)):
        raise Illegal("not-in-rising-order", "B-23")
    may = collectable(course.state, seat)
    for vp in action.vps:
        if vp not in may:
            raise Illegal("vp-cannot-leave", "B-23", vp=vp)
    course.record(CollectionChosen(seat=seat, vps=action.vps))
    if not course.state.asked:
        _collect_all(course)


def _collect_all(course: Course) -> None:
    chosen = dict(course.state.answers)
    for seat in clockwise(len(course.state.companies), course.state.start_player):
        vps = chosen.get(seat)
        if isinstance(vps, tuple) and vps:
            course.record(VicePresidentsCollected(seat=seat, vps=vps))
    placing.begin_placing(course)
