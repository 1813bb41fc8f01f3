"""Plays the automaton's moves."""

from __future__ import annotations

from service.handlers.play import play_automaton
from service.runtime import Runtime
from service.store import outbox


def move(runtime: Runtime, row_id: int) -> None:
    """Make the move that the row is about, exactly once: the move settles the row in its own transaction.

    A row that names a seat is about the move of a player whom the service stands in for. Where none is owed, that row
    is taken away: the seat's player may be back, and may leave the same decision to the service later.
    """
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
    if row is None:
        return
    seat = row.payload.get("seat")
    if not play_automaton(runtime.games, row.game_id, seat):
        with runtime.engine.begin() as db:
            if seat is None:
                outbox.finish(db, row_id, "skipped")
            else:
                outbox.forget(db, row_id)
