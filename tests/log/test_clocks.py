"""Banks, waits and deadlines as a function of the log; moments in hours after the first of January 2026, a Thursday."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec import structs

from service.log.clocks import Clocks, acted, awaiting, elapsed, later, noted, started
from service.log.folding import after_append
from service.log.recorded import Recorded, instant
from service.rules.pace import LONGEST, PACES, Pace
from service.rules.shared_events import (
    GamePaused,
    GameResumed,
    PauseAgreed,
    PauseProposed,
    PlayerAway,
    PlayerBack,
    SeatHandedOver,
    TimeGiven,
    TimeLapsed,
)

ALICE, BOB = 0, 1
HOUR = 3600_000
NEW_YEAR = round(datetime(2026, 1, 1, tzinfo=UTC).timestamp() * 1000)
DAILY = PACES["daily"]
ONLY_ALICE, ONLY_BOB, BOTH = frozenset({ALICE}), frozenset({BOB}), frozenset({ALICE, BOB})


def at(hours: float) -> int:
    return NEW_YEAR + round(hours * HOUR)


def asked(pace: Pace = DAILY, seats: frozenset[int] = ONLY_ALICE) -> Clocks:
    return awaiting(started(pace, 2), seats, None, at(0))


def played(clocks: Clocks, seat: int, then: frozenset[int], hours: float, door: str = "api") -> Clocks:
    return awaiting(acted(clocks, seat, door), then, seat, at(hours))


def happened(clocks: Clocks, event: object, hours: float, to_act: frozenset[int] = ONLY_ALICE) -> Clocks:
    return awaiting(noted(clocks, event, at(hours)), to_act, None, at(hours))


def lapsed(clocks: Clocks, seat: int, hours: float, to_act: frozenset[int] = ONLY_ALICE) -> Clocks:
    deadline = clocks.deadline(seat)
    assert deadline is not None and deadline <= at(hours)
    return happened(clocks, TimeLapsed(seat=seat, decision=1, deadline=deadline, ends=False), hours, to_act)


def test_t01_the_free_time_costs_nothing_and_the_credit_fills_the_bank_up_to_its_cap() -> None:
    brisk = PACES["brisk"]
    after = played(asked(brisk), ALICE, ONLY_BOB, 3)
    assert after.banks == (brisk.cap * 1000, brisk.bank * 1000)
    late = played(asked(brisk), ALICE, ONLY_BOB, 10)
    assert late.banks[ALICE] == (24 - 6 + 1) * HOUR


def test_t01_the_credit_does_not_lower_a_bank_that_is_above_its_cap() -> None:
    # A bank that was filled for a player who came back may be.
    more = DAILY.cap * 1000 + 5 * HOUR
    clocks = structs.replace(asked(), banks=(more, 0))
    assert played(clocks, ALICE, ONLY_BOB, 1).banks[ALICE] == more


def test_t01_the_deadline_is_free_time_and_bank_after_the_wait_began() -> None:
    assert asked().deadline(ALICE) == at(24 + 96)
    assert asked().deadline(BOB) is None


@pytest.mark.parametrize("pace", PACES.values(), ids=PACES)
def test_t01_the_named_paces_keep_to_the_limits(pace: Pace) -> None:
    assert all(0 <= each <= LONGEST for each in (pace.free, pace.bank, pace.credit, pace.cap))
    assert pace.bank <= pace.cap


def test_t02_no_time_runs_on_saturday_and_sunday_of_the_zone() -> None:
    # Thursday evening; Friday the 2nd ends in Berlin at 23:00 UTC.
    weekdays = Pace(free=48 * 3600, bank=0, credit=0, cap=0, weekdays="Europe/Berlin")
    assert asked(weekdays).deadline(ALICE) == at(48 + 48)
    assert elapsed("Europe/Berlin", at(46), at(96)) == HOUR + HOUR
    assert later("Europe/Berlin", at(60), 0) == at(95)


def test_t02_a_weekday_on_which_the_clocks_are_put_forward_in_the_zone_has_its_real_hours() -> None:
    # Cairo puts its clocks forward on Friday the 24th of April, at 00:00: the day has 23 hours.
    friday = round(datetime(2026, 4, 23, 22, tzinfo=UTC).timestamp() * 1000)
    assert elapsed("Africa/Cairo", friday, friday + 48 * HOUR) == 23 * HOUR
    assert later("Africa/Cairo", friday, 24 * HOUR) == friday + (23 + 48 + 1) * HOUR


def test_t03_decisions_of_one_seat_that_follow_each_other_are_one_wait() -> None:
    again = played(asked(), ALICE, ONLY_ALICE, 20)
    assert again.deadline(ALICE) == at(120)
    after = played(again, ALICE, ONLY_BOB, 30)
    assert after.banks[ALICE] == min(96, 96 - 6 + 6) * HOUR
    assert after.deadline(BOB) == at(30 + 120)


@pytest.mark.parametrize("door", ["api", "timeout", "worker", "order"])
@pytest.mark.parametrize("lapses", [(0, 0), (1, 0), (0, 2)])
@pytest.mark.parametrize("seats", [ONLY_ALICE, BOTH])
def test_t03_a_move_after_which_the_same_seats_are_awaited_keeps_all_clocks(
    door: str, lapses: tuple[int, int], seats: frozenset[int]
) -> None:
    # given seats that wait
    before = structs.replace(asked(seats=seats), lapses=lapses)
    move = Recorded(9, None, ALICE, door, 3, {}, instant(at(1)), "plotted")
    # when Alice makes a move that is not the last of her turn
    after = after_append(before, [move], seats)
    # then the clocks are those that the steps one by one lead to, and the very same if nothing has changed
    assert after == played(before, ALICE, seats, 1, door)
    assert after is before or lapses[ALICE]


def test_t04_each_of_several_seats_has_its_own_wait() -> None:
    both = asked(seats=BOTH)
    one = played(both, BOB, ONLY_ALICE, 5)
    assert (one.deadline(ALICE), one.deadline(BOB)) == (at(120), None)
    # Alice answers last, and both are asked anew: what she did before is another wait.
    anew = played(one, ALICE, BOTH, 7)
    assert (anew.deadline(ALICE), anew.deadline(BOB)) == (at(127), at(127))


def test_t10_a_lapse_uses_up_the_bank_and_ends_the_wait() -> None:
    after = lapsed(asked(), ALICE, 120)
    assert after.banks[ALICE] == 0 and after.lapsed == {ALICE} and after.deadline(ALICE) is None


def test_t13_the_stand_in_plays_until_another_seat_is_asked() -> None:
    after = played(lapsed(asked(), ALICE, 120), ALICE, ONLY_ALICE, 120, "timeout")
    assert after.lapsed == {ALICE} and not after.waits
    then = played(after, ALICE, ONLY_BOB, 120, "timeout")
    assert then.lapsed == frozenset() and list(then.waits) == [BOB]
    assert then.banks[ALICE] == 0


def test_t13_the_wait_of_a_seat_that_has_lapsed_is_not_begun_anew_when_another_is_asked_beside_it() -> None:
    both = lapsed(asked(seats=BOTH), ALICE, 120, BOTH)
    back = happened(structs.replace(both, absent=frozenset({BOB}), waits={}), PlayerBack(seat=BOB), 121, BOTH)
    assert (back.lapsed, list(back.waits)) == ({ALICE}, [BOB])
    after = played(back, ALICE, ONLY_BOB, 121, "timeout")
    assert (after.lapsed, list(after.waits)) == (frozenset(), [BOB])


def absent() -> Clocks:
    clocks, hours = asked(), 0.0
    for _ in range(3):
        hours += 121
        clocks = played(lapsed(clocks, ALICE, hours), ALICE, ONLY_BOB, hours, "timeout")
        clocks = played(clocks, BOB, ONLY_ALICE, hours)
    return clocks


def test_t14_after_three_lapses_in_a_row_the_seat_is_absent_and_nobody_waits_for_it() -> None:
    clocks = absent()
    assert clocks.absent == {ALICE} and not clocks.waits


def test_t14_a_move_of_its_own_in_between_ends_the_row() -> None:
    clocks = lapsed(asked(), ALICE, 121)
    clocks = played(played(clocks, ALICE, ONLY_BOB, 121, "timeout"), BOB, ONLY_ALICE, 121)
    assert clocks.lapses[ALICE] == 1
    assert played(clocks, ALICE, ONLY_BOB, 122).lapses[ALICE] == 0


def test_t14_who_comes_back_has_a_free_time_and_half_the_cap_and_waits_again() -> None:
    back = happened(absent(), PlayerBack(seat=ALICE), 400)
    assert back.absent == frozenset() and back.lapses[ALICE] == 0
    assert back.banks[ALICE] == (24 + 48) * HOUR
    assert back.deadline(ALICE) == at(400 + 24 + 24 + 48)


def test_t16_time_that_is_given_moves_the_deadline_and_costs_the_bank_nothing() -> None:
    given = happened(asked(), TimeGiven(seat=ALICE, by=BOB, seconds=24 * 3600, reason="player"), 100)
    assert given.deadline(ALICE) == at(144)
    assert played(given, ALICE, ONLY_BOB, 50).banks[ALICE] == 96 * HOUR


def test_t19_no_time_runs_while_the_player_is_away_and_it_goes_on_where_it_was() -> None:
    away = happened(asked(), PlayerAway(seat=ALICE, until=at(200)), 20)
    assert away.deadline(ALICE) is None
    assert away.bank(ALICE, at(150)) == 96 * HOUR
    back = happened(away, PlayerBack(seat=ALICE), 200)
    assert back.deadline(ALICE) == at(200 + 100)
    assert back.banks[ALICE] == 96 * HOUR


def test_t20_an_away_player_may_act_and_stays_away() -> None:
    away = happened(asked(), PlayerAway(seat=ALICE, until=at(200)), 30)
    after = played(played(away, ALICE, ONLY_BOB, 190), BOB, ONLY_ALICE, 191)
    assert after.banks[ALICE] == 96 * HOUR and after.deadline(ALICE) is None
    assert happened(after, PlayerBack(seat=ALICE), 200).deadline(ALICE) == at(320)


def test_t21_a_pause_stops_the_time_of_all_until_the_game_goes_on() -> None:
    clocks = happened(asked(seats=BOTH), PauseProposed(seat=BOB, until=at(500)), 10, BOTH)
    assert clocks.deadline(ALICE) == at(120)
    clocks = happened(clocks, PauseAgreed(seat=ALICE), 20, BOTH)
    assert clocks.proposed is not None and clocks.proposed.agreed == BOTH
    clocks = happened(clocks, GamePaused(seat=BOB, until=at(500)), 20, BOTH)
    assert clocks.deadline(ALICE) is None and clocks.deadline(BOB) is None
    clocks = happened(clocks, GameResumed(seat=ALICE), 60, BOTH)
    assert clocks.deadline(ALICE) == clocks.deadline(BOB) == at(160)


def test_t21_who_is_away_stays_so_after_a_pause() -> None:
    clocks = happened(asked(), PlayerAway(seat=ALICE, until=at(200)), 10)
    clocks = happened(clocks, GamePaused(seat=BOB, until=at(500)), 20)
    clocks = happened(clocks, GameResumed(seat=BOB), 60)
    assert clocks.deadline(ALICE) is None
    assert happened(clocks, PlayerBack(seat=ALICE), 200).deadline(ALICE) == at(310)


def test_t23_a_seat_that_is_handed_over_waits_with_the_time_of_one_who_comes_back() -> None:
    taken = happened(absent(), SeatHandedOver(seat=ALICE), 400)
    assert taken.absent == frozenset() and taken.deadline(ALICE) == at(400 + 24 + 72)
