"""Pace of a table: the clock that it is played by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

OnLapse = Literal["stand-in", "resign", "end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The clock of a table (T-01, T-02, T-13, T-18, T-35); `free`, `bank`, `credit` and `cap` are seconds.

    `free` is the part of each wait that costs nothing; a seat has `bank` for the rest at the start, gets `credit` after
    each wait that it has answered in time, and never has more than `cap` by that. With `weekdays`, the name of an IANA
    time zone, no time runs on the Saturdays and Sundays of that zone. `on_lapse` is what a lapse leads to: the stand-in
    plays, the seat resigns, or the game ends without a result. `away` allows absences that are announced, and
    `take_back` to take actions back by consent.
    """

    free: int
    bank: int
    credit: int
    cap: int
    weekdays: str | None = None
    on_lapse: OnLapse = "stand-in"
    away: bool = True
    take_back: bool = True


# `localtime` and `Factory` are in many copies of the IANA database, too, and mean something else on each machine.
_PUBLIC_ZONE: Final = re.compile(r"UTC|(?!Etc/|posix/|right/|SystemV/)[A-Z][A-Za-z]+(/[A-Za-z][A-Za-z0-9_+-]*)+")


def is_public_zone(name: str) -> bool:
    """Return whether a name is UTC, or that of an area and a city of the IANA database, as far as its form tells."""
    return _PUBLIC_ZONE.fullmatch(name) is not None


_HOUR = 3600
_DAY = 24 * _HOUR
LONGEST = 60 * _DAY
"""The most seconds of each of the four times (T-01)."""
PACES = {
    "weekly": Pace(free=2 * _DAY, bank=10 * _DAY, credit=12 * _HOUR, cap=10 * _DAY),
    "daily": Pace(free=_DAY, bank=4 * _DAY, credit=6 * _HOUR, cap=4 * _DAY),
    "brisk": Pace(free=4 * _HOUR, bank=_DAY, credit=_HOUR, cap=_DAY),
    "live": Pace(free=0, bank=600, credit=20, cap=900),
}
"""The named paces (T-01); a table of the pace `none` has no Pace at all."""


def pace_name(pace: Pace) -> str | None:
    """Return the name under which the four times of a pace are known; None for own values."""
    times = (pace.free, pace.bank, pace.credit, pace.cap)
    named = PACES.items()
    return next((name for name, each in named if times == (each.free, each.bank, each.credit, each.cap)), None)


def usual_pace(seats: int) -> Pace | None:
    """Return the pace of tables whose host has named none: `daily` for two and more, none for one."""
    return PACES["daily"] if seats > 1 else None
