"""Connections to PostgreSQL: timeouts of the client, poolers, and servers that lost their rank."""

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

# Connections on which nobody waits for ever: a PostgreSQL that hangs does not keep its own timeouts.

ANSWER_TIMEOUT_S = 4.0
"""Seconds that an answer may take; a PostgreSQL that works ends a statement before, by its statement_timeout."""
CONNECT_TIMEOUT_S = 2
"""Seconds that each address of the server has for taking a connection: the fewest that psycopg allows."""
QUEUE_TIMEOUT_S = 3.5
"""Seconds to wait for a connection of the pool: less than CONNECTING and PAUSE, so that nobody who has waited for it in
vain then waits for a connection of their own as well."""
RETRY_PAUSE_S = 2.0
"""Seconds for which no thread asks a server that has just let one wait in vain."""
PROBE_AFTER_S = 4.0
"""Seconds after which a process that may wait longer asks whether the server still takes connections."""
PROBE_TIMEOUT_S = 2
"""Seconds that a server has for saying so."""
KEPT_ALIVE = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 15_000}
"""With these a connection to a machine that is gone ends after 30 seconds, not after a quarter of an hour."""
_INTERVAL = 0.1


class Hanging(psycopg.OperationalError):
    """The server has not answered in time."""


class _PreparedConnection(psycopg.Connection[Any]):
    """A connection that keeps its prepared statements when a transaction is rolled back in which nothing has failed.

    psycopg forgets all of them, since the transaction may have made tables: then each read and each refusal would have
    the next requests prepare theirs anew, which took a tenth of the CPU time of the tests of the API.
    """

    def rollback(self) -> None:
        """Roll back; after an error, which may be that of a plan that fits no longer, forget what is prepared."""
        if self.pgconn.transaction_status != TransactionStatus.INTRANS:
            super().rollback()
            return
        with self.lock:
            self.wait(self._exec_command(b"ROLLBACK"))


class TimedConnection(_PreparedConnection):
    """A connection that is closed when an answer does not come in time: a late one would be taken for the next."""

    breaker: CircuitBreaker

    def wait(self, gen: PQGen[RV], interval: float = _INTERVAL, timeout: float | None = ANSWER_TIMEOUT_S) -> RV:
        """Wait as psycopg does, but not for ever; raises Hanging."""
        try:
            return super().wait(gen, interval, timeout)
        except psycopg.OperationalError as error:
            if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                raise
            self.pgconn.finish()
            self.breaker.trip()
            raise Hanging("the server does not answer") from error


