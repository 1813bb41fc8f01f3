"""Effects that play: the automaton, computer players, orders."""

from __future__ import annotations

from service.handlers.computers import play_computer
from service.handlers.orders import play_order
from service.handlers.play import play_automaton
from service.runtime import Runtime
from service.store import outbox

# Moves of the automaton.


def carry_out_automaton(runtime: Runtime, row_id: int) -> None:
    """Make the row's move, exactly once: the move settles the row in its own transaction.

    A row with a seat is for a player whom the service stands in for. If no move is due, such a row is deleted: the
    seat's player may be back, and may later leave the same decision to the service again.
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


# Moves of computer players.


def carry_out_computer(runtime: Runtime, row_id: int) -> None:
    """Make the row's move, exactly once: the move settles the row in its own transaction."""
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
    if row is None:
        return
    if not play_computer(runtime.games, row.game_id, row.payload["seat"], row_id):
        with runtime.engine.begin() as db:
            outbox.finish(db, row_id, "skipped")


# Orders: moves that players have given ahead.


def carry_out_order(runtime: Runtime, row_id: int) -> None:
    """Try the orders of the row's seat, exactly once: the same transaction settles the row."""
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
    if row is not None:
        play_order(runtime.games, row)
