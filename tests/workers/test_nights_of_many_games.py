"""A night costs as much as there was on the day before it, and not as much as all games ever."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, text

from service.runtime import Runtime
from service.shared import clock
from service.store import notices
from service.store.games import Games
from tests.builders import sealed_bids
from tests.superuser import Tamper
from tests.workers.crowd import crowd
from tests.workers.solo import state_of
from workers import proof
from workers.jobs import carry_out
from workers.proof import begin_night

MANY, SAMPLE, STEP = 5000, 20, 100
QUESTIONS = 25
"""So many times a row is read at most, each time for another question."""
ROWS = ("game", "event", "seat", "seed", "lobby_event", "seal")
_READ = """
select relname, seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables where relname = any(%s)
"""
_STRAYS = text("select game_id from outbox where kind = 'audit' and payload ? 'seq'")


@pytest.fixture(autouse=True)
def own_games(as_superuser: Tamper, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No games of other tests, and none for them; nights with few games, so that there are many others."""
    monkeypatch.setattr(proof, "SAMPLE", SAMPLE)
    monkeypatch.setattr(proof, "STEP", STEP)
    # Blocks are drawn at random: of so many rows enough are left to choose from, once in a thousand million nights not.
    monkeypatch.setattr(proof, "_AT_A_TIME", 16)
    as_superuser("truncate game, event, outbox, seal_day cascade")
    yield
    as_superuser("truncate game, event, outbox, seal_day cascade")
    as_superuser("vacuum analyze game, seed, seat, lobby_event, event")


@contextmanager
def read_rows(runtime: Runtime) -> Iterator[dict[str, int]]:
    """Count the rows of each table that the night has read, until the transaction settles it.

    PostgreSQL counts what a connection has read since it last reported that, which it does once a second at most: what
    was read there before the night begins, or begins again, is none of its own.
    """
    before: dict[str, int] = {}
    found: dict[str, int] = {}

    def look(*call: Any) -> None:
        begins, ends = "plan_cache_mode" in call[2], "done_at = clock_timestamp()" in call[2]
        if begins or ends:
            counted = dict(call[1].connection.execute(_READ, (list(ROWS),)).fetchall())
            before.update(counted if begins else {})
            found.update({name: count - before[name] for name, count in counted.items()} if ends else {})

    event.listen(runtime.engine, "before_cursor_execute", look)
    try:
        yield found
    finally:
        event.remove(runtime.engine, "before_cursor_execute", look)


def night(runtime: Runtime, day: int = 0) -> int:
    """Begin a night, so many days from now, and return its row."""
    then = clock.now() + timedelta(days=day)
    begin_night(runtime.engine, then)
    with runtime.engine.connect() as db:
        key = notices.night(then.date()).dedupe_key
        found: int = db.execute(text("select id from outbox where dedupe_key = :key"), {"key": key}).scalar_one()
        return found


def audits(runtime: Runtime) -> int:
    with runtime.engine.connect() as db:
        return int(db.execute(text("select count(*) from outbox where kind = 'audit'")).scalar_one())


def test_a_night_reads_the_games_of_the_day_and_some_others_and_leaves_the_rest_alone(
    runtime: Runtime, games: Games, as_superuser: Tamper
) -> None:
    crowd(as_superuser, sealed_bids(games).game.id, MANY)
    day = [sealed_bids(games).game.id for _ in range(3)]
    row = night(runtime)
    with read_rows(runtime) as read:
        carry_out(runtime, row)
    assert state_of(runtime, row) == ("done", 1)
    assert audits(runtime) == SAMPLE + len(day) + 1
    assert read.keys() == set(ROWS)
    assert max(read.values()) < QUESTIONS * (SAMPLE + STEP + len(day)) < MANY, read


def test_what_went_astray_long_ago_is_found_in_as_many_nights_as_there_are_steps(
    runtime: Runtime, games: Games, as_superuser: Tamper
) -> None:
    crowd(as_superuser, sealed_bids(games).game.id, 2 * STEP + 10)
    (host,) = as_superuser("select id from game order by id offset %s limit 1", (2 * STEP + 5,)).fetchone()
    (orphan,) = as_superuser("select id from game order by id offset %s limit 1", (STEP + 5,)).fetchone()
    as_superuser("update game set host = gen_random_uuid() where id = %s", (host,))
    as_superuser("delete from game where id = %s", (orphan,))
    found = []
    for day in range(3):
        carry_out(runtime, night(runtime, day))
        with runtime.engine.connect() as db:
            found.append(set(db.execute(_STRAYS).scalars()))
    # Any of them may be drawn before it is its turn.
    assert {orphan} <= found[1]
    assert {orphan, host} == found[2]
    with read_rows(runtime) as read:
        carry_out(runtime, night(runtime, 3))
    assert read["game"] > STEP, "it begins with the first games again"
