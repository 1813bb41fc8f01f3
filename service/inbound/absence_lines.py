"""Lines of a reply about an absence: `away until 3 March`, `abwesend bis 3. März`, `absent jusqu'au 3 mars`, `back`."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

from service.texts.when import month_number

_HALF_A_YEAR: Final = timedelta(days=182)
BACK: Final = ("back", "i'm back", "i am back", "wieder da", "ich bin wieder da", "de retour", "je suis de retour")
"""What players may write when they are back, in any of the languages."""
_DAY: Final = r"(\S.*?)"
_AWAY: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"away (?:from {_DAY} )?(?:until|till|to|through) {_DAY}",
        rf"abwesend (?:(?:von|vom|ab) (?:dem )?{_DAY} )?bis (?:zum )?{_DAY}",
        rf"absente? (?:(?:du|de|dès) (?:le )?{_DAY} )?(?:jusqu'(?:au|à|a)|au) (?:le )?{_DAY}",
    )
)
_ISO: Final = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)")
_DOTS: Final = re.compile(r"(\d\d?)\. ?(\d\d?)\.?(?: ?(\d{4}))?")
_SLASHES: Final = re.compile(r"(\d\d?)/(\d\d?)(?:/(\d{4}))?")
_DAY_FIRST: Final = re.compile(
    r"(?:the )?(\d\d?)(?:\.|st|nd|rd|th|er)? ?(?:of )?([^\W\d]+)\.?,?(?: (\d{4}))?", re.IGNORECASE
)
_MONTH_FIRST: Final = re.compile(r"([^\W\d]+)\.? (?:the )?(\d\d?)(?:st|nd|rd|th)?,?(?: (\d{4}))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """A day as it was written; without a year (None) it is the one around today."""

    day: int
    month: int
    year: int | None = None

    def near(self, today: date) -> date | None:
        """Return the day itself; None if there is no such day."""
        for year in (today.year, today.year + 1) if self.year is None else (self.year,):
            with suppress(ValueError):
                found = date(year, self.month, self.day)
                if self.year is not None or today - found <= _HALF_A_YEAR:
                    return found
        return None


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A day that was written so that it can be either of two, such as 3/4."""

    said: str
    one: WrittenDay
    other: WrittenDay


Reading = WrittenDay | Ambiguous | None


@dataclass(frozen=True, slots=True)
class AbsenceLine:
    """A line about an absence: its last day and its first as they were read; None for what could not be read.

    `begins` is "now" if the line names no first day. `back` if it says that the player is back.
    """

    until: Reading = None
    begins: Reading | Literal["now"] = "now"
    back: bool = False


def read_absence(plain: str) -> AbsenceLine | None:
    """Return what a line says about an absence, None if nothing; its quotation marks and dashes are plain ones."""
    if plain.casefold() in BACK:
        return AbsenceLine(back=True)
    for pattern in _AWAY:
        found = pattern.fullmatch(plain)
        if found is not None:
            last = read_day(found[2])
            return AbsenceLine(last) if found[1] is None else AbsenceLine(last, read_day(found[1]))
    return None


def read_day(text: str) -> Reading:
    """Return the day of a text: `2026-03-03`, `3 March`, `March 3, 2026`, `3. März`, `1er mars`, `3.3.`, `25/3`."""
    for form, read in _FORMS:
        found = form.fullmatch(text.strip())
        if found is not None:
            return read(found)
    return None


def _iso(found: re.Match[str]) -> Reading:
    return WrittenDay(int(found[3]), int(found[2]), int(found[1]))


def _dots(found: re.Match[str]) -> Reading:
    return WrittenDay(int(found[1]), int(found[2]), _year(found[3]))


def _slashes(found: re.Match[str]) -> Reading:
    one = WrittenDay(int(found[1]), int(found[2]), _year(found[3]))
    other = WrittenDay(one.month, one.day, one.year)
    if one == other or one.day > 12:
        return one
    return other if one.month > 12 else Ambiguous(found[0], one, other)


def _day_first(found: re.Match[str]) -> Reading:
    number = month_number(found[2])
    return None if number is None else WrittenDay(int(found[1]), number, _year(found[3]))


def _month_first(found: re.Match[str]) -> Reading:
    number = month_number(found[1])
    return None if number is None else WrittenDay(int(found[2]), number, _year(found[3]))


def _year(said: str | None) -> int | None:
    return None if said is None else int(said)


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Reading]], ...]] = (
    (_ISO, _iso),
    (_DOTS, _dots),
    (_SLASHES, _slashes),
    (_DAY_FIRST, _day_first),
    (_MONTH_FIRST, _month_first),
)
