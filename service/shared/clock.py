"""Clock: the only place that asks for the time; corrected to the database's clock.

Users of the database measure how far the machine's clock is ahead (store/database_clock.py). Before the first
measurement, and on a machine with the right time, nothing is corrected.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import CLOCK_REALTIME, clock_gettime
from typing import Final

import structlog

MAX_OFFSET_S: Final = 2.0
"""Seconds of difference between the machine's and the database's clock above which operators are warned."""
log = structlog.get_logger()
_ahead = timedelta()


def now() -> datetime:
    """Return the present moment, aware, in UTC."""
    return datetime.now(UTC) - _ahead


def to_the_millisecond(moment: datetime) -> datetime:
    """Truncate a moment to milliseconds, the precision of hash chains and seals."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def machine() -> float:
    """Return the machine's clock, in seconds since 1970.

    Not affected by tests that freeze Python's time, just as the database's clock is not.
    """
    return clock_gettime(CLOCK_REALTIME)


def database() -> float:
    """Return the database's clock by the last measurement, in seconds since 1970."""
    return machine() - _ahead.total_seconds()


def ahead() -> float:
    """Return the seconds by which the machine's clock is ahead of the database's; negative if behind."""
    return _ahead.total_seconds()


def is_off() -> bool:
    """Return whether the machine's clock differs from the database's by more than `MAX_OFFSET_S`."""
    return abs(ahead()) > MAX_OFFSET_S


def measured(before: float, database: float, after: float) -> None:
    """Correct to the database's clock, which read `database` between two readings of the machine's clock.

    All in seconds since 1970. Only the certain part of the difference is corrected, so a slow response alone corrects
    nothing.
    """
    global _ahead  # noqa: PLW0603 # a process has one clock
    was_off = is_off()
    _ahead = timedelta(seconds=max(before - database, 0) or min(after - database, 0))
    if is_off() and not was_off:
        log.warning("the clock of this machine is off: it differs from the database's", ahead_seconds=round(ahead(), 1))
    elif was_off and not is_off():
        log.info("the clock of this machine is right again")
