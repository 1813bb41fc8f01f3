"""The lobby before a game begins: a player leaves, the host removes a player, or the host cancels the game."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import Connection

from service.handlers.lobby import lock_as_host, require_open
from service.handlers.lobby_log import note
from service.handlers.refusals import NotOpen, NotSeated
from service.handlers.transaction import transaction
from service.record.lobby import GameCancelled, PlayerKicked, SeatLeft
from service.store import notices, outbox
from service.store.games import Games, Position, require_known

_VACATE = "delete from seat where game_id = %s and player_id = %s"
_CLEAR = """
with cleared as (delete from seat where game_id = %s and player_id = %s returning arrival, game_id, player_id)
insert into vacated_seat (arrival, game_id, player_id) select arrival, game_id, player_id from cleared returning arrival
"""
# The person who has been there longest.
_HAND_OVER = """
update game set host = (
  select s.player_id from seat s join player p on p.id = s.player_id
  where s.game_id = game.id and p.computer is null order by s.arrival limit 1) where id = %s
"""
_CANCEL = "update game set status = 'cancelled' where id = %s"


def leave(games: Games, game: UUID, player: UUID) -> None:
    """Free the player's seat in an open game; UnknownGame, NotSeated, NotOpen.

    After the host, the player who has been there longest is the host; if there is none, the game is cancelled.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        require_known(db, position, player)
        seat = position.seat_of(player)
        if seat is None:
            raise NotSeated
        require_open(position)
        if sum(each.computer is None for each in position.seats) == 1:
            _call_off(db, game, seat)
            return
        db.exec_driver_sql(_VACATE, (game, player))
        note(db, game, seat, SeatLeft())
        if position.game.host == player:
            db.exec_driver_sql(_HAND_OVER, (game,))


def kick(games: Games, game: UUID, seat: int, host: UUID) -> None:
    """Free another player's seat in an open game, and queue a mail to that player; UnknownGame, NotHost, NotOpen."""
    with transaction(games.engine) as db:
        position = lock_as_host(db, games, game, host)
        there = next((each for each in position.seats if each.seat == seat), None)
        if there is None:
            raise NotOpen("empty")
        if there.player_id == host:
            raise NotOpen("own-seat")
        arrival: int = db.exec_driver_sql(_CLEAR, (game, there.player_id)).scalar_one()
        note(db, game, position.seat_of(host), PlayerKicked(kicked=seat))
        if there.email is not None:
            outbox.post(db, game, [notices.removed(game, there.player_id, arrival)])
    games.wake()


def cancel(games: Games, game: UUID, host: UUID) -> Position:
    """Call an open game off, have the others told by mail, and return it; UnknownGame, NotHost, NotOpen."""
    with transaction(games.engine) as db:
        position = lock_as_host(db, games, game, host)
        _call_off(db, game, position.seat_of(host))
        others = [each.player_id for each in position.seats if each.player_id != host and each.email]
        outbox.post(db, game, [notices.called_off(game, each) for each in others])
        after = games.open(db, game)
    games.wake()
    return after


def _call_off(db: Connection, game: UUID, seat: int | None) -> None:
    db.exec_driver_sql(_CANCEL, (game,))
    note(db, game, seat, GameCancelled())
    outbox.post(db, game, [notices.seal(game)])
