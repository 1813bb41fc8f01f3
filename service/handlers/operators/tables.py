"""A table is handed to another host by an operator."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.farewell import leave_open
from service.handlers.refusals import CannotHandOver
from service.handlers.transaction import transaction
from service.store import operation
from service.store.games import Games, Position
from service.store.operation import Operator, note_operator_act

_HAND_OVER = text("update game set host = :player where id = :game")
_NEXT = text(
    "select s.player_id from seat s join player p on p.id = s.player_id"
    " where s.game_id = :game and s.player_id <> :host and p.computer is null order by s.arrival limit 1"
)


def hand_over(games: Games, game: UUID, player: UUID, by: Operator, now: datetime) -> None:
    """Make another player of a table its host; UnknownGame, CannotHandOver.

    The record of a game proves who its host was before it began: the player who has been there longest. So the host
    of an open table gives up the seat, and only the player who is next by that order can become the host.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        host = position.game.host
        _require_able(db, position, player)
        if position.game.status == "open":
            if db.execute(_NEXT, {"game": game, "host": host}).scalar() != player:
                raise CannotHandOver("order")
            leave_open(db, host, [game])
        else:
            db.execute(_HAND_OVER, {"game": game, "player": player})
        note_operator_act(db, by, "handed-over", "game", game, now, before=str(host), after=str(player))
    games.wake()


def _require_able(db: Connection, position: Position, player: UUID) -> None:
    seat = position.seat_of(player)
    if position.game.status == "cancelled" or position.game.host == player:
        raise CannotHandOver("host" if position.game.host == player else "cancelled")
    if seat is None or seat in position.resigned or operation.player_block_reason(db, player) is not None:
        raise CannotHandOver("player")
