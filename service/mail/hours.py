"""Hours of a player's own day: when a daily mail is due, and when it is too early or too late for any."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)


def next_at(now: datetime, zone: ZoneInfo, hour: int) -> datetime:
    """Return the next moment at which a day's clock there comes to the full hour; never the same for two days.

    An hour that the clock skips is the moment after the gap, and one that it shows twice is the first.
    """
    day = now.astimezone(zone).date()
    while (moment := _at(day, zone, hour)) <= now:
        day += DAY
    return moment


def quiet_until(moment: datetime, zone: ZoneInfo, begin: int, end: int) -> datetime:
    """Return when the quiet hours end in which the moment lies, the moment itself where it lies in none.

    They last from the full hour `begin` to `end`, over midnight if that comes first; not at all if both are the same.
    """
    if begin == end:
        return moment
    today = moment.astimezone(zone).date()
    for day in (today - DAY, today):
        last = day if begin < end else day + DAY
        if _at(day, zone, begin) <= moment < (until := _at(last, zone, end)):
            return until
    return moment


def _at(day: date, zone: ZoneInfo, hour: int) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(UTC)
