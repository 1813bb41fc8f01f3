"""Connections on which nobody waits for ever: a PostgreSQL that hangs does not keep its own timeouts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.pq import TransactionStatus
from sqlalchemy.exc import TimeoutError as TookTooLong

from service.shared.circuit_breaker import CircuitBreaker

SECONDS = 4.0
"""Seconds that an answer may take; a PostgreSQL that works ends a statement before, by its statement_timeout."""
CONNECTING = 2
"""Seconds that each address of the server has for taking a connection: the fewest that psycopg allows."""
QUEUEING = 3.5
"""Seconds to wait for a connection of the pool: less than CONNECTING and PAUSE, so that nobody who has waited for it in
vain then waits for a connection of their own as well."""
PAUSE = 2.0
"""Seconds for which no thread asks a server that has just let one wait in vain."""
PROBED = 4.0
"""Seconds after which a process that may wait longer asks whether the server still takes connections."""
PROBING = 2
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

    def wait(self, gen: PQGen[RV], interval: float = _INTERVAL, timeout: float | None = SECONDS) -> RV:
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
                return super().wait(gen, interval, PROBED)
            except psycopg.OperationalError as error:
                if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                    raise
                if not self._takes_connections():
                    self.pgconn.finish()
                    raise Hanging("the server does not answer") from error

    def _takes_connections(self) -> bool:
        # Of several hosts the one that this connection leads to.
        same = {"host": self.info.host, "port": self.info.port, "connect_timeout": PROBING}
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