class ProbedConnection(_PreparedConnection):
    """A connection whose statements may take long, but which is closed when its server takes no connections any more.

    A server that hangs keeps the connection open, and so does a machine whose processes are stopped.
    """

    address: Mapping[str, Any]

    def wait(self, gen: PQGen[RV], interval: float = _INTERVAL, timeout: float | None = None) -> RV:
        """Wait as psycopg does, without a `timeout` as long as the server takes connections; raises Hanging."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        while True:
            try:
                # After a timeout the generator goes on where it was.
                return super().wait(gen, interval, PROBE_AFTER_S)
            except psycopg.OperationalError as error:
                if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                    raise
                if not self._takes_connections():
                    self.pgconn.finish()
                    raise Hanging("the server does not answer") from error

    def _takes_connections(self) -> bool:
        # Of several hosts the one that this connection leads to.
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
    """Make such a connection; raises OperationalError."""
    db = ProbedConnection.connect(*words, **named)
    db.address = named
    return db


def connect(breaker: CircuitBreaker, *words: Any, **named: Any) -> TimedConnection:
    """Make such a connection, whose breaker opens when the server hangs; raises TookTooLong, OperationalError."""
    expect_answers(breaker)
    try:
        db = TimedConnection.connect(*words, **named)
    except psycopg.errors.ConnectionTimeout:
        breaker.trip()
        raise
    db.breaker = breaker
    return db


def expect_answers(breaker: CircuitBreaker | None) -> None:
    """Raise TookTooLong if the server has let a thread wait in vain a moment ago."""
    if breaker is not None and not breaker.closed:
        raise TookTooLong("The server did not answer a moment ago.")


# What stands between a process and PostgreSQL: nothing, or a pooler such as PgBouncer in transaction mode.
#
# A pooler gives each transaction one of a few connections of its own. What belongs to a connection, such as session
# settings and named prepared statements, is then that of another transaction, too.

SESSION: Final = {
    "timezone": "UTC",
    "statement_timeout": "5s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "10s",
    # Statements are look-ups by key: planning them anew for each value would gain nothing.
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
}
"""The settings of each session. A process has its connections begin with them; a pooler has them from the role."""
MAX_STATEMENT_TIMEOUT_MS: Final = 4000
"""The longest statement_timeout through a pooler, in ms: a web process waits no longer (client_timeouts.SECONDS)."""
PREFIX: Final = "boardroom:"
"""What the application_name of each of our sessions begins with; the name of the part or command follows."""
_TRIES: Final = 5
_WHO: Final = "select pg_backend_pid()"
_SESSION = text("select lower(name) as name, setting from pg_settings where lower(name) = any(:names)")


class Pooler(StrEnum):
    """The pooler before PostgreSQL: none, one in transaction mode, or one that also keeps named prepared statements."""

    NONE = "none"
    TRANSACTION = "transaction"
    PREPARED = "transaction-prepared"


@dataclass(frozen=True, slots=True)
class PoolerSigns:
    """What two connections show of a pooler.

    `pooled` says whether there is one, `shared` whether it gives a connection to each transaction alone, `prepared`
    whether a named prepared statement is found again; it is None if that was not tried.
    """

    pooled: bool
    shared: bool = False
    prepared: bool | None = None


def connect_arguments(database_url: str, pooler: Pooler, statement_timeout: str) -> dict[str, Any]:
    """Return what psycopg is to connect with: the session settings, or no named statements through a pooler.

    `options` of the URL itself count, too, such as `-c search_path=games`.
    """
    if pooler is Pooler.NONE:
        session = SESSION | {"statement_timeout": statement_timeout}
        ours = " ".join(f"-c {name}={value}" for name, value in session.items())
        # What is said last counts.
        theirs = make_url(database_url).query.get("options", "")
        return {"options": f"{ours} {theirs if isinstance(theirs, str) else ' '.join(theirs)}".strip()}
    return {} if pooler is Pooler.PREPARED else {"prepare_threshold": None}


def named_session() -> dict[str, str]:
    """Return the argument by which a session tells whose it is, unless the address or PGAPPNAME has a name for it."""
    return {"fallback_application_name": f"{PREFIX}{process_name.own()}"}


def plain_address(database_url: str) -> str:
    """Return an address of ours as libpq reads it, with its password."""
    return make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)


def is_pooled(db: Connection) -> bool:
    """Return whether a pooler stands before PostgreSQL: the number of the server process is then not its own."""
    driver: psycopg.Connection[Any] = cast(Any, db.connection.driver_connection)
    return driver.info.backend_pid != db.exec_driver_sql(_WHO).scalar_one()


def look_for_pooler(engine: Engine, prepared: bool) -> PoolerSigns:
    """Return what is seen of a pooler; with `prepared` try whether a named prepared statement is found again.

    `engine` is one for Pooler.PREPARED with two connections. Raises psycopg.Error, SQLAlchemyError.
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
                # It takes the connection that was used last.
                _who(other)
                if _who(one, prepare=True) != before:
                    return True
    except (InvalidSqlStatementName, DuplicatePreparedStatement):
        return False
    return False


def unlimited(db: Connection) -> dict[str, str]:
    """Return the session settings that are not as they have to be, with the values that they have (times in ms)."""
    found = {row.name: row.setting for row in db.execute(_SESSION, {"names": [*SESSION]})}
    return {name: value for name, value in found.items() if not _suits(name, value)}


def _suits(name: str, value: str) -> bool:
    if name == "statement_timeout":
        return 0 < int(value) <= MAX_STATEMENT_TIMEOUT_MS
    return int(value) > 0 if name.endswith("_timeout") else value == SESSION[name]


# A server that was the primary until a moment ago: it hangs, or answers from old data and refuses to write.

_MADE: Final = "made"
_APART: Final = 1.0
"""Seconds between two times that all connections are replaced: the database itself may be read-only."""


class Demotion:
    """When the server of a pool last refused to write or hung; connections made before that are not used again.

    A new connection finds the primary if the address names several servers and asks for one that takes writes.
    """

    def __init__(self) -> None:
        """Begin with a server that has refused nothing."""
        self._at = 0.0

    def note(self, error: BaseException) -> bool:
        """Return whether the server takes no writes (SQLSTATE 25006) or hangs, by this error, and note when it did."""
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
    """Note when a connection was made."""
    record.info[_MADE] = monotonic()
