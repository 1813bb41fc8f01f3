"""The resignation of a player."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection

from service.handlers import links
from service.handlers.append import record
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.pause import pause_if_agreed
from service.handlers.play import Played
from service.handlers.refusals import AlreadyResigned
from service.handlers.seated import seat_in_play
from service.handlers.transaction import transaction
from service.log.recorded import Door, Recorded
from service.rules.shared_events import SeatResigned
from service.shared import clock
from service.store import pace
from service.store.events import Cause
from service.store.games import Games, Position
from service.store.pace import OrderingPlayer


def resign(
    games: Games, game: UUID, player: UUID, door: Door, now: datetime, receipt: Receipt[Played] | None = None
) -> Played:
    """Let the player give the game up; UnknownGame, NotSeated, NotRunning, AlreadyResigned; under a key Repeated.

    The game ends with it if its table says so, or if at most one player is left; else the workers act in the seat.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        seat = seat_in_play(db, position, player)
        if seat in position.resigned:
            raise AlreadyResigned
        after, recorded = give_up(db, position, seat, door)
        links.revoke(db, player, "resigned", now, game)
        played = Played(after, recorded)
        keep(db, receipt, played)
    games.committed(after)
    games.wake(after)
    return played


def give_up(db: Connection, position: Position, seat: int, door: Door) -> tuple[Position, list[Recorded]]:
    """Let the player of a seat give a locked, running game up within a transaction; return what `record` does.

    If only this player had not agreed to a pause that is proposed, the game is paused.
    """
    pace.forget_orders(db, OrderingPlayer(position.game.id, position.seats[seat].player_id))
    happened = [SeatResigned(seat=seat, ends=_ends(position))]
    after, recorded = record(db, position, happened, Cause(seat, door, position.decision))
    return pause_if_agreed(db, after, seat, door, clock.now()), recorded


def _ends(position: Position) -> bool:
    left = position.game.seats - len(position.resigned) - 1
    return position.game.terms.on_resignation == "end" or left <= 1
