"""Transactions of handlers, and their preconditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from types import TracebackType
from typing import Final, TypeVar

from psycopg.errors import SerializationFailure
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service.handlers.refusals import PreconditionFailed, Unavailable
from service.shared import metrics
from service.store.events import ClockOff
from service.store.fast_path import hand_of

_TRIES: Final = 5
"""Tries: each failure means a concurrent write; the next try usually sees that write."""
_WRITES = "select pg_current_xact_id_if_assigned() is not null"
Done = TypeVar("Done")


class _Overtaken(Exception):
    """A concurrent transaction has written the same rows since the condition was checked."""


class _Condition:
    """A condition for the first transaction that writes, checked in that transaction's snapshot."""

    __slots__ = ("_holds", "met", "reading")

    def __init__(self, holds: Callable[[], bool]) -> None:
        self._holds = holds
        self.met = False
        self.reading: Connection | None = None

    def holds(self, db: Connection) -> bool:
        """Return whether the condition holds; its `transaction` and `statements` run on `db`."""
        self.reading = db
        try:
            return self._holds()
        finally:
            self.reading = None


_CONDITION: ContextVar[_Condition | None] = ContextVar("condition", default=None)


def conditional(holds: Callable[[], bool], act: Callable[[], Done]) -> tuple[Done, bool]:
    """Run `act`, whose writes need `holds` to return true; return the result, and whether `act` wrote.

    `holds` runs in the writing transaction, on the same snapshot. Two writers that rest on the same state never both
    succeed, also where one has no condition. Refusals of `act` go first. Raises PreconditionFailed (nothing written),
    Unavailable. `act` may run several times; only its last run has written.
    """
    for _ in range(_TRIES):
        condition = _Condition(holds)
        before = _CONDITION.set(condition)
        try:
            return act(), condition.met
        except _Overtaken:
            continue
        finally:
            _CONDITION.reset(before)
    raise Unavailable


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """Commit the block as a whole, or nothing of it.

    Raise Unavailable for a lost connection, a lock timeout, a deadlock, an exhausted pool, and an append with a wrong
    clock (the next append uses the measured offset). After a connection lost during COMMIT the outcome is unknown,
    hence the same refusal; a key makes a retry safe.
    """
    condition = _CONDITION.get()
    try:
        if condition is None or condition.met:
            with engine.begin() as db:
                yield db
        else:
            with _under(condition, engine) as db:
                yield db
    except ClockOff as error:
        raise Unavailable from error
    except Exception as error:
        _refuse(error)
        raise


class statements:  # noqa: N801 - used as the function above is
    """Commit each statement of the block on its own; errors become refusals as in `transaction`.

    Under a condition the block is one transaction. A class, since every request passes here and a generator costs three
    times as much.
    """

    __slots__ = ("_db", "_engine", "_hand", "_under")

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._hand = hand_of(engine)
        self._under: AbstractContextManager[Connection] | None = None

    def __enter__(self) -> Connection:
        condition = _CONDITION.get()
        try:
            if condition is None or condition.met:
                self._db = self._hand.take()
            else:
                self._under = _under(condition, self._engine)
                self._db = self._under.__enter__()
        except Exception as error:
            _refuse(error)
            raise
        return self._db

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._under is not None:
            try:
                self._under.__exit__(kind, error, trace)
            except Exception as raised:
                _refuse(raised)
                raise
        elif error is None:
            self._hand.give_back(self._db)
        else:
            self._db.close()
            _refuse(error)


def _under(condition: _Condition, engine: Engine) -> AbstractContextManager[Connection]:
    """Return the connection that checks the condition now, or a transaction that rests on the condition."""
    return _resting_on(condition, engine) if condition.reading is None else nullcontext(condition.reading)


@contextmanager
def _resting_on(condition: _Condition, engine: Engine) -> Iterator[Connection]:
    try:
        with engine.begin() as db:
            # In one snapshot, a row that was changed since cannot be written: SerializationFailure.
            db.exec_driver_sql("set transaction isolation level repeatable read")
            holds = condition.holds(db)
            yield db
            writes: bool = db.exec_driver_sql(_WRITES).scalar_one()
            if writes and not holds:
                raise PreconditionFailed
        condition.met = condition.met or writes
    except DBAPIError as error:
        if isinstance(error.orig, SerializationFailure):
            raise _Overtaken from error
        raise


def _refuse(error: BaseException) -> None:
    """Raise Unavailable for a database failure that a retry may cure."""
    if isinstance(error, PoolTimeout):
        # The engine reports no error without a connection.
        metrics.count_database_error(error)
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if lost or isinstance(error, (OperationalError, PoolTimeout)):
        raise Unavailable from error
