"""A player's own day, also where its clock jumps: one daily mail, and no mail in quiet hours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from service.mail.preferences import next_at, quiet_until

ZONES = ("Europe/Berlin", "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC")
# The weekends on which clocks change, in Europe, in America, and half an hour on Lord Howe Island.
WEEKENDS = [
    datetime(2026, 3, 28, tzinfo=UTC),
    datetime(2026, 10, 24, tzinfo=UTC),
    datetime(2026, 3, 7, tzinfo=UTC),
    datetime(2026, 11, 1, tzinfo=UTC),
    datetime(2026, 4, 4, tzinfo=UTC),
]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("hour", [0, 1, 2, 3, 18])
def test_a_daily_mail_is_due_once_on_each_day_of_the_players_calendar(zone: str, hour: int) -> None:
    there = ZoneInfo(zone)
    for weekend in WEEKENDS:
        at, moments = weekend, []
        while at < weekend + timedelta(days=4):
            at = next_at(at, there, hour)
            moments.append(at)
        days = [each.astimezone(there).date() for each in moments]
        assert [later - earlier for earlier, later in pairwise(days)] == [timedelta(days=1)] * (len(days) - 1)
        assert all(each.astimezone(there).hour in (hour, hour + 1) for each in moments)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(("begin", "end"), [(22, 7), (1, 3), (2, 2), (0, 2)])
def test_nothing_is_sent_in_quiet_hours_and_everything_when_they_end(zone: str, begin: int, end: int) -> None:
    there = ZoneInfo(zone)
    for weekend in WEEKENDS:
        for minutes in range(0, 4 * 24 * 60, 20):
            moment = weekend + timedelta(minutes=minutes)
            until = quiet_until(moment, there, begin, end)
            assert moment <= until <= moment + timedelta(hours=11)
            assert quiet_until(until, there, begin, end) == until
            if until > moment and (begin, end) == (22, 7):
                assert until.astimezone(there).hour == 7
