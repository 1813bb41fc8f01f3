"""No time lapses while a player is away as announced, whatever is killed in between; and the record holds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.audit.inspect import examine, whole_record
from service.handlers.pace import (
    AbsencePlan,
    announce_absence,
    change_absence,
    end_absence,
    is_away,
    note_absences,
    tell_absences,
)
from service.log.recorded import milliseconds
from service.record.verify import verify
from service.rules.shared_events import PlayerAway, PlayerBack, TimeGiven, TimeLapsed
from service.runtime import Runtime
from service.shared import clock as real
from service.store.games import Games
from tests.away import DAY, HOUR, NOON, Clock, carry_out, clocked, deadline_of, due_rows, stopped_clock, told
from tests.builders import finished, now_at
from tests.lapsing import begun, carried_out
from tests.people import Person, alice, bob, carol
from tests.record.records import RULESETS, SEALED_AT, SIGNER
from workers import pace as worker

TODAY = NOON.date()
FACTS = (PlayerAway, PlayerBack, TimeGiven)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stopped_clock(monkeypatch)


@pytest.fixture
def people(games: Games, clock: Clock) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def test_t22_no_lapse_while_the_log_does_not_say_yet_that_the_player_is_away(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    position = clocked(games, people)
    deadline = deadline_of(position, 0)
    announce_absence(games, people[0].id, AbsencePlan(TODAY + 6 * DAY, TODAY + 4 * DAY), clock.now)
    # All workers are dead from before the absence begins until the deadline has passed, in the middle of it.
    clock.now = NOON + 5 * DAY + HOUR
    assert deadline < milliseconds(clock.now)
    with games.engine.connect() as db:
        assert is_away(db, people[0].id, clock.now)
    with games.engine.begin() as db:
        held = note_absences(db, games.lock(db, position.game.id), clock.now)
    assert held.clocks and held.clocks.deadline(0) is None
    clock.now = NOON + 5 * DAY + timedelta(days=1, hours=12)
    carry_out(runtime, people[0], clock.now)
    # What was left when the absence began is left at the return.
    begun = milliseconds(NOON + timedelta(days=3, hours=12))
    assert deadline_of(now_at(games, position.game.id), 0) == milliseconds(clock.now) + deadline - begun
    assert told(games, position.game.id, TimeLapsed) == []


def test_t22_a_lapse_that_is_carried_out_before_the_absence_is_told_gives_way(runtime: Runtime, games: Games) -> None:
    # Real clocks: the hour of each seat was over an hour ago, and Alice has been away for an hour and a half.
    people = [alice(games), bob(games), carol(games)]
    position = begun(games, 2 * HOUR, people=people)
    left = real.now() - 1.5 * HOUR
    announce_absence(games, people[0].id, AbsencePlan(left.date() + 2 * DAY), left)
    after = carried_out(runtime, position)
    after = carried_out(runtime, after)
    assert {each.event.seat for each in told(games, position.game.id, TimeLapsed)} == {1, 2}
    assert [type(each.event) for each in told(games, position.game.id, *FACTS)] == [TimeGiven, PlayerAway]
    assert after.clocks and after.clocks.deadline(0) is None
    end_absence(games, people[0].id, None, real.now())
    carry_out(runtime, people[0], real.now())
    # Half an hour was left when Alice went.
    assert abs(deadline_of(now_at(games, position.game.id), 0) - milliseconds(real.now() + HOUR / 2)) < 60_000


def test_t22_an_absence_that_came_and_went_while_no_worker_lived_costs_no_time(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    position = clocked(games, people)
    deadline = deadline_of(position, 0)
    announce_absence(games, people[0].id, AbsencePlan(TODAY + 6 * DAY, TODAY + 4 * DAY), clock.now)
    clock.now = NOON + 7 * DAY
    assert deadline < milliseconds(clock.now)
    carry_out(runtime, people[0], clock.now)
    assert deadline_of(now_at(games, position.game.id), 0) == deadline + 3 * 24 * 3600_000
    carry_out(runtime, people[0], clock.now)
    assert len(told(games, position.game.id, TimeGiven)) == 1


def test_t36_a_record_with_absences_of_every_kind_holds(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    longest = announce_absence(games, people[2].id, AbsencePlan(TODAY + 21 * DAY, TODAY + DAY), clock.now).row
    assert longest.ends - longest.begins == 21 * DAY
    position = clocked(games, people)
    carry_out(runtime, people[2], clock.pass_time(DAY / 2))
    row = announce_absence(games, people[0].id, AbsencePlan(TODAY + 3 * DAY), clock.now).row
    carry_out(runtime, people[0], clock.now)
    change_absence(games, people[0].id, row.id, AbsencePlan(TODAY + 2 * DAY), clock.pass_time(HOUR))
    carry_out(runtime, people[0], clock.now)
    # One that is told late, and one of which nothing was told before it was over.
    announce_absence(games, people[1].id, AbsencePlan(TODAY + 2 * DAY, TODAY + 2 * DAY), clock.now)
    carry_out(runtime, people[0], clock.pass_time(3 * DAY))
    carry_out(runtime, people[1], clock.now)
    announce_absence(games, people[0].id, AbsencePlan(clock.now.date() + DAY), clock.now)
    carry_out(runtime, people[0], clock.pass_time(HOUR))
    assert [type(each.event).__name__ for each in told(games, position.game.id, *FACTS)] == [
        *["PlayerAway", "PlayerAway", "PlayerBack", "PlayerAway", "PlayerBack"],
        *["TimeGiven", "PlayerAway", "PlayerBack", "TimeGiven", "PlayerAway"],
    ]
    finished(games, now_at(games, position.game.id))
    with games.engine.connect() as db:
        record = whole_record(db, games, position.game.id)
    record.seal(SIGNER, SEALED_AT)
    report = verify(record.text(), RULESETS)
    assert all(finding.holds for finding in report.findings), report.findings


def test_t36_an_absence_that_ends_while_it_is_told_has_begun_before_that(
    games: Games, clock: Clock, people: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    position = clocked(games, people)
    ends = announce_absence(games, people[0].id, AbsencePlan(TODAY), clock.now).row.ends
    clock.now = ends - timedelta(milliseconds=5)
    # Each look at the clock takes three milliseconds, as on a machine that is busy.
    monkeypatch.setattr(real, "now", lambda: clock.pass_time(timedelta(milliseconds=3)))
    tell_absences(games, position.game.id)
    (away,) = told(games, position.game.id, PlayerAway)
    assert away.event.until == milliseconds(ends) and away.at < ends
    with games.engine.connect() as db:
        assert examine(db, games, position.game.id) == now_at(games, position.game.id).version


def test_t37_a_process_whose_clock_is_behind_waits_for_its_own_clock(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    position = clocked(games, people)
    announce_absence(games, people[0].id, AbsencePlan(TODAY), clock.now + HOUR)
    (row,) = due_rows(runtime, people[0], clock.now + HOUR)[:1]
    worker.carry_out_absence(runtime, row)
    assert told(games, position.game.id, PlayerAway) == []
    clock.pass_time(HOUR)
    worker.carry_out_absence(runtime, row)
    assert len(told(games, position.game.id, PlayerAway)) == 1
