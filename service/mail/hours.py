"""Hours in a player's time zone: when a daily mail is due, and when the quiet hours end."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)


def next_at(now: datetime, zone: ZoneInfo, hour: int) -> datetime:
    """Return the next moment, in UTC, at which the clock in the zone shows the full hour: one for each day.

    An hour that the clock skips counts as the moment after the gap, one that it shows twice as the first of both.
    """
    day = now.astimezone(zone).date()
    while (moment := _at(day, zone, hour)) <= now:
        day += DAY
    return moment


def quiet_until(moment: datetime, zone: ZoneInfo, begin: int, end: int) -> datetime:
    """Return the end of the quiet hours around a moment; the moment itself if it lies in none, as `quiet_hours`."""
    around = quiet_hours(moment, zone, begin, end)
    return moment if around is None else around[1]


def quiet_hours(moment: datetime, zone: ZoneInfo, begin: int, end: int) -> tuple[datetime, datetime] | None:
    """Return when the quiet hours around a moment begin and end; None if it lies in none.

    They last from the full hour `begin` to `end`, across midnight if `end` is the lesser; equal hours mean none.
    """
    if begin == end:
        return None
    today = moment.astimezone(zone).date()
    for day in (today - DAY, today):
        last = day if begin < end else day + DAY
        since, until = _at(day, zone, begin), _at(last, zone, end)
        if since <= moment < until:
            return since, until
    return None


def _at(day: date, zone: ZoneInfo, hour: int) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(UTC)
