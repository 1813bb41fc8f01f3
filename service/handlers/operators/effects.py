"""Rows of the outbox: run at once, or dropped, by an operator."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from psycopg.errors import LockNotAvailable, QueryCanceled
from sqlalchemy import Connection, TextClause, text
from sqlalchemy.exc import OperationalError

from service.handlers.refusals import EffectBusy, UnknownSubject
from service.handlers.transaction import transaction
from service.store.games import Games
from service.store.operation import Operator, note_operator_act

DROPPED = "dropped by an operator"
"""Stored as the error of such a row."""
# As long as a statement may take, but for a row that somebody holds.
_PATIENCE = text("select set_config('lock_timeout', :lock, true), set_config('statement_timeout', :statement, true)")
# What is done is not done once more: that would be another effect.
_RUN = text("""
update outbox set state = 'pending', attempts = 0, failures = 0, handed_out = 0, done_at = null,
       not_before = clock_timestamp()
 where id = :id and state in ('pending', 'dead') returning kind, game_id, state
""")
_DROP = text(f"""
update outbox set state = 'skipped', done_at = clock_timestamp(), last_error = '{DROPPED}'
 where id = :id and state in ('pending', 'dead') returning kind, game_id, state
""")  # noqa: S608 - a constant


def run(games: Games, row_id: int, by: Operator, now: datetime, wait_s: int = 3) -> str:
    """Have a row that waits or is dead carried out at once; return its kind. UnknownSubject, EffectBusy.

    A worker that holds the row is waited for `wait_s` seconds.
    """
    return _settle(games, _RUN, "effect-run", row_id, by, now, wait_s)


def drop(games: Games, row_id: int, by: Operator, now: datetime, wait_s: int = 3) -> str:
    """Have a row that waits or is dead never carried out; return its kind. UnknownSubject, EffectBusy.

    A worker that holds the row is waited for `wait_s` seconds.
    """
    return _settle(games, _DROP, "effect-dropped", row_id, by, now, wait_s)


def _settle(games: Games, change: TextClause, act: str, row_id: int, by: Operator, now: datetime, wait_s: int) -> str:
    with transaction(games.engine) as db:
        db.execute(_PATIENCE, {"lock": f"{wait_s}s", "statement": f"{wait_s + 2}s"})
        try:
            row: Any = db.execute(change, {"id": row_id}).one_or_none()
        except OperationalError as error:
            if isinstance(error.orig, (LockNotAvailable, QueryCanceled)):
                raise EffectBusy from error
            raise
        if row is None:
            raise UnknownSubject
        _note(db, act, row_id, row, by, now)
    games.wake()
    return str(row.kind)


def _note(db: Connection, act: str, row_id: int, row: Any, by: Operator, now: datetime) -> None:
    game = None if row.game_id is None else str(row.game_id)
    note_operator_act(db, by, act, "outbox", row_id, now, kind=row.kind, game=game)
