"""Requests for seats of running games, as they are stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import Connection, text

_COLUMNS = "select id, game_id, seat, player_id, created_at, answer from seat_request"
_ADD = text(
    "insert into seat_request (id, game_id, seat, player_id, created_at) values (:id, :game, :seat, :player, :now)"
)
_READ = text(f"{_COLUMNS} where id = :id and game_id = :game")
_OF_PLAYER = text(f"{_COLUMNS} where game_id = :game and player_id = :player order by created_at, id")
_OPEN = text(f"{_COLUMNS} where game_id = :game and answer is null order by created_at, id")
_ANSWER = text("update seat_request set answer = :answer where id = :id")
_WITHDRAW = text(
    "delete from seat_request where id = :id and game_id = :game and player_id = :player and answer is null"
    " returning true"
)


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """A player's request for a seat; `answer` is None while it is open."""

    id: UUID
    game_id: UUID
    seat: int
    player_id: UUID
    created_at: datetime
    answer: Literal["agreed", "declined"] | None = None


def add(db: Connection, asked: SeatRequest) -> None:
    """Write an open request."""
    values = {"id": asked.id, "game": asked.game_id, "seat": asked.seat, "player": asked.player_id}
    db.execute(_ADD, {**values, "now": asked.created_at})


def read(db: Connection, game: UUID, request: UUID) -> SeatRequest | None:
    """Return a request of a game, answered or not; None if there is none with this id."""
    row = db.execute(_READ, {"game": game, "id": request}).one_or_none()
    return None if row is None else _request(row)


def of_player(db: Connection, game: UUID, player: UUID) -> list[SeatRequest]:
    """Return a player's requests in a game, the oldest first."""
    return [_request(row) for row in db.execute(_OF_PLAYER, {"game": game, "player": player})]


def still_open(db: Connection, game: UUID) -> list[SeatRequest]:
    """Return the open requests of a game, the oldest first."""
    return [_request(row) for row in db.execute(_OPEN, {"game": game})]


def answer(db: Connection, request: UUID, given: Literal["agreed", "declined"]) -> None:
    """Note the answer to a request."""
    db.execute(_ANSWER, {"id": request, "answer": given})


def withdraw(db: Connection, game: UUID, request: UUID, player: UUID) -> bool:
    """Delete a player's own open request; False if there is none."""
    values = {"game": game, "id": request, "player": player}
    return db.execute(_WITHDRAW, values).first() is not None


def _request(row: Any) -> SeatRequest:
    return SeatRequest(*row)
