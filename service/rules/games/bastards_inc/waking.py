"""Seats that are done are woken by what concerns them (B-53)."""

from __future__ import annotations

from typing import Literal

from service.rules.games.bastards_inc.business_events import SeatWoken
from service.rules.games.bastards_inc.course import Course

Cause = Literal["gift", "invitation", "answer", "venture", "card", "scoop", "prize", "war"]


def wake(course: Course, seat: int, cause: Cause) -> None:
    """Have a seat that is done asked again."""
    if course.state.companies[seat].done:
        course.record(SeatWoken(seat=seat, cause=cause))


def wake_all(course: Course, cause: Cause) -> None:
    """Have every seat that is done asked again."""
    for seat in range(len(course.state.companies)):
        wake(course, seat, cause)
