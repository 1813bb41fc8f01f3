"""The clock: the only place that asks for the time. It goes by the database's clock, whatever this machine's says.

Whoever talks to the database measures by how much the machine's clock is ahead (store/database_clock.py). Before the
first measurement, and on a machine that keeps time, nothing is corrected.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import CLOCK_REALTIME, clock_gettime
from typing import Final

import structlog

MAX_OFFSET_S: Final = 2.0
"""Seconds by which the machine's clock may differ from the database's before operators are told."""
log = structlog.get_logger()
_ahead = timedelta()


def now() -> datetime:
    """Return the present moment, aware, in UTC."""
    return datetime.now(UTC) - _ahead


def to_the_millisecond(moment: datetime) -> datetime:
    """Return a moment without what is finer than a millisecond, of which hash chains and seals know nothing."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def machine() -> float:
    """Return what the machine's clock says, in seconds since 1970.

    Tests that stop the time of Python leave it alone, as they do the database's clock, which it is compared with.
    """
    return clock_gettime(CLOCK_REALTIME)


def database() -> float:
    """Return what the database's clock says by the last measurement, in seconds since 1970."""
    return machine() - _ahead.total_seconds()


def ahead() -> float:
    """Return by how many seconds the machine's clock is ahead of the database's; negative if it is behind."""
    return _ahead.total_seconds()


def is_off() -> bool:
    """Return whether the machine's clock differs from the database's by more than operators may leave it."""
    return abs(ahead()) > MAX_OFFSET_S


def measured(before: float, database: float, after: float) -> None:
    """Go by the database's clock from now on: it said `database` between two looks at the machine's clock.

    All in seconds since 1970. No more is corrected than is certain, so a slow answer alone corrects nothing.
    """
    global _ahead  # noqa: PLW0603 # a process has one clock
    was_off = is_off()
    _ahead = timedelta(seconds=max(before - database, 0) or min(after - database, 0))
    if is_off() and not was_off:
        log.warning("the clock of this machine is off: it differs from the database's", ahead_seconds=round(ahead(), 1))
    elif was_off and not is_off():
        log.info("the clock of this machine is right again")
