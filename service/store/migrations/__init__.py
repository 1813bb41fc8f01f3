"""Brings a database to today's tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any, Final, cast

import psycopg
from alembic import command
from alembic.config import Config
from psycopg.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy import Connection, Engine, NullPool, create_engine, event, inspect, text
from sqlalchemy.exc import OperationalError

from service.store.connections import is_pooled, named_session, plain_address
from service.store.lock_waits import Blocker, blockers
from service.store.revision import Schema, read_schema

APPLICATION_ROLE = "boardroom_app"
_TRY_LOCK = text("""
select pg_try_advisory_xact_lock(hashtext('boardroom migrations')),
       set_config('idle_in_transaction_session_timeout', '0', true)
""")
_HAS_LOCK = text("""
select pid from pg_locks
 where locktype = 'advisory' and granted and objsubid = 1
   and database = (select oid from pg_database where datname = current_database())
   and objid = (hashtext('boardroom migrations')::bigint & 4294967295)::oid
""")
_AGAIN_SECONDS: Final = 0.1
_LOCK_PATIENCE_MS: Final = 200
"""A statement that changes a table waits for those who use it, and all who come after it wait behind it."""
_BEYOND_DEADLOCK_MS: Final = 500
"""An autovacuum ends for a statement that has waited for deadlock_timeout (1 s); a statement waits so much longer."""
_AUTOVACUUM = text("""
select (select setting::integer from pg_settings where name = 'deadlock_timeout') as deadlock_ms, exists (
  select from pg_locks held join pg_stat_activity session using (pid)
   where held.granted and held.mode = 'ShareUpdateExclusiveLock' and session.usesysid is null
     and held.database = (select oid from pg_database where datname = current_database())) as at_work
""")
"""Query for an autovacuum at work on a table: it has no role, which everybody may see."""
_PAUSE_SECONDS: Final = 0.5
_MOST_TRIES: Final = 600
_TOLD_AFTER_SECONDS: Final = 5.0
"""Seconds of waiting after which the cause is said."""
_TOLD_AGAIN_SECONDS: Final = 30.0
_ROLE = text("select 1 from pg_roles where rolname = :role")
_SCHEMA = text("select relnamespace::regnamespace::text from pg_class where oid = 'game'::regclass")
_GRANTS = (
    "grant usage on schema {schema} to {role}",
    "grant select, insert, update, delete on all tables in schema {schema} to {role}",
    "revoke all on alembic_version from {role}",
    "grant select on alembic_version to {role}",
    # Triggers refuse this to everybody; the application may not even ask.
    "revoke update, delete, truncate on event, seal, seal_day, operator_event from {role}",
    "revoke delete, truncate on game, seal_key from {role}",
    # Only its functions write there: they remove the events of a game with the row, and the row with its events.
    "revoke insert, update, delete, truncate on archived from {role}",
    "grant execute on function archive_game(uuid, integer, bytea, integer), unarchive_game(uuid) to {role}",
)


class NewerDatabase(Exception):
    """A newer version has taken away from the database what this one needs; nothing was changed."""

    def __init__(self, schema: Schema) -> None:
        super().__init__(schema.revision)
        self.schema = schema


class PooledDatabase(Exception):
    """A pooler stands before the database; nothing was changed."""


class LockedTable(Exception):
    """Others hold a table that a revision needs; the database stays at the revision before. Says who, if known."""


def configuration(db: Connection) -> Config:
    """Return alembic's configuration for work on the connection, without an ini file."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = db
    return config


def upgrade(database_url: str, tell: Callable[[str], object] = lambda _: None) -> None:
    """Bring the database to the newest revision, then grant the application's role what it needs.

    Safe to call at any time and from several processes at once, also while moves are made: none of them waits long for
    a revision. A revision that fails leaves the database at one that has been reached, from which the next call goes
    on. A database of a newer version is left as it is; raises NewerDatabase if this version cannot work with it. The
    role `boardroom_app` is optional. The tables stand in the first schema of the owner's search_path. Raises
    PooledDatabase: the limits of a pooled session are too short for a migration. `tell` is called with a sentence when
    others have been waited for five seconds, and again every half minute; if they do not end, LockedTable is raised.
    """
    engine = create_engine(database_url, poolclass=NullPool, connect_args=named_session())
    with _alone(engine, tell), engine.connect() as db:
        if is_pooled(db):
            raise PooledDatabase
        there = schema_of(db)
        if there.newer and not there.fits:
            raise NewerDatabase(there)
        if there.newer:
            return
        # Alembic begins and ends transactions by itself: an index is made outside of any, so as not to block moves.
        db.commit()
        patience = _Patience()
        event.listen(db, "begin", patience.begin)
        with _WatchedWaits(database_url, _number(db), tell) as waits:
            try:
                _try_again(db, lambda: command.upgrade(configuration(db), "head"), patience.choose)
                _try_again(db, lambda: _grant(db), patience.choose)
            except OperationalError as error:
                if isinstance(error.orig, LockNotAvailable):
                    raise LockedTable(waits.found) from error
                raise


