"""Requests to take an action back, and the accounts of computer players."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from sqlalchemy import Connection, text

from service.log.agreement import agreement_deadline, ends_take_back_request
from service.log.clocks import Clocks
from service.log.recorded import milliseconds
from service.players.levels import Level
from service.store import events
from service.store.games import Position
from service.texts.names import DEFAULT_LANGUAGE, stored_computer_name

# Requests to take an action back, which need the consent of the other players: at most one for each game.

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
    """Request of a seat to take back its action that begins with event `first`, made when the game was at `version`.

    `agreed` are the seats that have agreed so far.
    """

    seat: int
    first: int
    version: int
    asked_at: datetime
    agreed: frozenset[int] = frozenset()


def put_take_back_request(db: Connection, game: UUID, request: TakeBackRequest) -> None:
    """Store a request without agreements, replacing an earlier request of the game."""
    values = {"seat": request.seat, "first": request.first, "version": request.version, "asked_at": request.asked_at}
    db.execute(_PUT, {"game": game, **values})


def find_take_back_request(db: Connection, game: UUID) -> TakeBackRequest | None:
    """Return the last request of the game, which may have lapsed; None without a request."""
    row = db.execute(_FIND, {"game": game}).one_or_none()
    if row is None:
        return None
    return TakeBackRequest(row.seat, row.first, row.version, row.asked_at, frozenset(row.agreed))


def standing_take_back_request(db: Connection, position: Position, now: datetime) -> TakeBackRequest | None:
    """Return the request that is open for agreement: nobody has acted since, and its deadline is ahead; or None."""
    clocks, game = position.clocks, position.game
    if clocks is None or game.status != "running":
        return None
    asked = find_take_back_request(db, game.id)
    if asked is None or milliseconds(now) >= take_back_request_ends(clocks, asked):
        return None
    return (
        None
        if ends_take_back_request(events.read(db, position.codec, game.id, asked.version, position.version))
        else asked
    )


def take_back_request_ends(clocks: Clocks, asked: TakeBackRequest) -> int:
    """Return the deadline for agreeing to a request, in milliseconds since 1970."""
    return agreement_deadline(clocks.pace, milliseconds(asked.asked_at))


def agree_to_take_back(db: Connection, game: UUID, seat: int) -> None:
    """Store a seat's agreement to the request of the game."""
    db.execute(_AGREE, {"game": game, "seat": seat})


def remove_take_back_request(db: Connection, game: UUID) -> None:
    """Delete the request of the game, if any."""
    db.execute(_REMOVE, {"game": game})


# Accounts of computer players: a row by level and number, shared by all tables, without a sign-in.

_SPACE: Final = UUID("6f8c2b52-5d0e-4f0c-9a55-0b8f6c1f2a77")
_PUT_COMPUTERS = text("""
insert into player (id, name, language, computer, created_at) values (:id, :name, :language, :level, :now)
on conflict (id) do nothing
""")
_SAT = text("""
select player_id from seat where game_id = :game union select player_id from former_player where game_id = :game
""")


def players_ever_seated(db: Connection, game: UUID) -> Collection[UUID]:
    return db.execute(_SAT, {"game": game}).scalars().all()


def take_computer(db: Connection, level: Level, seated: Collection[UUID], now: datetime) -> UUID:
    """Return the first computer player of a level who is none of the `seated`, created at first use."""
    number = next(each for each in range(1, len(seated) + 2) if _id(level, each) not in seated)
    name = stored_computer_name(level, number)
    player = _id(level, number)
    db.execute(_PUT_COMPUTERS, {"id": player, "name": name, "language": DEFAULT_LANGUAGE, "level": level, "now": now})
    return player


def _id(level: Level, number: int) -> UUID:
    return uuid5(_SPACE, f"{level} {number}")
