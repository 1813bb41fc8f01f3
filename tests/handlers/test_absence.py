"""Absences are announced within their limits, changed and ended (T-18)."""

from __future__ import annotations

from datetime import date, timedelta
from uuid import uuid4

import pytest

from service.handlers import people
from service.handlers.pace import AbsencePlan, Announced, announce_absence, change_absence, end_absence, is_away
from service.handlers.refusals import BadAbsence
from service.log.absences import last_day
from service.shared.refusal import NotFound
from service.store import pace
from service.store.games import Games
from service.store.pace import AbsenceRow
from tests.away import DAY, HOUR, NOON, Clock, stopped_clock
from tests.people import Person, alice

TODAY = date(2026, 3, 2)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stopped_clock(monkeypatch)


@pytest.fixture
def traveller(games: Games, clock: Clock) -> Person:
    """Alice, who lives in New York, five hours behind."""
    person = alice(games)
    people.change_player(games, person.id, {"time_zone": "America/New_York"}, NOON)
    return person


def kept(games: Games, person: Person) -> list[AbsenceRow]:
    with games.engine.connect() as db:
        return pace.absences_of_player(db, person.id)


def days(first: int, last: int) -> AbsencePlan:
    """An absence from and to days after today."""
    return AbsencePlan(TODAY + timedelta(days=last), TODAY + timedelta(days=first))


def test_t18_an_absence_lasts_from_the_first_to_the_last_day_in_the_players_zone(
    games: Games, traveller: Person
) -> None:
    row = announce_absence(games, traveller.id, days(1, 3), NOON).row
    assert row.begins.isoformat() == "2026-03-03T05:00:00+00:00"
    assert row.ends.isoformat() == "2026-03-06T05:00:00+00:00"


def test_t18_an_absence_from_today_begins_at_once(games: Games, traveller: Person) -> None:
    assert announce_absence(games, traveller.id, AbsencePlan(TODAY), NOON).row.begins == NOON
    with games.engine.connect() as db:
        assert is_away(db, traveller.id, NOON)
        assert not is_away(db, traveller.id, NOON - HOUR)
        assert not is_away(db, traveller.id, NOON + DAY)


@pytest.mark.parametrize(
    ("plan", "case", "pointer"),
    [
        (days(-1, 3), "past", "/from"),
        (AbsencePlan(TODAY - DAY), "past", "/until"),
        (days(3, 2), "backwards", "/until"),
        (days(31, 32), "far", "/from"),
        (days(0, 21), "long", "/until"),
        (AbsencePlan(date.max, TODAY), "long", "/until"),
        (AbsencePlan(TODAY, zone="Mars/Olympus"), "zone", "/time_zone"),
        (AbsencePlan(TODAY, zone="../etc/passwd"), "zone", "/time_zone"),
        (AbsencePlan(TODAY, zone="\0"), "zone", "/time_zone"),
    ],
)
def test_t18_what_is_beyond_the_limits_is_refused_and_changes_nothing(
    games: Games, traveller: Person, plan: AbsencePlan, case: str, pointer: str
) -> None:
    with pytest.raises(BadAbsence) as refused:
        announce_absence(games, traveller.id, plan, NOON)
    assert refused.value.case == case
    assert refused.value.members["errors"][0]["pointer"] == pointer
    assert kept(games, traveller) == []


def test_t18_the_longest_and_the_furthest_are_allowed(games: Games, traveller: Person) -> None:
    announced = announce_absence(games, traveller.id, days(30, 50), NOON)
    assert announced.days_left == 21


def test_t18_absences_that_overlap_are_one_and_count_once(games: Games, traveller: Person) -> None:
    announce_absence(games, traveller.id, days(5, 8), NOON)
    announced = announce_absence(games, traveller.id, days(7, 12), NOON)
    (row,) = kept(games, traveller)
    assert row.id == announced.row.id
    assert (last_day(row.span, announced.zone), announced.days_left) == (TODAY + 12 * DAY, 42 - 8)


def test_t18_joined_absences_may_not_be_longer_than_three_weeks(games: Games, traveller: Person) -> None:
    announce_absence(games, traveller.id, days(1, 15), NOON)
    with pytest.raises(BadAbsence) as refused:
        announce_absence(games, traveller.id, days(16, 25), NOON)
    assert refused.value.case == "long"