def _grant(db: Connection) -> None:
    if db.execute(_ROLE, {"role": APPLICATION_ROLE}).first():
        schema = str(db.execute(_SCHEMA).scalar_one())
        for grant in _GRANTS:
            db.execute(text(grant.format(role=APPLICATION_ROLE, schema=schema)))


def _number(db: Connection) -> int:
    driver: psycopg.Connection[Any] = cast(Any, db.connection.driver_connection)
    return driver.info.backend_pid


class _Patience:
    """Lock timeout of a statement: short, or until an autovacuum in its way has ended for it."""

    def __init__(self) -> None:
        self._ms = _LOCK_PATIENCE_MS

    def begin(self, db: Connection) -> None:
        """Set it for the transaction that begins."""
        # Outside of a transaction, where indexes are made, it has no effect: that makes nobody wait.
        db.exec_driver_sql(f"set local lock_timeout = {self._ms}")

    def choose(self, db: Connection) -> None:
        """Choose it for the next try, by what is at work now."""
        found = db.execute(_AUTOVACUUM).one()
        db.rollback()
        self._ms = found.deadlock_ms + _BEYOND_DEADLOCK_MS if found.at_work else _LOCK_PATIENCE_MS


def _try_again(
    db: Connection, work: Callable[[], object], prepare: Callable[[Connection], None] = lambda _: None
) -> None:
    """Do the work again and again for as long as others hold a table that it needs, letting them through in between.

    `prepare` is called before each try but the first.
    """
    for tries in count(1):
        try:
            work()
            db.commit()
        except OperationalError as error:
            db.rollback()
            if not isinstance(error.orig, (LockNotAvailable, DeadlockDetected)) or tries == _MOST_TRIES:
                raise
            sleep(_PAUSE_SECONDS)
            prepare(db)
        else:
            return


class _WatchedWaits:
    """Looks, from a connection of its own, whom a session waits for, and tells once that has lasted some seconds."""

    def __init__(self, database_url: str, number: int, tell: Callable[[str], object]) -> None:
        """`number` is that of the session's process in the server."""
        self._address, self._number, self._tell = plain_address(database_url), number, tell
        self._over = Event()
        self._thread = Thread(target=self._watch, name="waits", daemon=True)
        self.found = "it is not known who"
        """Sessions last seen to block this session, in words."""

    def __enter__(self) -> _WatchedWaits:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        # Most of the time all is over before that, and nobody has to ask.
        if self._over.wait(1.0):
            return
        while not self._over.is_set():
            # A server that has no connection left may have one later.
            with suppress(psycopg.Error), psycopg.connect(self._address, autocommit=True, connect_timeout=5) as db:
                self._look(db)
            self._over.wait(1.0)

    def _look(self, db: psycopg.Connection[Any]) -> None:
        since = seen = told = 0.0
        while not self._over.wait(_AGAIN_SECONDS):
            found, now = blockers(db, self._number), monotonic()
            if not found:
                # Between two tries nothing is waited for.
                continue
            since = since if since and now - seen < _TOLD_AFTER_SECONDS else now
            seen, self.found = now, _named(found)
            if now - since >= _TOLD_AFTER_SECONDS and (not told or now - told >= _TOLD_AGAIN_SECONDS):
                told = now
                self._tell(f"A table cannot be changed yet: for {now - since:.0f} s it has been held by {self.found}.")


def _named(found: Sequence[Blocker]) -> str:
    return "; ".join(map(str, found))


def schema_of(db: Connection) -> Schema:
    """Return the revision of the database, also of one that has no tables yet."""
    return read_schema(db) if inspect(db).has_table("alembic_version") else Schema(None)


@contextmanager
def _alone(engine: Engine, tell: Callable[[str], object]) -> Iterator[None]:
    """Let one process at a time do the block.

    The others ask again and again. One that waited in a statement would hold a snapshot, for whose end CREATE INDEX
    CONCURRENTLY waits: neither would ever go on.
    """
    with engine.connect() as db:
        begun, told = monotonic(), 0.0
        while not db.execute(_TRY_LOCK).scalar_one():
            now = monotonic()
            if now - begun >= _TOLD_AFTER_SECONDS and (not told or now - told >= _TOLD_AGAIN_SECONDS):
                told = now
                holder = db.execute(_HAS_LOCK).scalar()
                tell(f"Another migration has been under way for {now - begun:.0f} s: process {holder} of PostgreSQL.")
            db.rollback()
            sleep(_AGAIN_SECONDS)
        yield
