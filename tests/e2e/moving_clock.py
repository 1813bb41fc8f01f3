"""A service whose time a test moves: its processes and its database read one clock, which stands until it is moved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import UUID

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.pool import NullPool

from service.local.servers import LocalServers
from service.runtime import Runtime
from service.shared import clock
from service.store.migrations import upgrade
from tests.house import fresh_database, settings_on

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
"""A Monday."""

# The functions are found before PostgreSQL's own ones, by queries and by the defaults of columns, since the schema
# stands before pg_catalog. New tables go to the first schema, which stays `public`.
_CLOCK = """
create schema moved;
create table moved.clock (at timestamptz not null);
create function moved.clock_timestamp() returns timestamptz language sql volatile as 'select at from moved.clock';
create function moved.now() returns timestamptz language sql volatile as 'select at from moved.clock';
grant usage on schema moved to public;
grant select on moved.clock to public;
"""
_PATH = 'alter database "{}" set search_path = public, moved, pg_catalog'
_SET = text("insert into moved.clock values (:at)")
_MOVE = text("update moved.clock set at = :at")
# All parts of the service were there meanwhile: that nobody looked is no outage.
_SEEN = text("update last_seen set seen_at = :at")
_NEXT = text("select min(not_before) from outbox where state = 'pending' and game_id = :game")


@dataclass(slots=True)
class MovingClock:
    """The clock of a service, and the service, whose mails go to the mailbox of its settings."""

    owner: Engine
    runtime: Runtime
    now: datetime = field(default=NOON)

    def move(self, to: datetime) -> None:
        """Let the time pass until a moment, in which no part of the service fails."""
        assert to >= self.now, "time goes on"
        with self.owner.begin() as db:
            db.execute(_MOVE, {"at": to})
            db.execute(_SEEN, {"at": to})
        self.now = to

    def next_due(self, game: UUID) -> datetime | None:
        """Return when the next row of the outbox about a game is due, None if there is none."""
        with self.runtime.engine.connect() as db:
            due: datetime | None = db.execute(_NEXT, {"game": game}).scalar_one()
        return due


@contextmanager
def service_of_its_own(servers: LocalServers, name: str) -> Iterator[MovingClock]:
    """Yield the clock of a service on an empty database of its own, and empty the mailbox."""
    for mail in servers.mailbox.iterdir():
        mail.unlink()
    with fresh_database(servers, name.replace("-", "_")) as (owner_url, database_url):
        owner = create_engine(owner_url, poolclass=NullPool)
        with owner.begin() as db:
            db.exec_driver_sql(_CLOCK)
            db.exec_driver_sql(_PATH.format(owner.url.database))
            db.execute(_SET, {"at": NOON})
        upgrade(owner_url)
        runtime = Runtime.build(replace(settings_on(servers), database_url=database_url, redis_url=None))
        moved = MovingClock(owner, runtime)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(clock, "now", lambda: moved.now)
            try:
                yield moved
            finally:
                runtime.engine.dispose()
