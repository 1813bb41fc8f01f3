"""Whether what was played can still be taken back, behind a link or at the table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from sqlalchemy import Connection

from service.handlers.take_back import REFUSALS, Wish, last_undoable, undoable
from service.shared import clock
from service.texts.catalog import count
from service.web.page import runtime
from service.web.sitting import Sitting
from service.web.visit import Visit


@dataclass(frozen=True, slots=True)
class Undoable:
    """The decision whose answer can be taken back, and for how many seconds more."""

    decision: int
    seconds: int

    @property
    def minutes(self) -> int:
        """The time left in minutes, begun ones counted."""
        return _minutes(self.seconds)


def offered(sitting: Sitting, acted_at: datetime | None) -> Undoable | None:
    """Return what whoever looks can take back at the table; they acted last, it seems, at a moment, or never (None)."""
    now = clock.now()
    if sitting.seat is None or acted_at is None or now - acted_at > window():
        return None
    first = last_undoable(sitting.db, sitting.position, sitting.seat, window(), now)
    if first is None or first.decision is None:
        return None
    return Undoable(first.decision, _seconds(first.at, now))


def back_ask(db: Connection, visit: Visit) -> str | None:
    """Return for how long yet the answer to the link's decision can be taken back, as a sentence; None if it cannot."""
    if not visit.works:
        return None
    now = clock.now()
    try:
        deed = undoable(db, visit.position, wish(visit), window(), now).deed
    except REFUSALS:
        return None
    return count(visit.language, "back-ask", _minutes(_seconds(deed[0].at, now)))


def wish(visit: Visit) -> Wish:
    """Return what is to be taken back: the answer to the link's decision."""
    return Wish(visit.link.game_id, visit.link.seat, visit.link.decision, "link")


def window() -> timedelta:
    """Return for how long an action may be taken back."""
    return timedelta(seconds=runtime().settings.take_back_seconds)


def _seconds(at: datetime, now: datetime) -> int:
    return ceil((at + window() - now).total_seconds())


def _minutes(seconds: int) -> int:
    return max(1, ceil(seconds / 60))
