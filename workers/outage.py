"""Attempts that failed because a server was away or busy."""

from __future__ import annotations

from psycopg.errors import QueryCanceled
from redis import RedisError
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service.handlers.refusals import Unavailable


def is_outage(error: BaseException | None) -> bool:
    """Return whether an error means that a server was away, or that a lock or a connection was not available in time.

    A statement that takes too long is no outage.
    """
    if isinstance(error, Unavailable) and error.__cause__ is not None:
        return is_outage(error.__cause__)
    if isinstance(error, DBAPIError):
        lost = error.connection_invalidated or isinstance(error, (OperationalError, InterfaceError))
        return lost and not isinstance(error.orig, QueryCanceled)
    return isinstance(error, (Unavailable, PoolTimeout, RedisError))
