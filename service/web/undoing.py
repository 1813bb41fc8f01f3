"""Whether what a link's seat has played can still be taken back."""

from __future__ import annotations

from datetime import timedelta
from math import ceil

from sqlalchemy import Connection

from service import clock
from service.handlers.take_back import REFUSALS, Wish, undoable
from service.web.answers import runtime
from service.web.visit import Visit


def time_left(db: Connection, visit: Visit) -> int | None:
    """Return for how many minutes more the answer to the link's decision can be taken back; None if it cannot be."""
    if not visit.works:
        return None
    now = clock.now()
    try:
        deed = undoable(db, visit.position, wish(visit), window(), now).deed
    except REFUSALS:
        return None
    return max(1, ceil((deed[0].at + window() - now).total_seconds() / 60))


def wish(visit: Visit) -> Wish:
    """Return what is to be taken back: the answer to the link's decision."""
    return Wish(visit.link.game_id, visit.link.seat, visit.link.decision, "link")


def window() -> timedelta:
    """Return for how long an action may be taken back."""
    return timedelta(seconds=runtime().settings.take_back_seconds)
