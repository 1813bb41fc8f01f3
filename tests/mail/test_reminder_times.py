"""When a reminder is due, as a function of the clocks and of the quiet hours; moments are in hours after NOW."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.log.clocks import Clocks, awaiting, noted, started
from service.log.recorded import instant
from service.mail.pace import BEFORE_QUIET_HOURS, QuietHours, half_is_left, reminder_time
from service.mail.preferences import quiet_hours
from service.rules.pace import PACES, Pace
from service.rules.shared_events import GamePaused, GameResumed, PlayerAway, PlayerBack, TimeGiven
from tests.clocked_games import at

ALICE = 0
BERLIN = ZoneInfo("Europe/Berlin")
DAILY = PACES["daily"]
MOST_HOURS = 100
MINUTE = timedelta(minutes=1)


def asked(pace: Pace = DAILY) -> Clocks:
    return awaiting(started(pace, 2), frozenset({ALICE}), None, at(0))


def lasting(hours: float) -> Clocks:
    """A wait of so many hours."""
    return asked(Pace(free=round(hours * 3600), bank=0, credit=0, cap=0))


def due(clocks: Clocks, number: int, quiet: QuietHours | None = None, now: float = 0) -> float | None:
    found = reminder_time(clocks, ALICE, number, quiet, instant(at(now)))
    return None if found is None else (found - instant(at(0))) / timedelta(hours=1)


def in_berlin(hours: float) -> datetime:
    return instant(at(hours)).astimezone(BERLIN)


def test_t08_a_reminder_is_due_when_a_half_and_when_a_tenth_of_the_time_is_left() -> None:
    assert (due(asked(), 1), due(asked(), 2)) == (60, 108)


def test_t08_time_that_is_given_moves_both() -> None:
    given = noted(asked(), TimeGiven(seat=ALICE, by=1, seconds=24 * 3600, reason="player"), at(10))
    assert (due(given, 1), due(given, 2)) == (72, 129.6)


def test_t08_the_weekend_moves_both_where_time_runs_on_weekdays_only() -> None:
    # Friday the 20th, 18:45 in Berlin; half of 24 hours is over on Monday.
    weekdays = asked(Pace(free=24 * 3600, bank=0, credit=0, cap=0, weekdays="Europe/Berlin"))
    assert due(weekdays, 1) == 48 + 12 and due(weekdays, 2) == pytest.approx(48 + 21.6)


@pytest.mark.parametrize(
    ("stops", "goes_on"),
    [
        (PlayerAway(seat=ALICE, until=at(50)), PlayerBack(seat=ALICE)),
        (GamePaused(seat=1, until=at(50)), GameResumed(seat=1)),
    ],
)
def test_t08_none_is_due_while_no_time_runs_and_then_it_is_later_by_that(stops: object, goes_on: object) -> None:
    stopped = noted(asked(), stops, at(10))
    assert due(stopped, 1) is None
    assert due(noted(stopped, goes_on, at(50)), 1) == 60 + 40


def test_t08_in_quiet_hours_none_is_due_before_they_end() -> None:
    # Alice was asked at 18:45 in Berlin, and half of 10 hours is over at 23:45.
    quiet = QuietHours(BERLIN, 22, 2)
    assert in_berlin(due(lasting(10), 1, quiet) or 0).hour == 2


def test_t08_if_the_deadline_falls_into_the_quiet_hours_it_is_due_before_they_begin() -> None:
    quiet = QuietHours(BERLIN, 22, 7)
    for number in (1, 2):
        assert in_berlin(due(lasting(10), number, quiet) or 0).strftime("%a %H:%M") == "Fri 21:30"


def test_t08_what_would_have_been_due_before_quiet_hours_that_have_begun_is_not_due_any_more() -> None:
    assert due(lasting(10), 2, QuietHours(BERLIN, 22, 7), now=5) is None


def test_t08_after_the_deadline_none_is_due() -> None:
    assert due(lasting(10), 2, None, now=10) is None


@given(
    hours=st.floats(0.1, MOST_HOURS),
    number=st.sampled_from([1, 2]),
    begin=st.integers(0, 23),
    end=st.integers(0, 23),
    now=st.floats(0, MOST_HOURS),
)
def test_t08_a_reminder_is_before_the_deadline_and_never_in_quiet_hours(
    hours: float, number: int, begin: int, end: int, now: float
) -> None:
    quiet, clocks, moment = QuietHours(BERLIN, begin, end), lasting(hours), instant(at(now))
    found = reminder_time(clocks, ALICE, number, quiet, moment)
    deadline = clocks.deadline(ALICE)
    assert deadline is not None
    if found is not None:
        # One that is due at once, since its moment is past, goes out now.
        goes_out = max(found, moment)
        assert goes_out < instant(deadline)
        around = quiet_hours(goes_out, BERLIN, begin, end)
        assert around is None or around[0] == moment == goes_out


def test_t08_before_quiet_hours_there_is_half_an_hour_to_play() -> None:
    assert timedelta(minutes=30) == BEFORE_QUIET_HOURS


def test_t09_half_of_the_time_is_left_up_to_the_first_reminder_and_not_after_it() -> None:
    clocks = asked(replace(DAILY, free=DAILY.free + 1))
    first = reminder_time(clocks, ALICE, 1, None, instant(at(0)))
    assert first is not None
    assert half_is_left(clocks, ALICE, first) and not half_is_left(clocks, ALICE, first + MINUTE)
