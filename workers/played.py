"""Keeps what finished games count for their players."""

from __future__ import annotations

from service.handlers.played import keep_played
from service.runtime import Runtime
from service.store import outbox


def keep(runtime: Runtime, row_id: int) -> None:
    """Keep what the finished game that the row is about counts for its players, once or again."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        keep_played(db, runtime.games, row.game_id)
        outbox.finish(db, row_id, "done")
