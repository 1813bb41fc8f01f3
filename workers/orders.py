"""Plays the moves that players have given ahead."""

from __future__ import annotations

from service.handlers.play_order import play_order
from service.runtime import Runtime
from service.store import outbox


def play(runtime: Runtime, row_id: int) -> None:
    """Try the orders of the seat that the row is about, exactly once: the row is settled in the same transaction."""
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
    if row is not None:
        play_order(runtime.games, row)
