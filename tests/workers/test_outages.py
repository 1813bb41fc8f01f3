"""Outages: no wait lapses for a time in which the service could not have told or heard its player (T-15)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import event as sqlalchemy_event
from sqlalchemy import text

from service.local.supervisor import wait_until
from service.log.recorded import milliseconds
from service.rules.pace import PACES
from service.rules.shared_events import TimeGiven, TimeLapsed
from service.runtime import Runtime
from service.shared import clock
from service.store import pace
from service.store.games import Games, Position
from service.store.pace import RecentOutages
from tests.builders import now_at
from tests.house import forget_what_is_due
from tests.lapsing import HOUR, HOURLY, begun, carried_out, logged, pending, read, seen
from workers.effects import of_urgency
from workers.pace import Lookout
from workers.relay import Relay

ALICE, BOB, CAROL = 0, 1, 2
MINUTE = timedelta(minutes=1)
MAILS = of_urgency("awaited", "mail")
_BEAT = text("""
insert into heartbeat (process, part, host, pid, parent, started_at, beat_at, patience)
values (:process, :part, 'here', 1, 1, :at, :again, 15)
""")
_LATE = text("""
update outbox set due_at = :at, not_before = clock_timestamp() + interval '1 h', attempts = :attempts
 where kind = 'turn-mail' and state = 'pending'
""")
_LEFT = text("""
update outbox set state = 'done', done_at = clock_timestamp() where id = (
  select min(id) from outbox where kind = 'turn-mail' and state = 'pending')
