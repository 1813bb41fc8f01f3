"""The log of a lobby in the database."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from msgspec.json import encode as to_json
from sqlalchemy import Connection

from service.audit.lobby import LobbyEvent

# What nobody can have written, such as a moment before all dates, is to be found at its own event.
_ROWS = """
select seq, greatest('1000-01-01Z', least('9000-01-01Z', at)) as at, seat, name, data, head
  from lobby_event
where game_id = %s order by seq
"""
_LAST = "select seq, head from lobby_event where game_id = %s order by seq desc limit 1"
_ADD = """
insert into lobby_event (game_id, seq, at, seat, name, data, head)
values (%s, %s, %s, %s, %s, %s::json, %s)
"""


def lobby_events(db: Connection, game: UUID) -> list[tuple[LobbyEvent, bytes]]:
    """Return what has happened in the lobby of a game, each with the head beside it; [] if it was not noted."""
    rows = db.exec_driver_sql(_ROWS, (game,))
    return [(LobbyEvent(row.seq, row.at, row.seat, row.name, row.data), bytes(row.head)) for row in rows]


def last_of_lobby(db: Connection, game: UUID) -> tuple[int, bytes] | None:
    """Return the number and the head of what happened last in a lobby."""
    row: Any = db.exec_driver_sql(_LAST, (game,)).one_or_none()
    return None if row is None else (row.seq, bytes(row.head))


def add_to_lobby(db: Connection, game: UUID, event: LobbyEvent, head: bytes) -> None:
    """Write one more event, with the head after it."""
    data = to_json(event.data).decode()
    db.exec_driver_sql(_ADD, (game, event.seq, event.at, event.seat, event.name, data, head))
