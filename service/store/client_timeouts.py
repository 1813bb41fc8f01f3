"""Connections on which nobody waits for ever: a PostgreSQL that hangs does not keep its own timeouts."""

from __future__ import annotations

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
_INTERVAL = 0.1


class Hanging(psycopg.OperationalError):
    """The server has not answered in time."""


class TimedConnection(psycopg.Connection[Any]):
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
