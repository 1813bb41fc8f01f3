"""The limits of absences, and the facts by which a log comes to agree with them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from service.log.absences import Span, consecutive_days, days_of, facts, in_a_year, joined
from service.log.clocks import LONGEST_ABSENCE, Clocks, awaiting, midnight, noted, started
from service.rules.pace import PACES
from service.rules.shared_events import PlayerAway, PlayerBack, TimeGiven

ALICE = 0
HOUR = 3600_000
NEW_YEAR = round(datetime(2026, 1, 1, tzinfo=UTC).timestamp() * 1000)
BERLIN = ZoneInfo("Europe/Berlin")
DAILY = PACES["daily"]
ONLY_ALICE = frozenset({ALICE})


def at(hours: float) -> int:
    return NEW_YEAR + round(hours * HOUR)


def asked() -> Clocks:
    return awaiting(started(DAILY, 2), ONLY_ALICE, None, at(0))


def told(clocks: Clocks, spans: list[Span], hours: float) -> tuple[Clocks, list[object]]:
    found = facts(clocks, ALICE, spans, at(hours))
    for fact in found:
        clocks = awaiting(noted(clocks, fact, at(hours)), ONLY_ALICE, None, at(hours))
    return clocks, list(found)


def test_t18_days_are_those_of_the_players_calendar_and_count_once() -> None:
    spans = [Span(midnight(date(2026, 3, 1), BERLIN), midnight(date(2026, 3, 4), BERLIN))]
    spans += [Span(spans[0].ends - 12 * HOUR, spans[0].ends + 12 * HOUR)]
    days = days_of(spans, BERLIN)
    assert days == {date(2026, 3, day) for day in (1, 2, 3, 4)}
    assert consecutive_days(days, date(2026, 3, 2)) == 4
    assert consecutive_days(days, date(2026, 3, 4)) == 4


def test_t18_an_absence_that_ends_at_midnight_takes_nothing_of_the_day_that_begins() -> None:
    span = Span(midnight(date(2026, 3, 1), BERLIN), midnight(date(2026, 3, 3), BERLIN))
    assert days_of([span], BERLIN) == {date(2026, 3, 1), date(2026, 3, 2)}


def test_t18_absences_that_overlap_or_touch_are_one() -> None:
    spans = [Span(0, 10), Span(20, 30), Span(50, 60)]
    assert joined(spans, Span(10, 20)) == Span(0, 30)
    assert joined(spans, Span(35, 40)) == Span(35, 40)


def test_t18_any_twelve_months_are_counted() -> None:
    first = {date(2026, 1, 1) + timedelta(days=day) for day in range(21)}
    later = {date(2026, 12, 20) + timedelta(days=day) for day in range(21)}
    assert in_a_year(first | later, date(2026, 12, 1)) == 12 + 21
    assert in_a_year(first | later, date(2027, 1, 9)) == 12 + 21


def test_t18_twenty_one_days_in_a_row_are_never_longer_than_the_longest_absence() -> None:
    # The clocks are put back on the 25th of October: 21 days are an hour too long.
    days = Span(midnight(date(2026, 10, 5), BERLIN), midnight(date(2026, 10, 26), BERLIN))
    found = joined([], days)
    assert found.ends - found.begins == LONGEST_ABSENCE * 1000 == days.ends - days.begins - HOUR
    assert days_of([found], BERLIN) == days_of([days], BERLIN)


def test_t19_an_absence_begins_and_ends_in_the_log_once_however_often_it_is_looked_at() -> None:
    away = [Span(at(10), at(50))]
    clocks, found = told(asked(), away, 10)
    assert found == [PlayerAway(seat=ALICE, until=at(50))]
    assert told(clocks, away, 11)[1] == []
    clocks, found = told(clocks, away, 50)
    assert found == [PlayerBack(seat=ALICE)]
    assert told(clocks, away, 51)[1] == []


def test_t18_a_changed_end_is_told_and_costs_no_time() -> None:
    clocks, _ = told(asked(), [Span(at(10), at(50))], 10)
    clocks, found = told(clocks, [Span(at(10), at(90))], 20)
    assert found == [PlayerBack(seat=ALICE), PlayerAway(seat=ALICE, until=at(90))]
    assert told(clocks, [Span(at(10), at(90))], 90)[0].deadline(ALICE) == at(120 + 80)
    assert told(clocks, [Span(at(10), at(30))], 30)[1] == [PlayerBack(seat=ALICE)]


def test_t22_the_time_that_ran_before_the_log_said_so_is_given_back() -> None:
    # Five hours late, and the deadline at 120 h has passed meanwhile.
    clocks, found = told(asked(), [Span(at(118), at(200))], 123)
    assert found == [
        TimeGiven(seat=ALICE, by=None, seconds=5 * 3600, reason="outage"),
        PlayerAway(seat=ALICE, until=at(200)),
    ]
    clocks, found = told(clocks, [Span(at(118), at(200))], 200)
    assert found == [PlayerBack(seat=ALICE)]
    assert clocks.deadline(ALICE) == at(202)


def test_t22_an_absence_that_no_worker_has_seen_is_made_good_and_once() -> None:
    missed = [Span(at(100), at(130))]
    clocks, found = told(asked(), missed, 140)
    assert [type(each) for each in found] == [TimeGiven, PlayerAway, PlayerBack]
    assert clocks.deadline(ALICE) == at(120 + 30)
    assert told(clocks, missed, 141)[1] == []


def test_t19_one_absence_after_another_is_a_return_and_a_leave() -> None:
    clocks, _ = told(asked(), [Span(at(10), at(50))], 10)
    _, found = told(clocks, [Span(at(10), at(50)), Span(at(60), at(90))], 70)
    assert found == [PlayerBack(seat=ALICE), PlayerAway(seat=ALICE, until=at(90))]


@st.composite
def looks(draw: st.DrawFn) -> tuple[Span, list[int]]:
    begins = draw(st.integers(0, 300))
    span = Span(at(begins), at(begins + draw(st.integers(1, 500))))
    return span, sorted(draw(st.sets(st.integers(0, 900), min_size=1, max_size=6)))


@given(looks())
def test_t22_whenever_workers_look_no_time_of_an_absence_is_ever_used(drawn: tuple[Span, list[int]]) -> None:
    span, moments = drawn
    clocks = asked()
    deadline = at(120) if span.begins >= at(120) else at(120) + span.ends - span.begins
    for hours in [*moments, 901]:
        if span.begins < at(120):
            clocks, _ = told(clocks, [span], hours)
    found = clocks.deadline(ALICE)
    # Workers that come late make the absence longer, never shorter.
    assert found is not None and found >= deadline
