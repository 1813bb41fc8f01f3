"""Requests for a seat of a running game at a public table: made by a stranger, answered by a player who is there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection

from service.handlers.gate import SEAT_REQUEST, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import CannotTakeOver, NotSeated, SeatUnattended, TooMany, UnknownSeatRequest
from service.handlers.substitute import Substitute, require_stranger, require_unattended, take_over
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.log.recorded import Door
from service.store import lobby, notices, outbox
from service.store.game_row import SeatRow
from service.store.games import Games, Position, require_known
from service.store.lobby import SeatRequest
from service.store.quotas import UNCOUNTED, Budget

MOST = 10
"""The most open requests of a game at a time."""


@dataclass(frozen=True, slots=True)
class SeatWanted:
    """The seat of a game that a player asks for."""

    game: UUID
    seat: int
    player: UUID


@dataclass(frozen=True, slots=True)
class Answering:
    """The player who answers a request of a game, and the door through which the answer comes."""

    game: UUID
    request: UUID
    player: UUID
    door: Door


def ask(
    games: Games,
    wanted: SeatWanted,
    now: datetime,
    receipt: Receipt[SeatRequest] | None = None,
    budget: Budget = UNCOUNTED,
) -> SeatRequest:
    """Ask those who are at a public table for a seat whose player is not, and have them told by mail.

    UnknownGame, NotRunning, SeatAttended, CannotTakeOver, TooMany, MailsSpent; under a key also Repeated, KeyReused.
    """
    game, seat, player = wanted.game, wanted.seat, wanted.player
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        require_known(db, position, player)
        require_unattended(position, seat)
        require_stranger(db, position, player, seat)
        _require_unanswered(db, game, seat, player)
        asked = SeatRequest(new_id(), game, seat, player, now)
        lobby.add_seat_request(db, asked)
        told = [row for row in _there(position) if row.email and row.confirmed]
        outbox.post(db, game, [notices.seat_request(game, asked.id, each.seat) for each in told])
        reach(db, budget, SEAT_REQUEST, player, [each.player_id for each in told], now)
        keep(db, receipt, asked)
    games.wake()
    return asked


def agree(games: Games, answering: Answering, now: datetime) -> Position:
    """Give the seat to the person who has asked for it, and return the game afterwards.

    UnknownGame, NotSeated, SeatUnattended, UnknownSeatRequest, NotRunning, SeatAttended, CannotTakeOver.
    """
    with transaction(games.engine) as db:
        position, asked = _read(db, games, answering)
        if asked.answer == "agreed":
            return position
        if asked.answer is not None:
            raise UnknownSeatRequest
        lobby.answer_seat_request(db, asked.id, "agreed")
        substitute = Substitute(asked.player_id, asked.seat, answering.door)
        after = take_over(db, games, position, substitute, now)
    games.committed(after)
    games.wake(after)
    return after


def decline(games: Games, answering: Answering) -> None:
    """Decline a request, once or again; the person cannot ask for the seat once more. Raises as `agree` does."""
    with transaction(games.engine) as db:
        _, asked = _read(db, games, answering)
        if asked.answer == "agreed":
            raise UnknownSeatRequest
        lobby.answer_seat_request(db, asked.id, "declined")


def withdraw(games: Games, game: UUID, request: UUID, player: UUID) -> bool:
    """Take one's own open request back; False if the player has no such request."""
    with transaction(games.engine) as db:
        return lobby.withdraw_seat_request(db, game, request, player)


def _require_unanswered(db: Connection, game: UUID, seat: int, player: UUID) -> None:
    earlier = lobby.seat_requests_of_player(db, game, player)
    if any(each.answer is None for each in earlier):
        raise CannotTakeOver("asked")
    if any((each.seat, each.answer) == (seat, "declined") for each in earlier):
        raise CannotTakeOver("declined")
    if len(lobby.open_seat_requests(db, game)) >= MOST:
        raise TooMany(MOST)


def _read(db: Connection, games: Games, answering: Answering) -> tuple[Position, SeatRequest]:
    """Lock the game of a request for a player who may answer it, and return both."""
    position = games.lock(db, answering.game)
    require_known(db, position, answering.player)
    seat = position.seat_of(answering.player)
    if seat is None:
        raise NotSeated
    if seat in position.unattended:
        raise SeatUnattended
    asked = lobby.read_seat_request(db, answering.game, answering.request)
    if asked is None:
        raise UnknownSeatRequest
    return position, asked


def _there(position: Position) -> list[SeatRow]:
    return [row for row in position.seats if row.seat not in position.unattended]
