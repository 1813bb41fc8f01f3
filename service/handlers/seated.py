"""Seats of players who act in a running game."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import Connection

from service.handlers.refusals import NotRunning, NotSeated
from service.store.games import Position, require_known


def seat_in_play(db: Connection, position: Position, player: UUID) -> int:
    """Return the seat of a player in a running game; UnknownGame, NotSeated, NotRunning."""
    require_known(db, position, player)
    seat = position.seat_of(player)
    if seat is None:
        raise NotSeated
    if position.game.status != "running":
        raise NotRunning(position.game.status)
    return seat