def test_t18_there_are_forty_two_days_in_twelve_months(games: Games, traveller: Person, clock: Clock) -> None:
    for _ in range(2):
        announce_absence(games, traveller.id, days((clock.now - NOON).days, (clock.now - NOON).days + 20), clock.now)
        clock.pass_time(30 * DAY)
    with pytest.raises(BadAbsence) as refused:
        announce_absence(games, traveller.id, AbsencePlan(TODAY + 60 * DAY), clock.now)
    assert refused.value.case == "many"
    # A year after the first of these days it is no longer counted.
    clock.pass_time(305 * DAY)
    assert announce_absence(games, traveller.id, AbsencePlan(clock.now.date()), clock.now).days_left == 0


def test_t18_a_day_is_counted_once_however_often_one_leaves_on_it(games: Games, traveller: Person) -> None:
    for hour in range(5):
        announced = announce_absence(games, traveller.id, AbsencePlan(TODAY), NOON + hour * HOUR)
        end_absence(games, traveller.id, announced.row.id, NOON + hour * HOUR + HOUR / 2)
        assert announced.days_left == 41
    with pytest.raises(BadAbsence) as refused:
        announce_absence(games, traveller.id, AbsencePlan(TODAY), NOON + 6 * HOUR)
    assert refused.value.case == "often"


def test_t18_an_absence_is_changed_until_it_is_over(games: Games, traveller: Person) -> None:
    row = announce_absence(games, traveller.id, days(0, 9), NOON).row
    shorter = change_absence(games, traveller.id, row.id, AbsencePlan(TODAY + 3 * DAY), NOON + HOUR)
    assert (shorter.row.begins, shorter.days_left) == (NOON, 38)
    longer = change_absence(games, traveller.id, row.id, AbsencePlan(TODAY + 20 * DAY), NOON + HOUR)
    assert longer.days_left == 21
    with pytest.raises(BadAbsence):
        change_absence(games, traveller.id, row.id, AbsencePlan(TODAY + 21 * DAY), NOON + HOUR)
    with pytest.raises(NotFound):
        change_absence(games, traveller.id, row.id, AbsencePlan(TODAY + 40 * DAY), NOON + 30 * DAY)


def test_t18_who_is_away_and_says_so_again_changes_the_last_day(games: Games, traveller: Person) -> None:
    row = announce_absence(games, traveller.id, days(0, 9), NOON).row
    again = announce_absence(games, traveller.id, AbsencePlan(TODAY + 2 * DAY), NOON + HOUR)
    assert (again.row.id, again.days_left) == (row.id, 39)


def test_t18_an_absence_is_ended_early_or_called_off(games: Games, traveller: Person) -> None:
    begun, later = (announce_absence(games, traveller.id, plan, NOON).row for plan in (days(0, 5), days(10, 12)))
    end_absence(games, traveller.id, later.id, NOON + HOUR)
    end_absence(games, traveller.id, None, NOON + HOUR)
    (row,) = kept(games, traveller)
    assert (row.id, row.ends) == (begun.id, NOON + HOUR)
    for each in (begun.id, later.id, uuid4(), None):
        with pytest.raises(NotFound):
            end_absence(games, traveller.id, each, NOON + 2 * HOUR)


def test_an_absence_is_its_players_own(games: Games, traveller: Person) -> None:
    row = announce_absence(games, traveller.id, days(1, 5), NOON).row
    stranger = alice(games)
    with pytest.raises(NotFound):
        change_absence(games, stranger.id, row.id, AbsencePlan(TODAY + DAY), NOON)
    with pytest.raises(NotFound):
        end_absence(games, stranger.id, row.id, NOON)
    assert [each.id for each in kept(games, traveller)] == [row.id]


def test_a_zone_given_with_the_days_holds_for_them(games: Games, traveller: Person) -> None:
    announced: Announced = announce_absence(
        games, traveller.id, AbsencePlan(TODAY, zone="Pacific/Auckland"), NOON - 2 * HOUR
    )
    assert announced.row.ends.isoformat() == "2026-03-02T11:00:00+00:00"
