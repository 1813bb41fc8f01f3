"""A server that was the primary until a moment ago: it hangs, or answers from old data and refuses to write."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any, Final

import psycopg
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from service.store.client_timeouts import Hanging

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


def note_made(_: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    """Note when a connection was made."""
    record.info[_MADE] = monotonic()
