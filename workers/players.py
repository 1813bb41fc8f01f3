"""Plays the moves of computer players."""

from __future__ import annotations

from service.handlers.computers import play_computer
from service.runtime import Runtime
from service.store import outbox


def move(runtime: Runtime, row_id: int) -> None:
    """Make the move that the row is about, exactly once: the move settles the row in its own transaction."""
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
    if row is None:
        return
    if not play_computer(runtime.games, row.game_id, row.payload["seat"], row_id):
        with runtime.engine.begin() as db:
            outbox.finish(db, row_id, "skipped")
