"""Engines of SQLAlchemy: pools, sessions' settings, errors, and spans of statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from time import monotonic, sleep
from typing import Any, Final, cast

import msgspec
import psycopg
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection, Dialect, ExceptionContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from service.shared import metrics, traces
from service.shared.circuit_breaker import CircuitBreaker
from service.store import database_clock
from service.store.connections import (
    CONNECT_TIMEOUT_S,
    KEPT_ALIVE,
    QUEUE_TIMEOUT_S,
    RETRY_PAUSE_S,
    Demotion,
    Pooler,
    connect,
    connect_arguments,
    connect_patiently,
    expect_answers,
    named_session,
    note_connection_made,
)
from service.store.fast_path import HAND, Hand, hand_of, note_idle, ping_idle
from service.store.lock_waits import LockWatch

_RESTART_SECONDS = 2.5
"""Seconds for which a database that does not answer is taken to be restarting, and waited for."""
_AGAIN_SECONDS = 0.1
_DEMOTION = "demotion"
"""Execution option of our engines that holds their Demotion."""
_LOCK_WATCH = "lock-watch"
"""Execution option of our engines that holds their LockWatch."""
_CURSOR = "cursor"
"""Key in a connection's info of the cursor that runs statements without another set-up."""


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def build_engine(
    database_url: str,
    hurried: bool = False,
    pool_size: int = 12,
    pooler: Pooler = Pooler.NONE,
    restart_seconds: float = _RESTART_SECONDS,
) -> Engine:
    """Return a pooled engine at READ COMMITTED with limits on statements, lock waits and idle transactions.

    Parameters and rows stay out of its error messages, because they hold hidden cards. If `hurried`, no answer is
    waited for longer than ANSWER_TIMEOUT_S, even if PostgreSQL itself hangs. At most `pool_size` connections are open.
    Through a pooler the session's limits are those of the role. A database that takes no connections is taken to be
    restarting, and waited for up to `restart_seconds`.
    """
    engine = create_engine(
        database_url,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
        pool_size=pool_size,
        # A connection beyond the pool would be closed after its first use.
        max_overflow=0,
        pool_timeout=QUEUE_TIMEOUT_S if hurried else 5,
        pool_recycle=1800,
        pool_use_lifo=True,
        hide_parameters=True,
        json_serializer=_json,
        json_deserializer=msgspec.json.decode,
        connect_args={
            "connect_timeout": CONNECT_TIMEOUT_S,
            **KEPT_ALIVE,
            **connect_arguments(database_url, pooler, "3500ms" if hurried else "5s"),
        },
    )
    breaker = CircuitBreaker(RETRY_PAUSE_S, RETRY_PAUSE_S) if hurried else None
    demotion, locks = Demotion(), LockWatch(database_url)
    _listen(engine, breaker, demotion, locks, restart_seconds)
    trace_statements(engine)
    engine.update_execution_options(**{_DEMOTION: demotion, _LOCK_WATCH: locks})
    return engine.execution_options(isolation_level="READ COMMITTED", **{HAND: Hand(engine, breaker, demotion)})


def _listen(
    engine: Engine, breaker: CircuitBreaker | None, demotion: Demotion, locks: LockWatch, restart_seconds: float
) -> None:
    event.listen(engine, "do_connect", _Door(breaker, restart_seconds))
    event.listen(engine, "connect", note_connection_made)
    event.listen(engine, "connect", _measure_clock)
    event.listen(engine, "handle_error", partial(_note_error, demotion, locks))
    event.listen(engine, "checkin", note_idle)
    event.listen(engine, "checkout", partial(_look_after_idle, engine.dialect, breaker, demotion))


def connections(engine: Engine) -> tuple[int, int]:
    """Return how many connections of one of our engines are in use, and the limit."""
    pool = engine.pool
    assert isinstance(pool, QueuePool)  # noqa: S101 # for the type checker: create_engine makes no other here
    return max(0, pool.checkedout() - len(hand_of(engine))), pool.size()


class _Door:
    """Connect, and wait for a restarting database; a longer outage keeps nobody waiting."""

    def __init__(self, breaker: CircuitBreaker | None, patience: float) -> None:
        self._breaker, self._patience = breaker, patience
        self._away_since: float | None = None

    def __call__(self, dialect: Dialect, _: object, words: Sequence[Any], named: Mapping[str, Any]) -> DBAPIConnection:
        # Name the session now: a process may have been forked since the engine was made, and have another name.
        named = {**named, **named_session()}
        while True:
            try:
                connection = self._connect(dialect, words, named)
            except psycopg.errors.ConnectionTimeout:
                # The server hangs, and the timeout is over.
                raise
            except psycopg.OperationalError:
                now = monotonic()
                self._away_since = since = self._away_since or now
                if now - since >= self._patience:
                    raise
                sleep(_AGAIN_SECONDS)
            else:
                self._away_since = None
                return connection

    def _connect(self, dialect: Dialect, words: Sequence[Any], named: Mapping[str, Any]) -> DBAPIConnection:
        if self._breaker is None:
            made: Any = connect_patiently(*words, **named)
            return cast(DBAPIConnection, made)
        found: Any = connect(self._breaker, *words, **named)
        return cast(DBAPIConnection, found)


