"""Connections to PostgreSQL: client timeouts, poolers, and demoted servers."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import Any, Final, cast

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.errors import DuplicatePreparedStatement, InvalidSqlStatementName
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Engine, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.exc import TimeoutError as TookTooLong
from sqlalchemy.pool import ConnectionPoolEntry

from service.shared import process_name
from service.shared.circuit_breaker import CircuitBreaker

# Client timeouts: a PostgreSQL that hangs does not keep its own.

ANSWER_TIMEOUT_S = 4.0
"""Seconds that an answer may take; a working PostgreSQL ends a statement earlier, by its statement_timeout."""
CONNECT_TIMEOUT_S = 2
"""Seconds for connecting to each address of the server: the minimum of psycopg."""
QUEUE_TIMEOUT_S = 3.5
"""Seconds to wait for a connection of the pool: less than connecting and RETRY_PAUSE_S take, so that a thread that has
waited in vain does not then also wait for a connection of its own."""
RETRY_PAUSE_S = 2.0
"""Seconds for which no thread asks a server that has just let one time out."""
PROBE_AFTER_S = 4.0
"""Seconds after which a process that may wait longer probes whether the server still takes connections."""
PROBE_TIMEOUT_S = 2
"""Seconds that a server has to answer the probe."""
KEPT_ALIVE = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 15_000}
"""Keepalive settings: a connection to a dead machine ends after 30 seconds, not after a quarter of an hour."""
_INTERVAL = 0.1


class Hanging(psycopg.OperationalError):
    """The server has not answered in time."""


class _PreparedConnection(psycopg.Connection[Any]):
    """Connection that keeps its prepared statements at the rollback of a transaction without errors.

    psycopg forgets all of them, since the transaction may have created tables. Then each read and each refusal would
    make the next requests prepare theirs again, which took a tenth of the CPU time of the tests of the API.
    """

    def rollback(self) -> None:
        """Roll back; after an error, which may come from an outdated plan, forget the prepared statements."""
        if self.pgconn.transaction_status != TransactionStatus.INTRANS:
            super().rollback()
            return
        with self.lock:
            self.wait(self._exec_command(b"ROLLBACK"))


class TimedConnection(_PreparedConnection):
    """Connection that is closed at a timeout: a late answer would be taken for the next one."""

    breaker: CircuitBreaker

    def wait(self, gen: PQGen[RV], interval: float = _INTERVAL, timeout: float | None = ANSWER_TIMEOUT_S) -> RV:
        """Wait as psycopg does, up to `timeout` seconds; raise Hanging."""
        try:
            return super().wait(gen, interval, timeout)
        except psycopg.OperationalError as error:
            if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                raise
            self.pgconn.finish()
            self.breaker.trip()
            raise Hanging("the server does not answer") from error


class ProbedConnection(_PreparedConnection):
    """Connection whose statements may take long, and which is closed when its server takes no new connections.

    A server that hangs keeps the connection open, and so does a machine whose processes are stopped.
    """

    address: Mapping[str, Any]

    def wait(self, gen: PQGen[RV], interval: float = _INTERVAL, timeout: float | None = None) -> RV:
        """Wait as psycopg does; without a `timeout` as long as the server takes connections. Raise Hanging."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        while True:
            try:
                # After a timeout the generator continues where it was.
                return super().wait(gen, interval, PROBE_AFTER_S)
            except psycopg.OperationalError as error:
                if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                    raise
                if not self._takes_connections():
                    self.pgconn.finish()
                    raise Hanging("the server does not answer") from error

    def _takes_connections(self) -> bool:
        # Probe this connection's host, where there are several.
        same = {"host": self.info.host, "port": self.info.port, "connect_timeout": PROBE_TIMEOUT_S}
        try:
            psycopg.connect(**{**self.address, **same}).close()
        except psycopg.errors.ConnectionTimeout:
            return False
        except psycopg.OperationalError:
            # A refusal is an answer.
            return True
        return True


def connect_patiently(*words: Any, **named: Any) -> ProbedConnection:
    """Open a ProbedConnection; raise OperationalError."""
    db = ProbedConnection.connect(*words, **named)
    db.address = named
    return db


def connect(breaker: CircuitBreaker, *words: Any, **named: Any) -> TimedConnection:
    """Open a TimedConnection, whose breaker opens when the server hangs; raise TookTooLong, OperationalError."""
    expect_answers(breaker)
    try:
        db = TimedConnection.connect(*words, **named)
    except psycopg.errors.ConnectionTimeout:
        breaker.trip()
        raise
    db.breaker = breaker
    return db


def expect_answers(breaker: CircuitBreaker | None) -> None:
    """Raise TookTooLong if the server has just let a thread time out."""
    if breaker is not None and not breaker.closed:
        raise TookTooLong("The server did not answer a moment ago.")


# Poolers between a process and PostgreSQL: none, or one such as PgBouncer in transaction mode.
#
# A pooler lends each transaction one of a few connections. State of the connection, such as session settings and named
# prepared statements, is then shared with other transactions.

