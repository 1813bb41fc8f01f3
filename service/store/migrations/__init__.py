"""Brings a database to today's tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import sleep
from typing import Final

from alembic import command
from alembic.config import Config
from psycopg.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy import Connection, Engine, NullPool, create_engine, event, inspect, text
from sqlalchemy.exc import OperationalError

from service.store.pooling import is_pooled
from service.store.revision import Schema, read_schema

APPLICATION_ROLE = "boardroom_app"
_TRY_LOCK = text("""
select pg_try_advisory_xact_lock(hashtext('boardroom migrations')),
       set_config('idle_in_transaction_session_timeout', '0', true)
""")
_AGAIN_SECONDS: Final = 0.1
_LOCK_PATIENCE: Final = "set local lock_timeout = '200ms'"
"""A statement that changes a table waits for those who use it, and all who come after it wait behind it."""
_PAUSE_SECONDS: Final = 0.5
_MOST_TRIES: Final = 600
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


def configuration(db: Connection) -> Config:
    """Return alembic's configuration for work on the connection, without an ini file."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = db
    return config


def upgrade(database_url: str) -> None:
    """Bring the database to the newest revision, then grant the application's role what it needs.

    Safe to call at any time and from several processes at once, also while moves are made: none of them waits long for
    a revision. A revision that fails leaves the database at one that has been reached, from which the next call goes
    on. A database of a newer version is left as it is; raises NewerDatabase if this version cannot work with it. The
    role `boardroom_app` is optional. The tables stand in the first schema of the owner's search_path. Raises
    PooledDatabase: the limits of a pooled session are too short for a migration.
    """
    engine = create_engine(database_url, poolclass=NullPool)
    with _alone(engine), engine.connect() as db:
        if is_pooled(db):
            raise PooledDatabase
        there = schema_of(db)
        if there.newer and not there.fits:
            raise NewerDatabase(there)
        if there.newer:
            return
        # Alembic begins and ends transactions by itself: an index is made outside of any, so as not to block moves.
        db.commit()
        event.listen(db, "begin", _be_brief)
        _try_again(db, lambda: command.upgrade(configuration(db), "head"))
        _try_again(db, lambda: _grant(db))


def _grant(db: Connection) -> None:
    if db.execute(_ROLE, {"role": APPLICATION_ROLE}).first():
        schema = str(db.execute(_SCHEMA).scalar_one())
        for grant in _GRANTS:
            db.execute(text(grant.format(role=APPLICATION_ROLE, schema=schema)))


def _be_brief(db: Connection) -> None:
    # Outside of a transaction, where indexes are made, it has no effect: that makes nobody wait.
    db.exec_driver_sql(_LOCK_PATIENCE)


def _try_again(db: Connection, work: Callable[[], object]) -> None:
    """Do the work again and again for as long as others hold a table that it needs, letting them through in between."""
    for tries in count(1):
        try:
            work()
            db.commit()
        except OperationalError as error:
            db.rollback()
            if not isinstance(error.orig, (LockNotAvailable, DeadlockDetected)) or tries == _MOST_TRIES:
                raise
            sleep(_PAUSE_SECONDS)
        else:
            return


def schema_of(db: Connection) -> Schema:
    """Return the revision of the database, also of one that has no tables yet."""
    return read_schema(db) if inspect(db).has_table("alembic_version") else Schema(None)


@contextmanager
def _alone(engine: Engine) -> Iterator[None]:
    """Let one process at a time do the block.

    The others ask again and again. One that waited in a statement would hold a snapshot, for whose end CREATE INDEX
    CONCURRENTLY waits: neither would ever go on.
    """
    with engine.connect() as db:
        while not db.execute(_TRY_LOCK).scalar_one():
            db.rollback()
            sleep(_AGAIN_SECONDS)
        yield
