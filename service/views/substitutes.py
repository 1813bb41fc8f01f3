"""Who plays a seat: its player, a substitute or the service; who played it before; and who asks for a seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.access import PlayerRow
from service.store.games import Position
from service.store.lobby import SeatRequest
from service.texts.names import display_name

_OPEN = text("""
select r.id, r.game_id, r.seat, r.player_id, r.created_at, p.name
from seat_request r join player p on p.id = r.player_id
where r.game_id = :game and r.answer is null and r.seat = any(:seats)
  and (cast(:player as uuid) is null or r.player_id = :player)
order by r.created_at, r.id
""")
_FORMER = text("""
select f.seat, f.until_seq, p.name from former_player f join player p on p.id = f.player_id
where f.game_id = :game order by f.until_seq
""")


@dataclass(frozen=True, slots=True)
class FormerPlayer:
    """A player who has left a seat to another person, by the name that is shown; `until` as in HandedOver."""

    seat: int
    until: int
    name: str


def former_players(db: Connection, position: Position, language: str) -> list[FormerPlayer]:
    """Return the players who have left seats of a game to others, in the order in which they did."""
    if not position.former:
        return []
    rows = db.execute(_FORMER, {"game": position.game.id})
    return [FormerPlayer(row.seat, row.until_seq, display_name(row.name, language)) for row in rows]


def played_by(position: Position) -> list[dict[str, Any]]:
    """Return for each seat who plays it, or has played it at the end, and until which events others did, as JSON types.

    `player` is the one who has sat there from the beginning, `substitute` one who took the seat over, and `stand-in`
    the service, for a player who has resigned or is absent.
    """
    return [
        {
            "seat": seat,
            "by": _who(position, seat),
            "handed_over": [each.until for each in position.former if each.seat == seat],
        }
        for seat in range(position.game.seats)
    ]


def request(asked: SeatRequest, name: str, *, mine: bool = True) -> dict[str, Any]:
    """Return a request as JSON types; `name` is that of the person who asks, as it is shown."""
    return {
        "id": str(asked.id),
        "seat": asked.seat,
        "name": name,
        "mine": mine,
        "created_at": asked.created_at.isoformat(),
    }


def requests(db: Connection, position: Position, reader: PlayerRow) -> list[dict[str, Any]]:
    """Return the open requests that the reader may know: all for a player of the game, one's own for anybody else."""
    seats = sorted(position.unattended)
    if not seats:
        return []
    whose: UUID | None = None if position.seat_of(reader.id) is not None else reader.id
    values = {"game": position.game.id, "seats": seats, "player": whose}
    return [
        request(
            SeatRequest(row.id, row.game_id, row.seat, row.player_id, row.created_at),
            display_name(row.name, reader.language),
            mine=row.player_id == reader.id,
        )
        for row in db.execute(_OPEN, values)
    ]


def _who(position: Position, seat: int) -> str:
    if seat in position.stood_in:
        return "stand-in"
    return "substitute" if any(each.seat == seat for each in position.former) else "player"
