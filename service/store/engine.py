"""The way to PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from time import monotonic
from typing import Any, cast

import msgspec
import psycopg
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection, Dialect, ExceptionContext
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

# Statements are look-ups by key: planning them anew for each value would gain nothing.
_SESSION = (
    "-c timezone=UTC -c statement_timeout=5s -c lock_timeout=3s -c idle_in_transaction_session_timeout=10s"
    " -c plan_cache_mode=force_generic_plan -c jit=off"
)

_TRUSTED_SECONDS = 1.0
_COMMITTING = "committing"
"""Where our engines keep the engine that they are a view of."""


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def build_engine(database_url: str, pool_size: int = 8) -> Engine:
    """Return a pooled engine at READ COMMITTED whose statements, lock waits and idle transactions are limited.

    Parameters and rows stay out of its error messages, because they hold hidden cards.
    """
    engine = create_engine(
        database_url,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
        pool_size=pool_size,
        max_overflow=4,
        pool_timeout=5,
        pool_recycle=1800,
        pool_use_lifo=True,
        hide_parameters=True,
        json_serializer=_json,
        json_deserializer=msgspec.json.decode,
        connect_args={"connect_timeout": 3, "keepalives_idle": 30, "options": _SESSION},
    )
    event.listen(engine, "handle_error", _say_less)
    event.listen(engine, "checkin", _note_idle)
    event.listen(engine, "checkout", partial(_ping_idle, engine.dialect))
    return engine.execution_options(isolation_level="READ COMMITTED", **{_COMMITTING: engine})


def committing(engine: Engine) -> Engine:
    """Return an engine on the same pool whose connections let each statement commit on its own.

    Connections rest in that state, so that it costs nothing to act by single statements, as each action does. What
    listens to it hears the statements of both engines.
    """
    resting: Engine | None = engine.get_execution_options().get(_COMMITTING)
    return resting or engine.execution_options(isolation_level="AUTOCOMMIT")


def first_row(db: Connection, statement: str, parameters: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return the first row of a statement, or None, as `all_rows`."""
    return _execute(db, statement, parameters).fetchone()


def all_rows(db: Connection, statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a statement straight from the driver, at half the cost of a result.

    It begins no transaction by itself, as the connection would. It is heard (`before_cursor_execute`) and raises as if
    it came from there.
    """
    return _execute(db, statement, parameters).fetchall()


def _execute(db: Connection, statement: str, parameters: Mapping[str, Any]) -> psycopg.Cursor:
    driver = cast(psycopg.Connection, db.connection.driver_connection)
    cursor = driver.cursor()
    for hear in db.dispatch.before_cursor_execute:
        hear(db, cursor, statement, parameters, None, False)
    try:
        return cursor.execute(statement, parameters)
    except psycopg.Error as error:
        _cut_detail(error)
        if driver.closed:
            db.invalidate()
        raise DBAPIError.instance(
            statement, None, error, psycopg.Error, True, connection_invalidated=driver.closed, dialect=db.dialect
        ) from error


def _note_idle(connection: object, record: ConnectionPoolEntry) -> None:
    record.info["idle_since"] = monotonic()


def _ping_idle(dialect: Dialect, connection: DBAPIConnection, record: ConnectionPoolEntry, _proxy: object) -> None:
    """Make sure that a connection which has been idle for a while is still one; a ping at each use costs too much."""
    if monotonic() - record.info.get("idle_since", monotonic()) > _TRUSTED_SECONDS:
        try:
            dialect.do_ping(connection)
        except psycopg.Error as error:
            raise DisconnectionError from error


def _say_less(context: ExceptionContext) -> None:
    """Cut the DETAIL of a refusal, in which PostgreSQL quotes the row."""
    original, wrapped = context.original_exception, context.sqlalchemy_exception
    if isinstance(original, psycopg.Error) and _cut_detail(original) and wrapped is not None:
        wrapped.args = (f"{type(original).__name__}: {original.diag.message_primary}",)


def _cut_detail(error: psycopg.Error) -> bool:
    """Leave no more than the first line of an error that has a DETAIL; return whether it has."""
    if not error.diag.message_detail:
        return False
    error.args = (error.diag.message_primary,)
    return True
