"""Plays the automaton's moves."""

from __future__ import annotations

from service.handlers.play import play_automaton
from service.runtime import Runtime
from service.store import outbox


def move(runtime: Runtime, row_id: int) -> None:
    """Make the move that the row is about, exactly once: the move settles the row in its own transaction.

    A row of a seat whose player has resigned is about that seat's move.
    """
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
    if row is None:
        return
    if not play_automaton(runtime.games, row.game_id, row.payload.get("seat")):
        with runtime.engine.begin() as db:
            outbox.finish(db, row_id, "skipped")
