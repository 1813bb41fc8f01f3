"""Requests to take an action back, which need the consent of the other players: at most one for each game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, text

_PUT = text("""
insert into take_back_request (game_id, seat, first, version, asked_at)
values (:game, :seat, :first, :version, :asked_at)
on conflict (game_id) do update
   set seat = excluded.seat, first = excluded.first, version = excluded.version, asked_at = excluded.asked_at,
       agreed = '{}'
""")
_FIND = text("select seat, first, version, asked_at, agreed from take_back_request where game_id = :game")
_AGREE = text("update take_back_request set agreed = array_append(agreed, :seat) where game_id = :game")
_REMOVE = text("delete from take_back_request where game_id = :game")


@dataclass(frozen=True, slots=True)
class TakeBackRequest:
    """A request of a seat for its action that begins with event `first`, made when the game was at `version`.

    `agreed` are the seats that have agreed to it so far.
    """

    seat: int
    first: int
    version: int
    asked_at: datetime
    agreed: frozenset[int] = frozenset()


def put(db: Connection, game: UUID, request: TakeBackRequest) -> None:
    """Store a request to which nobody has agreed yet, in place of an earlier one of the game."""
    values = {"seat": request.seat, "first": request.first, "version": request.version, "asked_at": request.asked_at}
    db.execute(_PUT, {"game": game, **values})


def find(db: Connection, game: UUID) -> TakeBackRequest | None:
    """Return the last request of the game, which need not stand any more; None if there is none."""
    row = db.execute(_FIND, {"game": game}).one_or_none()
    if row is None:
        return None
    return TakeBackRequest(row.seat, row.first, row.version, row.asked_at, frozenset(row.agreed))


def agree(db: Connection, game: UUID, seat: int) -> None:
    """Note that a seat agrees to the request of the game."""
    db.execute(_AGREE, {"game": game, "seat": seat})


def remove(db: Connection, game: UUID) -> None:
    """Remove the request of the game, if there is one."""
    db.execute(_REMOVE, {"game": game})
