"""The time that counts at a table: all of it, or that of the weekdays of a zone (T-02).

Instants are milliseconds since 1970, durations are milliseconds.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from service.log.recorded import milliseconds

_SATURDAY = 5
_ZONES = 64


def elapsed(weekdays: str | None, since: int, until: int) -> int:
    """Return the time that counts between two instants; 0 if the second is not the later one."""
    if weekdays is None:
        return max(0, until - since)
    counted = 0
    while since < until:
        begin, end = _stretch(_zone(weekdays), since)
        counted += max(0, min(end, until) - max(begin, since))
        since = end
    return counted


def later(weekdays: str | None, since: int, duration: int) -> int:
    """Return the first instant until which so much time counts."""
    if weekdays is None:
        return since + duration
    while True:
        begin, end = _stretch(_zone(weekdays), since)
        begin = max(begin, since)
        if duration <= end - begin:
            return begin + duration
        duration -= end - begin
        since = end


def _stretch(zone: ZoneInfo, instant: int) -> tuple[int, int]:
    """Return the weekdays in which the instant lies, or those that follow: from Monday to Saturday, 00:00 each."""
    today = datetime.fromtimestamp(instant / 1000, zone).date()
    monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * (today.weekday() >= _SATURDAY))
    return midnight(monday, zone), midnight(monday + timedelta(days=_SATURDAY), zone)


def midnight(day: date, zone: ZoneInfo) -> int:
    """Return the instant at which a day begins in a zone."""
    return milliseconds(datetime.combine(day, time(), zone))


@lru_cache(_ZONES)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)
