"""Rows of the outbox: run at once, or dropped, by an operator."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, TextClause, text

from service.handlers.refusals import UnknownSubject
from service.handlers.transaction import transaction
from service.store.games import Games
from service.store.operator_log import Operator, note

DROPPED = "dropped by an operator"
"""Stored as the error of such a row."""
# What is done is not done once more: that would be another effect.
_RUN = text("""
update outbox set state = 'pending', attempts = 0, handed_out = 0, done_at = null, not_before = clock_timestamp()
 where id = :id and state in ('pending', 'dead') returning kind, game_id, state
""")
_DROP = text(f"""
update outbox set state = 'skipped', done_at = clock_timestamp(), last_error = '{DROPPED}'
 where id = :id and state in ('pending', 'dead') returning kind, game_id, state
""")  # noqa: S608 - a constant


def run(games: Games, row_id: int, by: Operator, now: datetime) -> str:
    """Have a row that waits or is dead carried out at once; return its kind. UnknownSubject."""
    return _settle(games, _RUN, "effect-run", row_id, by, now)


def drop(games: Games, row_id: int, by: Operator, now: datetime) -> str:
    """Have a row that waits or is dead never carried out; return its kind. UnknownSubject."""
    return _settle(games, _DROP, "effect-dropped", row_id, by, now)


def _settle(games: Games, change: TextClause, act: str, row_id: int, by: Operator, now: datetime) -> str:
    with transaction(games.engine) as db:
        row: Any = db.execute(change, {"id": row_id}).one_or_none()
        if row is None:
            raise UnknownSubject
        _note(db, act, row_id, row, by, now)
    games.wake()
    return str(row.kind)


def _note(db: Connection, act: str, row_id: int, row: Any, by: Operator, now: datetime) -> None:
    game = None if row.game_id is None else str(row.game_id)
    note(db, by, act, "outbox", row_id, now, kind=row.kind, game=game)
