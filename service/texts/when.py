"""Moments, deadlines and durations in words, in the time zone of the reader (T-07)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Final, Literal
from unicodedata import combining, normalize

from babel.dates import (
    format_date,
    format_skeleton,
    format_time,
    get_month_names,
    get_timezone_location,
    get_timezone_name,
)
from babel.lists import format_list
from babel.units import format_unit

from service.texts import po_files
from service.texts.catalog import say
from service.texts.locales import locale_of, zone_of

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400
_UNITS: Final = (("day", _DAY_S), ("hour", _HOUR_S), ("minute", _MINUTE_S), ("second", 1))
_ROUGH_UNITS: Final = (
    ("minute", _MINUTE_S, 5, 90 * _MINUTE_S),
    ("hour", _HOUR_S, 1, 36 * _HOUR_S),
    ("day", _DAY_S, 1, 12 * _DAY_S),
    ("week", 7 * _DAY_S, 1, 95 * _DAY_S),
    ("month", 30.4 * _DAY_S, 1, 550 * _DAY_S),
    ("year", 365 * _DAY_S, 1, float("inf")),
)
"""Units of lengths of games: seconds, step, and the number of seconds from which the next larger unit is used."""


def moment(at: datetime, language: str, zone: str = "UTC") -> str:
    """Return the moment with its weekday, to the minute, and the name of the time zone.

    `zone` is an IANA name; an unknown one is read as UTC, which is called so in all languages.
    """
    there, locale = at.astimezone(zone_of(zone)), locale_of(language)
    name = "UTC" if zone_of(zone).key == "UTC" else get_timezone_name(there, "long", locale=locale)
    return f"{day(there, language)}, {format_time(there, 'short', locale=locale)} ({name})"


def clock_time(at: datetime, language: str, zone: str = "UTC") -> str:
    """Return the weekday and the time of a recent moment, in the short form."""
    there, locale = at.astimezone(zone_of(zone)), locale_of(language)
    return f"{format_date(there, 'EEE', locale=locale)} {format_time(there, 'short', locale=locale)}"


def day(at: date, language: str) -> str:
    """Return a day with its weekday."""
    written = format_date(at, "full", locale=locale_of(language))
    # The first of a month is the only day that is an ordinal in French.
    return written.replace(" 1 ", " 1er ") if language == "fr" and at.day == 1 else written


def deadline_text(language: str, zone: str, at: datetime, now: datetime) -> str:
    """Return a deadline and the time left: "until Friday 27 November, 18:30 (Berlin time), ..".

    `zone` is the IANA name of the reader's time zone; an unknown one is read as UTC. The two times are aware.
    """
    return say(language, "time-until", instant=instant_text(language, zone, at, now), left=left_text(language, at, now))


def instant_text(language: str, zone: str, at: datetime, now: datetime) -> str:
    """Return an instant with its weekday and the name of the zone; with the year where that is not the one of `now`."""
    there, locale = at.astimezone(zone_of(zone)), locale_of(language)
    same_year = there.year == now.astimezone(there.tzinfo).year
    date_text = (
        format_skeleton("MMMMd", there, locale=locale) if same_year else format_date(there, "long", locale=locale)
    )
    return say(
        language,
        "time-instant",
        weekday=format_date(there, "EEEE", locale=locale),
        day=_with_ordinal(language, there, date_text),
        time=format_time(there, "short", locale=locale),
        zone=zone_text(language, zone),
    )


def _with_ordinal(language: str, at: datetime, written: str) -> str:
    # The first of a month is the only day that is an ordinal in French.
    return written.replace("1 ", "1er ", 1) if language == "fr" and at.day == 1 else written


def left_text(language: str, at: datetime, now: datetime, brief: bool = False) -> str:
    """Return the time left: "2 days and 4 hours left", briefly "2d 4h left", or that time is up."""
    seconds = int((at - now).total_seconds())
    if seconds < 0:
        return say(language, "time-up")
    if seconds < _MINUTE_S:
        return say(language, "time-left-less")
    return say(language, "time-left", duration=duration_text(language, seconds - seconds % _MINUTE_S, brief))


def until_text(language: str, zone: str, at: datetime, now: datetime) -> str:
    """Return a deadline for a subject line: "until Thu 14:30", a date from a week on, or that time is up.

    The zone is that of the reader, and is not named.
    """
    if at < now:
        return say(language, "time-up")
    there, locale = at.astimezone(zone_of(zone)), locale_of(language)
    days = (there.date() - now.astimezone(there.tzinfo).date()).days
    time = format_time(there, "short", locale=locale)
    if days < 7:
        # The same weekday a week later has a date.
        return say(language, "time-until-weekday", weekday=format_date(there, "ccc", locale=locale), time=time)
    date_text = _with_ordinal(language, there, format_skeleton("MMMd", there, locale=locale))
    return say(language, "time-until-date", day=date_text, time=time)


def duration_text(language: str, seconds: int, brief: bool = False) -> str:
    """Return a duration in its two largest units, in words or briefly: "2 days and 4 hours", "2d 4h"."""
    locale = locale_of(language)
    # The narrow units of other languages have gaps: German ones have no hour.
    shortest: Literal["narrow", "short"] = "narrow" if locale.language == "en" else "short"
    style: Literal["long", "narrow", "short"] = shortest if brief else "long"
    parts: list[str] = []
    for unit, length in _UNITS:
        number, seconds = divmod(seconds, length)
        if number and len(parts) < 2:
            parts.append(format_unit(number, f"duration-{unit}", style, locale=locale))
        elif parts:
            # Only units that follow each other go together: not "2 days and 5 seconds".
            break
    parts = parts or [format_unit(0, "duration-minute", style, locale=locale)]
    return " ".join(parts) if brief else str(format_list(parts, locale=locale))


@cache
def zone_text(language: str, zone: str) -> str:
    """Return the name of an IANA time zone by its city: "Berlin time"; UTC for an unknown one."""
    known = zone_of(zone).key
    if "/" not in known or known.startswith("Etc/"):
        return known.removeprefix("Etc/")
    city = get_timezone_location(known, locale=locale_of(language), return_city=True).rpartition("/")[2]
    return say(language, "time-zone", city=city)


def length_text(language: str, seconds: int) -> str:
    """Return the rough length of a game in a single unit: "40 minutes", "9 days", "4 weeks"."""
    unit, length, step, _ = next(each for each in _ROUGH_UNITS if seconds < each[3])
    number = max(step, step * round(seconds / length / step))
    return str(format_unit(number, f"duration-{unit}", "long", locale=locale_of(language)))


def month_number(name: str) -> int | None:
    """Return the number of a month by its full or short name in any language of the service; None for other words."""
    return _month_numbers(po_files.LOCALE).get(_plain(name))


@cache
def _month_numbers(folder: Path) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for language in po_files.languages(folder):
        for width in ("wide", "abbreviated"):
            for context in ("format", "stand-alone"):
                for number, name in get_month_names(width, context, locale=language).items():
                    # On a keyboard without umlauts ä is written as ae, or as a.
                    found[_plain(name)] = found[_plain(name.replace("ä", "ae"))] = int(number)
    return found


def _plain(name: str) -> str:
    letters = normalize("NFKD", name.casefold()).rstrip(".")
    return "".join(each for each in letters if not combining(each))
