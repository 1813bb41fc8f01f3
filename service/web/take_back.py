"""Whether an action can still be taken back, at the table or behind a mailed link."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from sqlalchemy import Connection

from service.handlers.take_back import REFUSALS, Wish, last_undoable, undoable
from service.log.recorded import Recorded
from service.shared import clock
from service.web.opened_link import OpenedLink
from service.web.page import current_runtime
from service.web.scene import Scene
from service.web.sitting import Sitting


@dataclass(frozen=True, slots=True)
class Retractable:
    """The decision whose answer can be taken back, and the seconds left to do so."""

    decision: int
    seconds: int

    @property
    def minutes(self) -> int:
        """The time left in minutes, rounded up."""
        return max(1, ceil(self.seconds / 60))


def retractable(sitting: Sitting, scene: Scene, acted_at: datetime | None) -> Retractable | None:
    """Return what the viewer can take back; `acted_at` is the moment of the viewer's last action, None for never."""
    now, seat = clock.now(), sitting.seat
    if seat is None or acted_at is None or now - acted_at > take_back_window():
        return None

    def judged() -> Recorded | None:
        return last_undoable(sitting.db, sitting.position, seat, take_back_window(), now)

    # A deadline that has passed in the meantime ends it, too.
    first = scene.keep("undoable", judged) if sitting.position.clocks is None else judged()
    if first is None or first.decision is None:
        return None
    return Retractable(first.decision, _seconds(first.at, now))


def offered(db: Connection, opened: OpenedLink) -> Retractable | None:
    """Return what can be taken back of the answer to the link's decision; None if it cannot be."""
    if not opened.works:
        return None
    now = clock.now()
    try:
        deed = undoable(db, opened.position, wish(opened), take_back_window(), now).deed
    except REFUSALS:
        return None
    return Retractable(opened.link.decision, _seconds(deed[0].at, now))


def wish(opened: OpenedLink) -> Wish:
    """Return the request to take back the answer to the link's decision."""
    return Wish(opened.link.game_id, opened.link.seat, opened.link.decision, "link")


def take_back_window() -> timedelta:
    """Return the time during which an action can be taken back."""
    return timedelta(seconds=current_runtime().settings.take_back_seconds)


def _seconds(at: datetime, now: datetime) -> int:
    return ceil((at + take_back_window() - now).total_seconds())
