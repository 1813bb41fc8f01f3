"""Moments on pages, in the reader's language and time zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from freezegun import freeze_time

from service.web.local_time import recent_moment

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


def told(at: datetime, language: str, zone: str = "UTC") -> str:
    return re.sub("<[^>]*>", "", recent_moment(at, language, zone))


@pytest.mark.parametrize(
    ("language", "today", "yesterday", "before"),
    [
        ("en", "today 09:05", "yesterday 09:05", "8 Mar 2026, 09:05"),
        ("de", "heute, 09:05", "gestern, 09:05", "08.03.2026, 09:05"),
        ("fr", "aujourd’hui à 09:05", "hier à 09:05", "8 mars 2026, 09:05"),
    ],
)
def test_a_day_that_is_near_is_a_word(language: str, today: str, yesterday: str, before: str) -> None:
    with freeze_time(NOON):
        at = [NOON.replace(hour=9, minute=5) - timedelta(days=days) for days in range(3)]
        assert [told(each, language) for each in at] == [today, yesterday, before]


def test_which_day_is_near_the_readers_own_zone_says() -> None:
    with freeze_time(NOON):
        at = NOON - timedelta(hours=13)
        assert told(at, "en") == "yesterday 23:00"
        assert told(at, "en", "Europe/Berlin") == "today 00:00"
        assert 'datetime="2026-03-10T00:00+01:00"' in recent_moment(at, "en", "Europe/Berlin")
