"""Indexes are made while the outbox is written to, and made anew if that was broken off."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
from alembic import command
from sqlalchemy import create_engine

from service.local.supervisor import wait_until
from service.store.migrations import configuration, upgrade

WRITE = "insert into outbox (dedupe_key, kind, payload) values (%s, 'lapse', '{}')"
MAKING = "select count(*) from pg_stat_activity where query like 'create index concurrently%%' and datname = %s"
VALID = "select count(*) from pg_index where indrelid = 'outbox'::regclass and indisvalid"


def before_the_indexes(owner: str) -> str:
    """Bring the database to the revision before the indexes; return its address for psycopg."""
    engine = create_engine(owner)
    with engine.begin() as db:
        command.upgrade(configuration(db), "0032")
    engine.dispose()
    return owner.replace("+psycopg", "")


def connect(address: str) -> psycopg.Connection[Any]:
    return psycopg.connect(address, autocommit=True)


def test_the_outbox_is_written_to_while_its_indexes_are_made(empty_database: Callable[[], tuple[str, str]]) -> None:
    owner, _ = empty_database()
    address = before_the_indexes(owner)
    with ThreadPoolExecutor(1) as threads, connect(address) as other, psycopg.connect(address) as slow:
        slow.execute(WRITE, ("slow",))
        running = threads.submit(upgrade, owner)
        assert wait_until(lambda: other.execute(MAKING, (other.info.dbname,)).fetchone() == (1,), 60)

        other.execute("set statement_timeout = '2s'")
        other.execute(WRITE, ("other",))

        slow.commit()
        running.result(60)
        assert other.execute(VALID).fetchone() == (8,)


def test_an_index_whose_making_was_broken_off_is_made_anew(empty_database: Callable[[], tuple[str, str]]) -> None:
    owner, _ = empty_database()
    address = before_the_indexes(owner)
    with connect(address) as db:
        db.execute("create index outbox_dead on outbox (kind) where state = 'dead'")

    upgrade(owner)

    with connect(address) as db:
        assert db.execute(VALID).fetchone() == (8,)
