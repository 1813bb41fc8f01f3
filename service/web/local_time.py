"""Moments in the reader's language and time zone."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_time, format_timedelta
from markupsafe import Markup

from service.shared import clock

# British dates: 24 hours, and the day before the month.
_LOCALES: Final = {"en": "en_GB"}


@lru_cache(maxsize=4096)
def shown_moment(at: datetime | str, language: str, zone: str) -> Markup:
    """Return a moment as a `time` element: date and time in the language and the IANA time zone."""
    local = (datetime.fromisoformat(at) if isinstance(at, str) else at).astimezone(ZoneInfo(zone))
    locale = _LOCALES.get(language, language)
    text = f"{format_date(local, 'medium', locale=locale)}, {format_time(local, 'short', locale=locale)}"
    return Markup('<time datetime="{}">{}</time>').format(local.isoformat(timespec="minutes"), text)


def ago(at: datetime, language: str) -> str:
    """Return how long ago a moment is, in words."""
    return format_timedelta(at - clock.now(), add_direction=True, locale=language)
