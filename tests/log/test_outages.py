"""Deadlines moved for an outage; instants in hours after the first of January 2026, a Thursday."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from service.log.clocks import (
    Clocks,
    Outage,
    awaiting,
    could_be_owed,
    merge_outages,
    noted,
    respite,
    seconds_owed,
    started,
)
from service.rules.pace import PACES, Pace
from service.rules.shared_events import TimeGiven

HOUR = 3600_000
NEW_YEAR = round(datetime(2026, 1, 1, tzinfo=UTC).timestamp() * 1000)
DAILY, BRISK, LIVE = PACES["daily"], PACES["brisk"], PACES["live"]
ALICE = 0


def at(hours: float) -> int:
    return NEW_YEAR + round(hours * HOUR)


def outage(began: float, ended: float) -> Outage:
    return Outage(at(began), at(ended))


def asked(pace: Pace) -> Clocks:
    return awaiting(started(pace, 2), frozenset({ALICE}), None, at(0))


def moved(clocks: Clocks, *outages: Outage) -> int:
    """The new deadline in milliseconds, after the time that is owed was given."""
    seconds = seconds_owed(clocks, ALICE, outages)
    fact = TimeGiven(seat=ALICE, by=None, seconds=seconds, reason="outage")
    deadline = (noted(clocks, fact, at(999)) if seconds else clocks).deadline(ALICE)
    assert deadline is not None
    return deadline


def test_t15_a_deadline_in_an_outage_is_moved_to_the_end_of_the_respite() -> None:
    # 4 h free and a day in the bank: the deadline is at 28.
    assert moved(asked(BRISK), outage(27, 30)) == at(34)


def test_t15_it_is_moved_by_as_much_of_the_outage_as_lies_in_the_wait() -> None:
    assert moved(asked(BRISK), outage(20, 30)) == at(38)
    assert moved(asked(BRISK), outage(-50, 28.5)) == at(28 + 28.5)


def test_t15_a_deadline_in_the_respite_after_an_outage_is_moved_too() -> None:
    assert moved(asked(BRISK), outage(20, 25)) == at(33)
    assert moved(asked(DAILY), outage(100, 110)) == at(130)


def test_t15_no_outage_costs_more_than_the_wait_and_a_respite_and_none_moves_a_deadline_that_is_far_ahead() -> None:
    clocks, seconds = asked(BRISK), seconds_owed(asked(BRISK), ALICE, [outage(20, 30)])
    assert could_be_owed(clocks, ALICE, seconds, at(30))
    assert not could_be_owed(clocks, ALICE, 36 * 3600, at(30))
    assert not could_be_owed(clocks, ALICE, seconds, at(22))
    once = noted(clocks, TimeGiven(seat=ALICE, by=None, seconds=30 * 3600, reason="outage"), at(30))
    assert not could_be_owed(once, ALICE, 1, at(30))


def test_t15_all_that_a_wait_is_given_for_outages_is_no_more_than_the_wait_and_one_respite() -> None:
    clocks = noted(asked(BRISK), TimeGiven(seat=ALICE, by=None, seconds=30 * 3600, reason="outage"), at(27))
    assert could_be_owed(clocks, ALICE, 29 * 3600, at(54)), "54 h of wait, 4 h of respite, an hour between two clocks"
    assert not could_be_owed(clocks, ALICE, 29 * 3600 + 1, at(54))
    by_bob = noted(asked(BRISK), TimeGiven(seat=ALICE, by=1, seconds=30 * 3600, reason="player"), at(27))
    assert could_be_owed(by_bob, ALICE, 59 * 3600, at(54)), "what another player gives is not for an outage"


@given(st.sampled_from([DAILY, BRISK, LIVE]), st.lists(st.tuples(st.integers(0, 30), st.integers(1, 40)), max_size=8))
def test_t15_what_is_owed_for_outages_one_after_the_other_never_reaches_its_bound(
    pace: Pace, spans: list[tuple[int, int]]
) -> None:
    clocks, now, over = asked(pace), 0, list[Outage]()
    for idle, length in spans:
        over.append(outage(now + idle, now + idle + length))
        now += idle + length
        owed = seconds_owed(clocks, ALICE, over)
        assert not owed or could_be_owed(clocks, ALICE, owed, at(now))
        if owed:
            clocks = noted(clocks, TimeGiven(seat=ALICE, by=None, seconds=owed, reason="outage"), at(now))


def test_t15_a_deadline_before_an_outage_or_long_after_it_stays() -> None:
    assert seconds_owed(asked(BRISK), ALICE, [outage(28.1, 40), outage(2, 23.9)]) == 0
    assert seconds_owed(asked(DAILY), ALICE, [outage(1, 107)]) == 0


def test_t15_the_respite_is_twelve_hours_or_the_free_time_if_that_is_less() -> None:
    assert [respite(asked(pace), outage(1, 2)) for pace in (DAILY, BRISK, LIVE)] == [12 * HOUR, 4 * HOUR, 0]


def test_t15_what_was_not_there_at_the_same_time_counts_once() -> None:
    assert merge_outages([outage(3, 5), outage(1, 4), outage(7, 8)]) == [outage(1, 5), outage(7, 8)]
    assert moved(asked(BRISK), outage(20, 30), outage(21, 30), outage(22, 29)) == at(38)


def test_t15_an_outage_into_which_the_moved_deadline_falls_moves_it_again() -> None:
    assert moved(asked(BRISK), outage(27, 30), outage(33, 35)) == at(39)


def test_t15_at_a_table_of_weekdays_the_time_given_is_that_of_weekdays() -> None:
    # The deadline is on Friday at 04:00. Of the 20 hours after it that the outage took, Friday still has all 20.
    weekdays = replace(BRISK, weekdays="UTC")
    assert moved(asked(weekdays), outage(27, 47)) == at(96) + 1000, "the respite ends on Saturday at 03:00"
    assert moved(asked(weekdays), outage(20, 47)) == at(96 + 7)


def test_t15_an_outage_of_up_to_three_minutes_moves_only_what_falls_into_it_and_by_itself() -> None:
    minute = 1 / 60
    assert moved(asked(BRISK), outage(28 - minute, 28 + 2 * minute)) == at(28) + 3 * 60_000
    assert seconds_owed(asked(BRISK), ALICE, [outage(27, 27 + 3 * minute)]) == 0
    assert moved(asked(BRISK), outage(27, 27 + 4 * minute)) == at(31 + 4 * minute)


def test_t15_who_does_not_wait_is_owed_nothing() -> None:
    assert seconds_owed(started(BRISK, 2), ALICE, [outage(1, 99)]) == 0


@given(
    st.sampled_from([*PACES.values(), replace(BRISK, weekdays="Europe/Berlin"), replace(DAILY, weekdays="UTC")]),
    st.lists(st.tuples(st.integers(-50, 300), st.integers(1, 200)), max_size=4),
)
def test_t15_the_new_deadline_keeps_the_promise_and_asking_again_gives_nothing_more(
    pace: Pace, spans: list[tuple[int, int]]
) -> None:
    clocks, outages = asked(pace), [outage(began, began + length) for began, length in spans]
    before = clocks.deadline(ALICE)
    assert before is not None
    after = moved(clocks, *outages)
    assert after >= before
    for each in merge_outages(outages):
        if each.began <= before < each.ended + respite(clocks, each):
            assert after >= each.ended + respite(clocks, each)
        if each.began <= before < each.ended + respite(clocks, each) and pace.weekdays is None:
            assert after >= before + each.ended - max(each.began, at(0))
    owed = seconds_owed(clocks, ALICE, outages)
    assert not owed or could_be_owed(clocks, ALICE, owed, max(each.ended for each in outages))
    once = noted(clocks, TimeGiven(seat=ALICE, by=None, seconds=owed, reason="outage"), at(0))
    assert seconds_owed(once, ALICE, outages) == 0
