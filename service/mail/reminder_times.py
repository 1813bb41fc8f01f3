"""When a waiting seat is reminded of its deadline, as a function of the clocks and its player's quiet hours (T-08)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from service.log.clocks import Clocks, later
from service.log.recorded import instant, milliseconds
from service.mail.preferences import quiet_hours

SHARES: Final = {1: 2, 2: 10}
"""The reminders by number: the first when a half of the wait's time is left, the second when a tenth is."""
BEFORE_QUIET: Final = timedelta(minutes=30)
"""So long before quiet hours a reminder goes out whose deadline falls into them."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The full hours of a zone, from `begin` to `end`, in which a player wants no mails."""

    zone: ZoneInfo
    begin: int
    end: int


def planned(clocks: Clocks, seat: int, number: int, quiet: QuietHours | None, now: datetime) -> datetime | None:
    """Return when the reminder of a waiting seat is due, as things are; a past moment: at once.

    None if it cannot be sent: no time runs, the deadline is past, or it falls into quiet hours that have begun.
    """
    deadline = clocks.deadline(seat)
    if deadline is None or instant(deadline) <= now:
        return None
    due = instant(_share_left(clocks, seat, number))
    around = None if quiet is None else quiet_hours(max(due, now), quiet.zone, quiet.begin, quiet.end)
    if around is None:
        return due
    begin, end = around
    if instant(deadline) > end:
        return end
    return None if begin <= now else begin - BEFORE_QUIET


def half_is_left(clocks: Clocks, seat: int, at: datetime) -> bool:
    """Return whether a waiting seat has half of the time of its wait left at a moment, or more."""
    return 2 * clocks.used(seat, milliseconds(at)) <= _total(clocks, seat)


def _share_left(clocks: Clocks, seat: int, number: int) -> int:
    total, wait = _total(clocks, seat), clocks.waits[seat]
    used = total - -(-total // SHARES[number])
    return later(clocks.pace.weekdays, wait.since, max(0, used - wait.used))


def _total(clocks: Clocks, seat: int) -> int:
    """Return all the time that a waiting seat has for its wait, in milliseconds."""
    return clocks.pace.free * 1000 + clocks.banks[seat] + clocks.waits[seat].given
