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
    with _REFUSING, engine.begin() as db:
        yield db


@contextmanager
def statements(engine: Engine) -> Iterator[Connection]:
    """Let each statement of the block commit on its own; errors become refusals as in `transaction`."""
    with _REFUSING, committing(engine).connect() as db:
        yield db


class _Refusing:
    """Turns the errors of a block into refusals; safe to share, for it keeps nothing."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        lost = isinstance(error, DBAPIError) and error.connection_invalidated
        if lost or isinstance(error, (OperationalError, PoolTimeout)):
            raise Unavailable from error


_REFUSING = _Refusing()
