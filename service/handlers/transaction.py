"""The transaction that each handler runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service.handlers.refusals import Unavailable
from service.store.engine import committing


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """Commit what the block does, or nothing of it.

    A lost connection, a lock wait that took too long, a deadlock and an exhausted pool become Unavailable. After a
    connection lost during COMMIT nobody knows the outcome, so it is the same refusal; a key makes the repetition safe.
    """
    with _refusing(), engine.begin() as db:
        yield db


@contextmanager
def statements(engine: Engine) -> Iterator[Connection]:
    """Let each statement of the block commit on its own; errors become refusals as in `transaction`."""
    with _refusing(), committing(engine).connect() as db:
        yield db


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except (OperationalError, PoolTimeout) as error:
        raise Unavailable from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise Unavailable from error
        raise
