"""How much time a waiting seat is given for the times in which the service was not there (T-15).

Instants are milliseconds since 1970, durations are milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from service.log.clocks import Clocks
from service.log.working_time import elapsed, later

RESPITE: Final = 12 * 3600_000
"""After an outage a seat has at least so much time, or the free time of its table, if that is less."""
BRIEF: Final = 180_000
"""An outage that is no longer than this, such as a restart, brings no respite: no more than itself is lost."""


CLOCKS_APART: Final = 3600_000
"""Outages are by the clock of the database, facts by that of a process, which may differ by so much."""


@dataclass(frozen=True, slots=True, order=True)
class Outage:
    """A time in which the service could not have told or heard a player."""

    began: int
    ended: int

    @property
    def respite(self) -> int:
        """The time after it that a seat has at least, where the table's free time is not less."""
        return RESPITE if self.ended - self.began > BRIEF else 0


def merged(outages: Iterable[Outage]) -> list[Outage]:
    """Return the outages in their order, those that overlap made one."""
    found: list[Outage] = []
    for each in sorted(outages):
        if found and each.began <= found[-1].ended:
            found[-1] = Outage(found[-1].began, max(found[-1].ended, each.ended))
        else:
            found.append(each)
    return found


def respite(clocks: Clocks, outage: Outage) -> int:
    """Return how much time a seat of the table has after an outage at least."""
    return min(outage.respite, clocks.pace.free * 1000)


def seconds_owed(clocks: Clocks, seat: int, outages: Iterable[Outage]) -> int:
    """Return how many seconds a waiting seat is to be given for outages that are over; 0 for none.

    A deadline that falls into an outage, or into the respite after it, is moved: by the part of the outage that lies in
    the wait, and to the end of the respite at least. What was before the seat was given time is made up for already.
    """
    deadline = clocks.deadline(seat)
    if deadline is None:
        return 0
    wait = clocks.waits[seat]
    moved, since = deadline, max(wait.since, wait.made_up)
    for each in merged(outages):
        end = each.ended + respite(clocks, each)
        if each.began <= moved < end:
            lost = elapsed(clocks.pace.weekdays, max(each.began, since), each.ended)
            moved = max(later(clocks.pace.weekdays, moved, lost), end)
    return 0 if moved == deadline else _seconds(clocks, seat, moved)


def could_be_owed(clocks: Clocks, seat: int, seconds: int, at: int) -> bool:
    """Return whether any outages until an instant could have cost a waiting seat so much, whatever they were.

    The deadline is then no further ahead than a respite, and is moved by no more than what has counted since the time
    began to run, and one respite. All that the wait was ever given for outages is no more than all that has counted in
    it, and one respite: each moment of the wait is lost once, and a respite begins anew without adding to the last one.
    """
    deadline, most = clocks.deadline(seat), min(RESPITE, clocks.pace.free * 1000) + CLOCKS_APART
    if deadline is None or deadline > at + most:
        return False
    wait, used = clocks.waits[seat], clocks.used(seat, at)
    return seconds * 1000 <= min(used - wait.used, used - wait.for_outages) + most


def _seconds(clocks: Clocks, seat: int, wanted: int) -> int:
    """Return the whole seconds that move the deadline of a waiting seat to an instant, or just beyond it."""
    wait, weekdays = clocks.waits[seat], clocks.pace.weekdays
    left = clocks.pace.free * 1000 + clocks.banks[seat] + wait.given - wait.used
    seconds = -((left - elapsed(weekdays, wait.since, wanted)) // 1000)
    # Of an instant at a weekend no time counts: the first one after it does.
    return seconds if later(weekdays, wait.since, left + seconds * 1000) >= wanted else seconds + 1