def first_row(db: Connection, statement: str, parameters: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return the first row of a statement, or None, as `all_rows`."""
    return _execute(db, statement, parameters).fetchone()


def all_rows(db: Connection, statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a statement straight from the driver, at half the cost of a result.

    Begin no transaction, unlike the connection. Events (`before_cursor_execute`, and with traces
    `after_cursor_execute`) and errors are the same as the connection's.
    """
    return _execute(db, statement, parameters).fetchall()


def _execute(db: Connection, statement: str, parameters: Mapping[str, Any]) -> psycopg.Cursor:
    known = db.info
    cursor: psycopg.Cursor | None = known.get(_CURSOR)
    if cursor is None:
        driver: Any = db.connection.driver_connection
        known[_CURSOR] = cursor = driver.cursor()
    for hear in db.dispatch.before_cursor_execute:
        hear(db, cursor, statement, parameters, None, False)
    try:
        # The statements recur, and planning one takes longer than a hundred executions.
        cursor.execute(statement, parameters, prepare=True)
    except psycopg.Error as error:
        _hear_end(db, cursor, statement, parameters)
        metrics.count_database_error(error)
        _cut_detail(error)
        kept = db.engine.get_execution_options()
        demotion: Demotion = kept[_DEMOTION]
        kept[_LOCK_WATCH].note(error)
        lost = cursor.connection.closed or demotion.note(error)
        if lost:
            db.invalidate()
        raise DBAPIError.instance(
            statement, None, error, psycopg.Error, True, connection_invalidated=lost, dialect=db.dialect
        ) from error
    _hear_end(db, cursor, statement, parameters)
    return cursor


def _hear_end(db: Connection, cursor: psycopg.Cursor, statement: str, parameters: Mapping[str, Any]) -> None:
    # Looking for listeners takes longer than asking whether there can be any.
    if traces.active():
        for hear in db.dispatch.after_cursor_execute:
            hear(db, cursor, statement, parameters, None, False)


def _measure_clock(connection: DBAPIConnection, *_: object) -> None:
    """Measure the database's clock; raise OperationalError where a pooler has no server for the connection."""
    driver: Any = connection
    database_clock.measure(driver)
    if driver.closed:
        # The pool would try once more, and then raise an error that is not the database's.
        raise psycopg.OperationalError("the connection ended with its first statement")


def _look_after_idle(
    dialect: Dialect,
    breaker: CircuitBreaker | None,
    demotion: Demotion,
    connection: DBAPIConnection,
    record: ConnectionPoolEntry,
    _: object,
) -> None:
    expect_answers(breaker)
    ping_idle(dialect, connection, record.info, demotion)


def _note_error(demotion: Demotion, locks: LockWatch, context: ExceptionContext) -> None:
    """Count an error, and cut the DETAIL of a refusal, in which PostgreSQL quotes the row.

    Drop a connection to a server that refuses to write. Log the session that held a contended lock.
    """
    original, wrapped = context.original_exception, context.sqlalchemy_exception
    metrics.count_database_error(original)
    locks.note(original)
    if demotion.note(original):
        context.is_disconnect = True
    if isinstance(original, psycopg.Error) and _cut_detail(original) and wrapped is not None:
        wrapped.args = (f"{type(original).__name__}: {original.diag.message_primary}",)


def _cut_detail(error: psycopg.Error) -> bool:
    """Cut an error that has a DETAIL to its first line; return whether it has one."""
    if not error.diag.message_detail:
        return False
    error.args = (error.diag.message_primary,)
    return True


# Spans for each statement of a request or job, if traces are on: the text, never the parameters.

_SPAN: Final = "span"
"""Key in a connection's info of the span of the running statement."""


def trace_statements(engine: Engine) -> None:
    """Trace the statements of the engine, if traces are on."""
    if traces.active():
        event.listen(engine, "before_cursor_execute", _begin)
        event.listen(engine, "after_cursor_execute", _end)
        event.listen(engine, "handle_error", _fail)


def _begin(db: Connection, _cursor: Any, statement: str, *_: Any) -> None:
    # Loops that poll the outbox every second have no span, and their statements start no traces.
    if traces.carried() is not None:
        words = statement.split(maxsplit=1)
        attributes = {"db__system__name": "postgresql", "db__query__text": statement.strip()}
        db.info[_SPAN] = traces.begin_span(words[0] if words else "statement", "client", attributes)


def _end(db: Connection, *_: Any) -> None:
    span = db.info.pop(_SPAN, None)
    if span is not None:
        span.end()


def _fail(context: ExceptionContext) -> None:
    span = None if context.connection is None else context.connection.info.pop(_SPAN, None)
    if span is not None:
        traces.fail(span, context.original_exception)
        span.end()