""")


@pytest.fixture(autouse=True)
def nothing_else(runtime: Runtime) -> Iterator[None]:
    forget_what_is_due(runtime)
    yield
    forget_what_is_due(runtime)


def looked(games: Games) -> list[tuple[str, timedelta]]:
    """Look once; return what was not there, and for how long."""
    with games.engine.begin() as db:
        return [(each.what, each.ended - each.began) for each in pace.note_outages(db, MAILS)]


def beats(games: Games, part: str, at: datetime, again: datetime | None = None) -> None:
    """Have a process begin at a moment, with a heartbeat then, or with the last one again at another."""
    with games.engine.begin() as db:
        db.execute(_BEAT, {"process": uuid4(), "part": part, "at": at, "again": again or at})


def deadlines(position: Position) -> list[int | None]:
    assert position.clocks is not None
    return [position.clocks.deadline(seat) for seat in range(position.game.seats)]


def all_there(games: Games) -> None:
    for what in ("relay", "mail", "web"):
        seen(games, what, clock.now())


def test_t15_after_hours_without_a_relay_time_is_given_before_anything_lapses(runtime: Runtime, games: Games) -> None:
    position = begun(games, 2 * HOUR)
    seen(games, "relay", clock.now() - 6 * HOUR)
    relay = Relay(replace(runtime, redis=None))
    assert wait_until(lambda: not relay.drain() and len(logged(games, position, TimeGiven)) == 3, 60)
    assert not logged(games, position, TimeLapsed)
    now = milliseconds(clock.now())
    for before, after in zip(deadlines(position), deadlines(now_at(games, position.game.id)), strict=True):
        assert before is not None and after is not None
        assert after >= before + 2 * 3600_000, "the two hours of the outage that lie in the wait"
        assert now + 3590_000 <= after <= now + 3660_000, "the respite of this table is its free hour"
    told = logged(games, position, TimeGiven)
    assert [(each.seat, each.door, each.event.by, each.event.reason) for each in told] == [
        (seat, "timeout", None, "outage") for seat in (ALICE, BOB, CAROL)
    ]
    relay.drain()
    carried_out(runtime, position)
    assert len(logged(games, position, TimeGiven)) == 3


def test_t15_a_job_left_from_before_lets_nothing_lapse_while_no_relay_has_looked(
    runtime: Runtime, games: Games
) -> None:
    position = begun(games, 2 * HOUR)
    seen(games, "relay", clock.now() - 4 * MINUTE)
    row = pending(games, position)[0]
    carried_out(runtime, position)
    assert not logged(games, position, TimeLapsed, TimeGiven)
    left = read(games, row.id)
    assert left is not None and left.attempts == 0
    looked(games)
    carried_out(runtime, position)
    assert len(logged(games, position, TimeLapsed)) == 3, "they were due long before the four minutes"


def test_t15_a_relay_that_was_away_for_a_minute_was_not_away(runtime: Runtime, games: Games) -> None:
    position = begun(games, 2 * HOUR)
    seen(games, "relay", clock.now() - MINUTE)
    assert looked(games) == []
    carried_out(runtime, position)
    assert len(logged(games, position, TimeLapsed)) == 3


def test_t15_while_no_web_server_is_there_nothing_lapses_and_afterwards_time_is_given(
    runtime: Runtime, games: Games
) -> None:
    position = begun(games, 2 * HOUR)
    all_there(games)
    with games.engine.begin() as db:
        db.execute(text("delete from last_seen where what = 'web'"))
    beats(games, "web-1", clock.now() - 3 * HOUR)
    assert looked(games) == []
    carried_out(runtime, position)
    assert not logged(games, position, TimeLapsed, TimeGiven)
    beats(games, "web-2", clock.now())
    ((what, length),) = looked(games)
    assert (what, round(length / HOUR)) == ("web", 3)
    carried_out(runtime, position)
    assert len(logged(games, position, TimeGiven)) == 3 and not logged(games, position, TimeLapsed)


def test_t15_in_the_first_minute_without_a_web_server_nothing_lapses_and_afterwards_that_time_is_given(
    runtime: Runtime, games: Games
) -> None:
    position = begun(games, HOUR)
    all_there(games)
    beats(games, "web-1", clock.now() - MINUTE)
    for what, since in (("web", MINUTE), ("relay", timedelta(seconds=5))):
        seen(games, what, clock.now() - since)
    assert looked(games) == []
    carried_out(runtime, position)
    assert not logged(games, position, TimeLapsed, TimeGiven), "a player who moves now is not heard"
    beats(games, "web-2", clock.now())
    assert [what for what, _ in looked(games)] == ["web"]
    carried_out(runtime, position)
    assert [60 <= each.event.seconds <= 75 for each in logged(games, position, TimeGiven)] == [True] * 3
    assert not logged(games, position, TimeLapsed)


def test_t15_a_restart_of_relay_and_web_servers_gives_the_time_that_it_took(runtime: Runtime, games: Games) -> None:
    position = begun(games, HOUR)
    for what in ("relay", "mail", "web"):
        seen(games, what, clock.now() - MINUTE)
    beats(games, "web-2", clock.now())
    assert [what for what, _ in looked(games)] == ["web"]
    carried_out(runtime, position)
    assert len(logged(games, position, TimeGiven)) == 3 and not logged(games, position, TimeLapsed)


def test_t15_web_servers_that_were_there_while_the_relay_was_busy_were_not_away(runtime: Runtime, games: Games) -> None:
    position = begun(games, 2 * HOUR)
    for what in ("relay", "mail", "web"):
        seen(games, what, clock.now() - MINUTE)
    beats(games, "web-1", clock.now() - 2 * HOUR, again=clock.now())
    assert looked(games) == []
    carried_out(runtime, position)
    assert len(logged(games, position, TimeLapsed)) == 3


@pytest.mark.parametrize("attempts", [0, 1])
def test_t15_while_no_mail_leaves_nothing_lapses_and_afterwards_time_is_given(
    runtime: Runtime, games: Games, attempts: int
) -> None:
    position = begun(games, 2 * HOUR)
    all_there(games)
    with games.engine.begin() as db:
        db.execute(_LATE, {"at": clock.now() - 90 * MINUTE, "attempts": attempts})
    assert looked(games) == []
    carried_out(runtime, position)
    assert not logged(games, position, TimeLapsed, TimeGiven)
    with games.engine.begin() as db:
        db.execute(_LEFT)
    ((what, length),) = looked(games)
    assert (what, round(length / MINUTE)) == ("mail", 90)
    carried_out(runtime, position)
    assert len(logged(games, position, TimeGiven)) == 3 and not logged(games, position, TimeLapsed)


def test_t15_an_address_that_cannot_be_reached_is_no_outage(runtime: Runtime, games: Games) -> None:
    position = begun(games, 2 * HOUR)
    all_there(games)
    with games.engine.begin() as db:
        db.execute(_LATE, {"at": clock.now() - 90 * MINUTE, "attempts": 2})
    looked(games)
    carried_out(runtime, position)
    assert len(logged(games, position, TimeLapsed)) == 3


def test_t15_a_deadline_within_the_respite_is_moved_as_soon_as_the_outage_is_over(
    runtime: Runtime, games: Games
) -> None:
    soon, late = begun(games, 30 * MINUTE), begun(games, timedelta(0), PACES["daily"])
    before = [(row.id, read(games, row.id)) for position in (soon, late) for row in pending(games, position)]
    seen(games, "relay", clock.now() - 2 * HOUR)
    relay = Relay(replace(runtime, redis=None))
    assert wait_until(lambda: not relay.drain() and len(logged(games, soon, TimeGiven)) == 3, 60)
    assert not logged(games, late, TimeGiven)
    assert all(read(games, row_id) for row_id, _ in before[3:])
    assert deadlines(now_at(games, late.game.id)) == deadlines(late)


def test_t15_killed_between_the_outage_and_the_time_given_the_next_relay_gives_it(
    runtime: Runtime, games: Games
) -> None:
    position = begun(games, 2 * HOUR)
    seen(games, "relay", clock.now() - 6 * HOUR)

    class Killed(BaseException):
        pass

    def die(_connection: Any) -> None:
        raise Killed

    sqlalchemy_event.listen(games.engine, "commit", die)
    try:
        with pytest.raises(Killed):
            Lookout(games.engine, MAILS).look()
    finally:
        sqlalchemy_event.remove(games.engine, "commit", die)
    carried_out(runtime, position)
    assert not logged(games, position, TimeLapsed), "nobody has looked yet"
    # The next one is killed after it has written the outage down, and before it hands anything out.
    Lookout(games.engine, MAILS).look()
    carried_out(runtime, position)
    carried_out(runtime, position)
    assert len(logged(games, position, TimeGiven)) == 3 and not logged(games, position, TimeLapsed)
    with games.engine.connect() as db:
        assert len(pace.recent_outages(db, clock.now() - timedelta(days=1)).over) == 1


def test_t15_what_was_not_there_together_is_given_once(runtime: Runtime, games: Games) -> None:
    position = begun(games, 2 * HOUR, replace(HOURLY, free=2 * 3600, bank=0))
    for what in ("relay", "mail", "web"):
        seen(games, what, clock.now() - 3 * HOUR)
    beats(games, "web", clock.now())
    assert sorted(what for what, _ in looked(games)) == ["relay"]
    carried_out(runtime, position)
    now = milliseconds(clock.now())
    for after in deadlines(now_at(games, position.game.id)):
        assert after is not None and now + 7190_000 <= after <= now + 7210_000


def test_t15_what_began_before_the_relay_was_away_is_written_down_too(games: Games) -> None:
    for what, hours in (("relay", 1), ("mail", 1), ("web", 5)):
        seen(games, what, clock.now() - hours * HOUR)
    beats(games, "web-1", clock.now())
    assert sorted((what, round(length / HOUR)) for what, length in looked(games)) == [("relay", 1), ("web", 5)]


def test_t15_a_clock_of_the_database_that_was_put_back_is_no_outage(games: Games) -> None:
    all_there(games)
    seen(games, "relay", clock.now() + 5 * HOUR)
    assert looked(games) == []
    with games.engine.connect() as db:
        assert pace.recent_outages(db, clock.now()) == RecentOutages([], False)


def test_t15_a_look_is_taken_every_few_seconds_only(games: Games) -> None:
    now = [100.0]
    lookout = Lookout(games.engine, MAILS, lambda: now[0])
    lookout.look()
    seen(games, "relay", clock.now() - HOUR)
    now[0] += 4.9
    lookout.look()
    with games.engine.connect() as db:
        assert pace.recent_outages(db, clock.now() - HOUR) == RecentOutages([], True)
    now[0] += 0.2
    lookout.look()
    with games.engine.connect() as db:
        found = pace.recent_outages(db, clock.now() - HOUR)
    assert (len(found.over), found.goes_on) == (1, False)
