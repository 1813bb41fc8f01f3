"""Announced absences (T-18, T-19, T-22): limits, and the facts that bring them into a game's log.

Instants are milliseconds since 1970. Days are those of the player's calendar.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from service.log.clocks import LONGEST_ABSENCE, Clocks, elapsed
from service.log.recorded import instant
from service.rules.shared_events import PlayerAway, PlayerBack, TimeGiven

MOST_DAYS_IN_A_ROW: Final = 21
MOST_DAYS_IN_A_YEAR: Final = 42
"""Maximum days in any twelve months; days of overlapping absences count once."""
MOST_DAYS_AHEAD: Final = 30
"""Maximum days from today to the first day of an absence."""
_DAY: Final = timedelta(days=1)
_YEAR: Final = timedelta(days=365)
_MINUTE: Final = 60_000
_SECOND: Final = 1000
Fact = PlayerAway | PlayerBack | TimeGiven


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Absence from the instant `begins` until the instant `ends`, when the player is back."""

    begins: int
    ends: int

    def holds(self, at: int) -> bool:
        """Return whether the player is away at an instant."""
        return self.begins <= at < self.ends


def day_of(at: int, zone: ZoneInfo) -> date:
    """Return the day of an instant in a zone."""
    return instant(at).astimezone(zone).date()


def last_day(span: Span, zone: ZoneInfo) -> date:
    """Return the last day of an absence in a zone."""
    return day_of(span.ends - 1, zone)


def days_of(spans: Iterable[Span], zone: ZoneInfo) -> set[date]:
    """Return every day that an absence covers in part."""
    days: set[date] = set()
    for span in spans:
        first = day_of(span.begins, zone)
        days.update(first + _DAY * number for number in range((last_day(span, zone) - first).days + 1))
    return days


def consecutive_days(days: set[date], day: date) -> int:
    """Return the length of the run of consecutive days around a day."""
    first = last = day
    while first - _DAY in days:
        first -= _DAY
    while last + _DAY in days:
        last += _DAY
    return (last - first).days + 1


def in_a_year(days: set[date], today: date) -> int:
    """Return the maximum number of days within any twelve months that end today or later."""
    ends = {today, *(day for day in days if day > today)}
    return max(sum(end - _YEAR < day <= end for day in days) for end in ends)


def joined(spans: Iterable[Span], new: Span) -> Span:
    """Merge an absence with those that overlap or touch it, up to LONGEST_ABSENCE.

    The result is an hour shorter than its days if one of 21 days has 25 hours.
    """
    for span in sorted(spans):
        if span.begins <= new.ends and new.begins <= span.ends:
            new = Span(min(span.begins, new.begins), max(span.ends, new.ends))
    return Span(new.begins, min(new.ends, new.begins + LONGEST_ABSENCE * 1000))


def facts(clocks: Clocks, seat: int, spans: Sequence[Span], now: int) -> list[Fact]:
    """Return the facts that make a log's clocks agree with the absences of the seat's player.

    Time that ran before the log said that the player is away is given back: no worker wrote the fact in time.
    """
    current = next((span for span in spans if span.holds(now)), None)
    known, until = clocks.away.get(seat), None if current is None else current.ends
    lost = _lost(clocks, seat, spans, now)
    found: list[Fact] = []
    if lost:
        found.append(TimeGiven(seat=seat, by=None, seconds=-(-lost // _SECOND), reason="outage"))
    if known is not None and known != until:
        found.append(PlayerBack(seat=seat))
    if until is not None and known != until:
        found.append(PlayerAway(seat=seat, until=until))
    elif lost:
        # The absence is over: its facts restart the count, so that the same time is not given twice.
        found += [PlayerAway(seat=seat, until=now + _MINUTE), PlayerBack(seat=seat)]
    return found


def _lost(clocks: Clocks, seat: int, spans: Sequence[Span], now: int) -> int:
    """Return the time of a seat's wait that ran although its player was away; 0 if it makes no difference.

    A worker is always a little late, so less than a minute counts only if the deadline has passed.
    """
    wait, deadline = clocks.waits.get(seat), clocks.deadline(seat)
    if wait is None or deadline is None:
        return 0
    lost = sum(
        elapsed(clocks.pace.weekdays, max(wait.since, span.begins), min(now, span.ends))
        for span in spans
        if span.begins <= now
    )
    return lost if lost >= _MINUTE or (lost >= _SECOND and deadline <= now) else 0