SESSION: Final = {
    "timezone": "UTC",
    "statement_timeout": "5s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "10s",
    # Statements are look-ups by key: planning again for each value would gain nothing.
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
}
"""Settings of each session. A process sets them when it connects; behind a pooler they come from the role."""
MAX_STATEMENT_TIMEOUT_MS: Final = 4000
"""Longest statement_timeout through a pooler, in ms: a web process waits no longer (ANSWER_TIMEOUT_S)."""
PREFIX: Final = "boardroom:"
"""Prefix of the application_name of our sessions; the name of the part or command follows."""
_TRIES: Final = 5
_WHO: Final = "select pg_backend_pid()"
_SESSION = text("select lower(name) as name, setting from pg_settings where lower(name) = any(:names)")


class Pooler(StrEnum):
    """Pooler before PostgreSQL: none, transaction mode, or transaction mode with named prepared statements."""

    NONE = "none"
    TRANSACTION = "transaction"
    PREPARED = "transaction-prepared"


@dataclass(frozen=True, slots=True)
class PoolerSigns:
    """Signs of a pooler, as two connections show them.

    `pooled`: there is a pooler. `shared`: it lends a connection to each transaction. `prepared`: a named prepared
    statement is found again; None if that was not tried.
    """

    pooled: bool
    shared: bool = False
    prepared: bool | None = None


def connect_arguments(database_url: str, pooler: Pooler, statement_timeout: str) -> dict[str, Any]:
    """Return the connect arguments of psycopg: session settings, or no named statements through a pooler.

    `options` of the URL apply too, such as `-c search_path=games`.
    """
    if pooler is Pooler.NONE:
        session = SESSION | {"statement_timeout": statement_timeout}
        ours = " ".join(f"-c {name}={value}" for name, value in session.items())
        # The last value wins.
        theirs = make_url(database_url).query.get("options", "")
        return {"options": f"{ours} {theirs if isinstance(theirs, str) else ' '.join(theirs)}".strip()}
    return {} if pooler is Pooler.PREPARED else {"prepare_threshold": None}


def named_session() -> dict[str, str]:
    """Return the argument that names the session, unless the address or PGAPPNAME names it."""
    return {"fallback_application_name": f"{PREFIX}{process_name.own()}"}


def plain_address(database_url: str) -> str:
    """Return our address in libpq's form, with its password."""
    return make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)


def is_pooled(db: Connection) -> bool:
    """Return whether a pooler is in between: the reported pid is then not that of the server process."""
    driver: psycopg.Connection[Any] = cast(Any, db.connection.driver_connection)
    return driver.info.backend_pid != db.exec_driver_sql(_WHO).scalar_one()


def look_for_pooler(engine: Engine, prepared: bool) -> PoolerSigns:
    """Look for a pooler; with `prepared` test whether a named prepared statement is found again.

    `engine` is one for Pooler.PREPARED with two connections. Raise psycopg.Error, SQLAlchemyError.
    """
    with closing(engine.raw_connection()) as first, closing(engine.raw_connection()) as second:
        one, other = (cast("psycopg.Connection[Any]", each.driver_connection) for each in (first, second))
        if _who(one) == one.info.backend_pid:
            return PoolerSigns(pooled=False)
        shared = any(_who(one) == _who(other) for _ in range(_TRIES))
        return PoolerSigns(True, shared, _finds_again(one, other) if shared and prepared else None)


def _who(db: psycopg.Connection[Any], prepare: bool = False) -> int:
    (number,) = cast("tuple[int]", db.execute(_WHO, prepare=prepare).fetchone())
    return number


def _finds_again(one: psycopg.Connection[Any], other: psycopg.Connection[Any]) -> bool:
    """Return whether the server connection of another transaction knows a named statement of this one."""
    try:
        for _ in range(_TRIES):
            before = _who(one, prepare=True)
            with other.transaction():
                # The pooler lends the connection that was used last.
                _who(other)
                if _who(one, prepare=True) != before:
                    return True
    except (InvalidSqlStatementName, DuplicatePreparedStatement):
        return False
    return False


def unlimited(db: Connection) -> dict[str, str]:
    """Return the session settings that deviate, with their values (times in ms)."""
    found = {row.name: row.setting for row in db.execute(_SESSION, {"names": [*SESSION]})}
    return {name: value for name, value in found.items() if not _suits(name, value)}


def _suits(name: str, value: str) -> bool:
    if name == "statement_timeout":
        return 0 < int(value) <= MAX_STATEMENT_TIMEOUT_MS
    return int(value) > 0 if name.endswith("_timeout") else value == SESSION[name]


# Demotion: a former primary hangs, or answers from old data and refuses to write.

_MADE: Final = "made"
_APART: Final = 1.0
"""Minimum seconds between two replacements of all connections: the database itself may be read-only."""


class Demotion:
    """Time of the last refused write or hang of a pool's server; connections made before are not used again.

    A new connection finds the primary if the address names several servers and asks for one that takes writes.
    """

    def __init__(self) -> None:
        self._at = 0.0

    def note(self, error: BaseException) -> bool:
        """Return whether the error shows a server that refuses writes (SQLSTATE 25006) or hangs, and note the time."""
        if not isinstance(error, (psycopg.errors.ReadOnlySqlTransaction, Hanging)):
            return False
        now = monotonic()
        if now - self._at > _APART:
            self._at = now
        return True

    def require_later(self, about: Mapping[str, Any]) -> None:
        """Raise DisconnectionError unless the connection was made after the last refusal."""
        if about[_MADE] < self._at:
            raise DisconnectionError


def note_connection_made(_: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    record.info[_MADE] = monotonic()
