"""Deadlines and durations in words: an instant in the reader's zone, which is named, and how long is left (T-07)."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Final, Literal

from babel.dates import format_date, format_skeleton, format_time, get_timezone_location
from babel.lists import format_list
from babel.units import format_unit

from service.texts.catalog import say
from service.texts.when import locale_of, zone_of

_UNITS: Final = (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))
_MINUTE: Final = 60
_WEEK: Final = 7


def deadline_text(language: str, zone: str, at: datetime, now: datetime) -> str:
    """Return until when somebody has time, and how long that is: "until Friday 27 November, 18:30 (Berlin time), ..".

    `zone` is the IANA name of the reader's time zone; an unknown one is read as UTC. The two times are aware.
    """
    return say(language, "time-until", instant=instant_text(language, zone, at, now), left=left_text(language, at, now))


def instant_text(language: str, zone: str, at: datetime, now: datetime) -> str:
    """Return an instant with its weekday and the name of the zone; with the year where that is not the one of `now`."""
    there, locale = at.astimezone(zone_of(zone)), locale_of(language)
    same_year = there.year == now.astimezone(there.tzinfo).year
    day = format_skeleton("MMMMd", there, locale=locale) if same_year else format_date(there, "long", locale=locale)
    return say(
        language,
        "time-instant",
        weekday=format_date(there, "EEEE", locale=locale),
        day=_day(language, there, day),
        time=format_time(there, "short", locale=locale),
        zone=zone_text(language, zone),
    )


def _day(language: str, at: datetime, written: str) -> str:
    # The first of a month is the only day that is an ordinal in French.
    return written.replace("1 ", "1er ", 1) if language == "fr" and at.day == 1 else written


def left_text(language: str, at: datetime, now: datetime, brief: bool = False) -> str:
    """Return how long it is until an instant: "2 days and 4 hours left", briefly "2d 4h left", or that time is up."""
    seconds = int((at - now).total_seconds())
    if seconds < 0:
        return say(language, "time-up")
    if seconds < _MINUTE:
        return say(language, "time-left-less")
    return say(language, "time-left", duration=duration_text(language, seconds - seconds % _MINUTE, brief))


def until_text(language: str, zone: str, at: datetime, now: datetime) -> str:
    """Return until when somebody has time, for a subject: "until Thu 14:30", a date from a week on, or that time is up.

    The zone is that of the reader, and is not named.
    """
    if at < now:
        return say(language, "time-up")
    there, locale = at.astimezone(zone_of(zone)), locale_of(language)
    days = (there.date() - now.astimezone(there.tzinfo).date()).days
    time = format_time(there, "short", locale=locale)
    if days < _WEEK:
        # The same weekday a week later has a date.
        return say(language, "time-until-weekday", weekday=format_date(there, "ccc", locale=locale), time=time)
    day = _day(language, there, format_skeleton("MMMd", there, locale=locale))
    return say(language, "time-until-date", day=day, time=time)


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
    """Return the name of an IANA time zone, as that of its place: "Berlin time"; UTC for an unknown one."""
    known = zone_of(zone).key
    if "/" not in known or known.startswith("Etc/"):
        return known.removeprefix("Etc/")
    city = get_timezone_location(known, locale=locale_of(language), return_city=True).rpartition("/")[2]
    return say(language, "time-zone", city=city)
