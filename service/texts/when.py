"""Dates, numbers, lists and names of languages as readers of a language write them, in their own time zone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_date, format_time, get_timezone_name
from babel.lists import format_list
from babel.numbers import format_decimal

from service.texts import files

_ENGLISH: Final = "en_GB"
"""English is written as in Britain: the day before the month, and 24 hours."""


def moment(at: datetime, language: str, zone: str = "UTC") -> str:
    """Return the moment with its weekday, to the minute, and the name of the time zone.

    `zone` is an IANA name; an unknown one is read as UTC, which is called so in all languages.
    """
    there, locale = at.astimezone(zone_of(zone)), locale_of(language)
    name = "UTC" if zone_of(zone).key == "UTC" else get_timezone_name(there, "long", locale=locale)
    return f"{_full(there, language)}, {format_time(there, 'short', locale=locale)} ({name})"


def clock_time(at: datetime, language: str, zone: str = "UTC") -> str:
    """Return the weekday and the time of a recent moment, in the short form."""
    there, locale = at.astimezone(zone_of(zone)), locale_of(language)
    return f"{format_date(there, 'EEE', locale=locale)} {format_time(there, 'short', locale=locale)}"


def day(at: date, language: str) -> str:
    """Return a day with its weekday."""
    return _full(at, language)


def number(value: float, language: str) -> str:
    """Return a number with the separators of the language."""
    return str(format_decimal(value, locale=locale_of(language)))


def listed(names: Sequence[str], language: str) -> str:
    """Return names as a sentence lists them: with commas, and the word for "and" before the last."""
    return format_list(names, locale=locale_of(language))


def languages_named(codes: Sequence[str], language: str, style: Literal["standard", "or"] = "standard") -> str:
    """Return the names of languages as a sentence lists them, with "and" before the last, or "or"."""
    locale = locale_of(language)
    return format_list([locale.languages.get(code, code) for code in codes], style=style, locale=locale)


def _full(day: date, language: str) -> str:
    told = format_date(day, "full", locale=locale_of(language))
    # The first of a month is the only day that is an ordinal in French.
    return told.replace(" 1 ", " 1er ") if language == "fr" and day.day == 1 else told


def locale_of(language: str) -> Locale:
    """Return the locale of a language; that of English for one that the service does not speak."""
    return _locale_in(files.LOCALE, language)


@cache
def _locale_in(folder: Path, language: str) -> Locale:
    other = language != files.SOURCE and language in files.languages(folder)
    return Locale.parse(language if other else _ENGLISH)


@cache
def zone_of(name: str) -> ZoneInfo:
    """Return the zone of an IANA name; UTC for an unknown one."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
