"""Transactions of handlers, and conditions that have to hold for them."""

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
"""Each try that fails means that somebody else has written; the next one usually sees that."""
_WRITES = "select pg_current_xact_id_if_assigned() is not null"
Done = TypeVar("Done")


class _Overtaken(Exception):
    """Somebody else has written, since the condition was looked at, what this transaction was about to write."""


class _Condition:
    """What has to hold for the first transaction that writes, in the snapshot that it writes on."""

    __slots__ = ("_holds", "met", "reading")

    def __init__(self, holds: Callable[[], bool]) -> None:
        self._holds = holds
        self.met = False
        self.reading: Connection | None = None

    def holds(self, db: Connection) -> bool:
        """Return whether it holds, as whoever asks the database by `transaction` or `statements` finds out on `db`."""
        self.reading = db
        try:
            return self._holds()
        finally:
            self.reading = None


_CONDITION: ContextVar[_Condition | None] = ContextVar("condition", default=None)


def conditional(holds: Callable[[], bool], act: Callable[[], Done]) -> tuple[Done, bool]:
    """Act, but write only what is written while `holds` returns true; return the result, and whether `act` wrote.

    `holds` is asked in the transaction that writes, whose snapshot it shares: two writers that rest on the same state
    never both succeed, and neither does one beside a writer without a condition. Refusals of `act` go first. Raises
    PreconditionFailed, with nothing written; Unavailable. `act` may be called several times, and has written in none
    but the last.
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
    """Commit what the block does, or nothing of it.

    A lost connection, a lock wait that took too long, a deadlock and an exhausted pool become Unavailable, and so does
    an append whose clock was off: the next one goes by what was measured. After a connection lost during COMMIT nobody
    knows the outcome, so it is the same refusal; a key makes the repetition safe.
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
    """Let each statement of the block commit on its own; errors become refusals as in `transaction`.

    Under a condition the block is a transaction. A class, since every request passes here and a generator costs thrice
    as much.
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
    """Return the connection on which the condition is looked at just now, or a transaction that rests on it."""
    return _resting_on(condition, engine) if condition.reading is None else nullcontext(condition.reading)


@contextmanager
def _resting_on(condition: _Condition, engine: Engine) -> Iterator[Connection]:
    try:
        with engine.begin() as db:
            # In one snapshot, a row that somebody has changed since cannot be written: SerializationFailure.
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
    """Raise Unavailable if that is what the error comes to."""
    if isinstance(error, PoolTimeout):
        # The engine tells of no error where there was no connection.
        metrics.count_database_error(error)
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if lost or isinstance(error, (OperationalError, PoolTimeout)):
        raise Unavailable from error
