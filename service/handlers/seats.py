"""Before the game: people leave, are asked to leave, or the game is called off."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import Connection

from service.audit.lobby import GameCancelled, PlayerKicked, SeatLeft
from service.handlers.lobby import lock_as_host, require_open
from service.handlers.lobby_log import note
from service.handlers.refusals import NotOpen, NotSeated
from service.handlers.transaction import transaction
from service.store import notices, outbox
from service.store.games import Games, Position
from service.store.known import require_known

_VACATE = "delete from seat where game_id = %s and player_id = %s"
# The one who has been there longest.
_HAND_OVER = """
update game set host = (select player_id from seat where game_id = game.id order by arrival limit 1) where id = %s
"""
_CANCEL = "update game set status = 'cancelled' where id = %s"


def leave(games: Games, game: UUID, player: UUID) -> None:
    """Free the player's seat in an open game; UnknownGame, NotSeated, NotOpen.

    After a host, whoever has been there longest is the host; if there is nobody else, the game is cancelled.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        require_known(db, position, player)
        seat = position.seat_of(player)
        if seat is None:
            raise NotSeated
        require_open(position)
        if len(position.seats) == 1:
            _call_off(db, game, seat)
            return
        db.exec_driver_sql(_VACATE, (game, player))
        note(db, game, seat, SeatLeft())
        if position.game.host == player:
            db.exec_driver_sql(_HAND_OVER, (game,))


def kick(games: Games, game: UUID, seat: int, host: UUID) -> None:
    """Free somebody else's seat in an open game; UnknownGame, NotHost, NotOpen."""
    with transaction(games.engine) as db:
        position = lock_as_host(db, games, game, host)
        there = next((each.player_id for each in position.seats if each.seat == seat), None)
        if there is None:
            raise NotOpen("empty")
        if there == host:
            raise NotOpen("own-seat")
        db.exec_driver_sql(_VACATE, (game, there))
        note(db, game, position.seat_of(host), PlayerKicked(kicked=seat))


def cancel(games: Games, game: UUID, host: UUID) -> Position:
    """Call an open game off and return it; UnknownGame, NotHost, NotOpen."""
    with transaction(games.engine) as db:
        position = lock_as_host(db, games, game, host)
        _call_off(db, game, position.seat_of(host))
        return games.open(db, game)


def _call_off(db: Connection, game: UUID, seat: int | None) -> None:
    db.exec_driver_sql(_CANCEL, (game,))
    note(db, game, seat, GameCancelled())
    outbox.post(db, game, [notices.seal(game)])
