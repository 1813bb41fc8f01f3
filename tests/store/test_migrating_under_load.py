"""Moves go on while revisions are applied: one that has to wait for a table lets moves pass before it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic

import psycopg
from alembic import command
from sqlalchemy import create_engine

from service.local.processes import wait_until
from service.store.migrations import configuration, upgrade
from service.store.revision import NEWEST

GAME = "11111111-1111-1111-1111-111111111111"
BEFORE = "0025"
SET_UP = f"""
insert into player (id, name, language, created_at) values ('{GAME}', 'Alice', 'en', now());
insert into game (id, ruleset, seats, options, commitment, host, status, created_at)
values ('{GAME}', 'r', 2, '{{}}', 'c', '{GAME}', 'running', now())
"""
MOVE = f"update game set version = version + 1 where id = '{GAME}' and version = %s"
WAITING = "select count(*) from pg_locks l join pg_database d on d.oid = l.database where not granted and datname = %s"
REVISION = "select version_num from alembic_version"


def moves(address: str, enough: Event) -> list[float]:
    """Make moves until it is enough; return how long each of them took."""
    taken: list[float] = []
    with psycopg.connect(address, autocommit=True) as db:
        while not enough.wait(0.01):
            begun = monotonic()
            assert db.execute(MOVE, (len(taken),)).rowcount == 1
            taken.append(monotonic() - begun)
    return taken


def test_no_move_waits_while_a_revision_waits_for_a_table(empty_database: Callable[[], tuple[str, str]]) -> None:
    owner, _ = empty_database()
    address, enough = owner.replace("+psycopg", ""), Event()
    engine = create_engine(owner)
    with engine.begin() as db:
        command.upgrade(configuration(db), BEFORE)
    engine.dispose()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(SET_UP)
    with ThreadPoolExecutor(2) as threads, psycopg.connect(address, autocommit=True) as watching:
        # A report that takes long: it has read the games, and is not at its end.
        with psycopg.connect(address) as report:
            report.execute("select count(*) from game")
            making = threads.submit(moves, address, enough)
            upgrading = threads.submit(upgrade, owner)
            seen = 0

            def waited() -> bool:
                nonlocal seen
                (number,) = watching.execute(WAITING, (watching.info.dbname,)).fetchone() or (0,)
                seen += number > 0
                return seen > 5

            assert wait_until(waited, 60), "the revision has to wait for the report"
            # Longer than a move may wait.
            until = monotonic() + 2
            assert wait_until(lambda: monotonic() > until, 60)
            assert watching.execute(REVISION).fetchone() == (BEFORE,)
        upgrading.result(120)
        enough.set()
        taken = making.result(60)
        assert watching.execute(REVISION).fetchone() == (NEWEST,)
    assert len(taken) > 10
    assert max(taken) < 1, "no move waits for long"
