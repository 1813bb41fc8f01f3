"""Moments in the reader's language and time zone."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_time, format_timedelta
from markupsafe import Markup

from service.shared import clock
from service.texts.catalog import say

# British dates: 24 hours, and the day before the month.
_LOCALES: Final = {"en": "en_GB"}
_DAYS_AGO: Final = {0: "moment-today", 1: "moment-yesterday"}


@lru_cache(maxsize=4096)
def shown_moment(at: datetime | str, language: str, zone: str) -> Markup:
    """Return a moment as a `time` element: date and time in the language and the IANA time zone."""
    local = (datetime.fromisoformat(at) if isinstance(at, str) else at).astimezone(ZoneInfo(zone))
    locale = _LOCALES.get(language, language)
    return _element(local, f"{format_date(local, 'medium', locale=locale)}, {_clock_time(local, language)}")


def shown_day(at: str, language: str, zone: str) -> str:
    """Return the day of a moment (ISO 8601) in the language and the IANA time zone."""
    local = datetime.fromisoformat(at).astimezone(ZoneInfo(zone))
    return str(format_date(local, "medium", locale=_LOCALES.get(language, language)))


def recent_moment(at: datetime | str, language: str, zone: str) -> Markup:
    """Return a moment as `shown_moment` does; a word replaces the date of today and of yesterday."""
    here = ZoneInfo(zone)
    local = (datetime.fromisoformat(at) if isinstance(at, str) else at).astimezone(here)
    word = _DAYS_AGO.get((clock.now().astimezone(here).date() - local.date()).days)
    if word is None:
        return shown_moment(at, language, zone)
    return _element(local, say(language, word, time=_clock_time(local, language)))


def _clock_time(local: datetime, language: str) -> str:
    return str(format_time(local, "short", locale=_LOCALES.get(language, language)))


def _element(local: datetime, text: str) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(local.isoformat(timespec="minutes"), text)


def ago(at: datetime, language: str) -> str:
    """Return how long ago a moment is, in words."""
    return format_timedelta(at - clock.now(), add_direction=True, locale=language)
