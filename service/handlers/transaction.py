"""The transaction that each handler runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service.handlers.refusals import Unavailable
from service.shared import metrics
from service.store.fast_path import hand_of


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """Commit what the block does, or nothing of it.

    A lost connection, a lock wait that took too long, a deadlock and an exhausted pool become Unavailable. After a
    connection lost during COMMIT nobody knows the outcome, so it is the same refusal; a key makes the repetition safe.
    """
    try:
        with engine.begin() as db:
            yield db
    except Exception as error:
        _refuse(error)
        raise


class statements:  # noqa: N801 - used as the function above is
    """Let each statement of the block commit on its own; errors become refusals as in `transaction`.

    A class, since every request passes here and a generator costs thrice as much.
    """

    __slots__ = ("_db", "_hand")

    def __init__(self, engine: Engine) -> None:
        self._hand = hand_of(engine)

    def __enter__(self) -> Connection:
        try:
            self._db = self._hand.take()
        except Exception as error:
            _refuse(error)
            raise
        return self._db

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None:
            self._hand.give_back(self._db)
        else:
            self._db.close()
            _refuse(error)


def _refuse(error: BaseException) -> None:
    """Raise Unavailable if that is what the error comes to."""
    if isinstance(error, PoolTimeout):
        # The engine tells of no error where there was no connection.
        metrics.count_database_error(error)
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if lost or isinstance(error, (OperationalError, PoolTimeout)):
        raise Unavailable from error
