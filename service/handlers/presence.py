"""The player of an absent seat is back: the seat is awaited again, with some time in its bank (T-14)."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import Connection

from service.handlers.absence import note_absences
from service.handlers.append import record
from service.handlers.refusals import AlreadyResigned, NotRunning, NotSeated
from service.handlers.transaction import transaction
from service.rules.shared_events import PlayerBack
from service.shared import clock
from service.store import notices, outbox
from service.store.events import Cause
from service.store.games import Games, Position, require_known


def is_absent(position: Position, seat: int) -> bool:
    """Return whether the seat is absent, after lapses in a row, in a game that goes on."""
    clocks = position.clocks
    return clocks is not None and seat in clocks.absent and seat not in position.resigned and _running(position)


def return_to(games: Games, game: UUID, player: UUID, door: str) -> Position:
    """Let a player say that they are back, and return the game; one who was there all the time changes nothing.

    Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned.
    """
    with transaction(games.engine) as db:
        position = games.open(db, game)
        require_known(db, position, player)
    seat = position.seat_of(player)
    if seat is None:
        raise NotSeated
    if not _running(position):
        raise NotRunning(position.game.status)
    if seat in position.resigned:
        raise AlreadyResigned
    return come_back(games, game, seat, player, door)


def come_back(games: Games, game: UUID, seat: int, player: UUID | None, door: str) -> Position:
    """Note that the player of a seat is there, if it is absent; return the game. UnknownGame.

    A seat that has to act is written to again. NotSeated if another person than `player` has the seat by now (T-24).
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        if player is not None and position.seat_of(player) != seat:
            raise NotSeated
        if not is_absent(position, seat):
            return position
        after, _ = record(db, position, [PlayerBack(seat=seat)], Cause(seat, door, position.decision))
        # An absence that the player has announced goes on.
        after = note_absences(db, after, clock.now())
        _ask(db, after, seat)
    games.committed(after)
    games.wake(after)
    return after


def _ask(db: Connection, position: Position, seat: int) -> None:
    if seat in position.awaited and position.seats[seat].told:
        again = notices.turn_mail_again(position.game.id, position.decision, seat, f"back-{position.version}")
        outbox.post(db, position.game.id, [again])


def _running(position: Position) -> bool:
    return position.game.status == "running"
