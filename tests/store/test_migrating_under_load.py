"""Moves go on while revisions are applied: one that has to wait for a table lets moves pass before it.

A revision that waits says for whom, and an autovacuum does not keep it waiting.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from time import monotonic

import psycopg
from alembic import command
from sqlalchemy import create_engine

from service.local.postgres import SUPERUSER
from service.local.servers import LocalServers
from service.local.supervisor import wait_until
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


def at_revision(owner: str, revision: str) -> None:
    engine = create_engine(owner)
    with engine.begin() as db:
        command.upgrade(configuration(db), revision)
    engine.dispose()


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
    at_revision(owner, BEFORE)
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


VACUUMED_SLOWLY = f"""
insert into game (id, ruleset, seats, options, commitment, host, status, created_at)
select gen_random_uuid(), repeat('r', 900), 2, '{{}}', 'c', '{GAME}', 'running', now() from generate_series(1, 2000);
update game set version = 1;
alter table game set (autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1,
                      autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)
"""
"""Gives a vacuum of the games, which have 500 pages, work for more than a minute."""
VACUUMS = "select count(*) from pg_stat_progress_vacuum where relid = 'game'::regclass"
FASTER = 20
"""Seconds, of which all revisions take about two: an autovacuum costs them little more than deadlock_timeout (1 s)."""


def test_a_revision_gets_past_an_autovacuum(scratch: Path) -> None:
    with LocalServers(scratch, wanted=frozenset({"postgres"}), durable=False) as servers:
        assert servers.postgres is not None
        at_revision(servers.owner_url, BEFORE)
        superuser = f"host={servers.postgres.sockets} user={SUPERUSER} dbname=boardroom"
        with psycopg.connect(superuser, autocommit=True) as db:

            def naps(seconds: int) -> None:
                db.execute(f"alter system set autovacuum_naptime = '{seconds} s'")
                db.execute("select pg_reload_conf()")

            # given an autovacuum that has work for more than a minute on a table that revisions change
            db.execute(SET_UP)
            db.execute(VACUUMED_SLOWLY)
            naps(1)
            assert wait_until(lambda: db.execute(VACUUMS).fetchone() == (1,), 60)
            naps(600)
            # when the database is brought up to date
            begun = monotonic()
            upgrade(servers.owner_url)
            # then the autovacuum has ended for it
            assert monotonic() - begun < FASTER
            assert db.execute(REVISION).fetchone() == (NEWEST,)
            assert db.execute(VACUUMS).fetchone() == (0,)


def test_a_revision_that_waits_says_for_whom(empty_database: Callable[[], tuple[str, str]]) -> None:
    owner, _ = empty_database()
    at_revision(owner, BEFORE)
    told, begun = list[str](), monotonic()
    with ThreadPoolExecutor(1) as threads:
        with psycopg.connect(owner.replace("+psycopg", ""), application_name="report") as report:
            report.execute("select count(*) from game where options::text like '%the red card%'")
            upgrading = threads.submit(upgrade, owner, told.append)
            assert wait_until(lambda: bool(told), 30)
            number = report.info.backend_pid
            after = monotonic() - begun
        upgrading.result(120)
    assert after < 15, "it is said after five seconds"
    (said,) = told
    assert f"held by process {number} of PostgreSQL (report, idle in transaction, select, transaction open for" in said
    assert "red card" not in said


def test_a_second_migration_says_that_another_one_is_under_way(empty_database: Callable[[], tuple[str, str]]) -> None:
    owner, _ = empty_database()
    told = list[str]()
    with ThreadPoolExecutor(1) as threads, psycopg.connect(owner.replace("+psycopg", "")) as other:
        other.execute("select pg_advisory_xact_lock(hashtext('boardroom migrations'))")
        upgrading = threads.submit(upgrade, owner, told.append)
        assert wait_until(lambda: bool(told), 30)
        number = other.info.backend_pid
        other.rollback()
        upgrading.result(120)
    assert told[0].endswith(f"process {number} of PostgreSQL.")
