"""How long this release's revisions take on a large database, and how long moves wait meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import perf_counter
from typing import Any, Final
from uuid import uuid4

import psycopg

from service.store.migrations import upgrade
from service.store.revision import NEWEST
from tests.bench.figures import figure, percentile

MOVERS: Final = 2
PAUSE: Final = 0.005
"""Seconds between two moves."""
_REVISION = "select version_num from alembic_version"
_PLAYER = "insert into player (id, name, language, created_at) values (%(id)s, 'Alice', 'en', now())"
_GAME = """
insert into game (id, ruleset, seats, options, commitment, host, status, created_at)
values (%(id)s, 'r', 2, '{}', 'c', %(id)s, 'running', now())
"""
# What an action writes, as far as both the older and the newer version do.
_MOVE = """
with moved as (
  update game set version = version + 1, since = now() where id = %(id)s and version = %(version)s returning id
), written as (
  insert into event (game_id, seq, name, data, seat, door, decision, at)
  select id, %(version)s + 1, 'something-said', '{"seat":0}', 0, 'api', 1, now() from moved
), told as (
  insert into outbox (dedupe_key, kind, game_id, payload, state, done_at)
  select 'move:' || id || ':' || %(version)s, 'message', id, '{}', 'done', now() from moved
)
update token set last_used_at = now() where player_id in (select id from moved)
"""
# The games of the movers are none that an audit accepts.
_REMOVE = (
    "set session_replication_role = replica",
    "delete from event where game_id = %(id)s",
    "delete from outbox where game_id = %(id)s",
    "delete from game where id = %(id)s",
    "delete from player where id = %(id)s",
)


def main(owner: str, superuser: str) -> None:
    """Bring the database to the newest revision while moves are made, and print the figures."""
    with psycopg.connect(superuser, autocommit=True) as db:
        there = db.execute(_REVISION).fetchone()
    if there == (NEWEST,):
        return
    enough = Event()
    with ThreadPoolExecutor(MOVERS) as threads:
        moving = [threads.submit(_moves, superuser, enough) for _ in range(MOVERS)]
        begun = perf_counter()
        upgrade(owner)
        taken = perf_counter() - begun
        enough.set()
        waits = [wait for each in moving for wait in each.result()]
    figure("migrations_s", taken, "s", 20, 5, from_revision=there and there[0], to_revision=NEWEST)
    more: dict[str, Any] = {"moves": len(waits), "p50_ms": percentile(waits, 0.5) * 1000}
    figure("longest_wait_of_a_move_s", max(waits), "s", 1.0, 0.3, **more)


def _moves(superuser: str, enough: Event) -> list[float]:
    taken: list[float] = []
    game = {"id": uuid4()}
    with psycopg.connect(superuser, autocommit=True) as db:
        db.execute(_PLAYER, game)
        db.execute(_GAME, game)
        while not enough.wait(PAUSE):
            begun = perf_counter()
            db.execute(_MOVE, {**game, "version": len(taken)})
            taken.append(perf_counter() - begun)
        for statement in _REMOVE:
            db.execute(statement, game if "%" in statement else None)
    return taken
