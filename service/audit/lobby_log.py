"""The log of a lobby in the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from msgspec.json import encode as to_json
from sqlalchemy import Connection

from service.audit.log import Altered
from service.log.ids import made_at
from service.record.lobby import LobbyEvent

CHANGEOVER: Final = 24 * 3600 * 1000
"""For how long after the first lobby that was noted there may be others, of machines that do not do so yet (ms)."""

# A value that the service cannot have written, such as a moment before all dates, is reported at its own event.
_ROWS = """
select seq, greatest('1000-01-01Z', least('9000-01-01Z', at)) as at, seat, name, data, head
  from lobby_event
where game_id = %s order by seq
"""
_LAST = "select seq, head, at from lobby_event where game_id = %s order by seq desc limit 1"
_KNOWN = """
select lobby, origin = 'here' as here,
       (select id from game where lobby is not null and origin = 'here' order by id limit 1) as first
  from game where id = %s
"""
_ADD = """
insert into lobby_event (game_id, seq, at, seat, name, data, head)
values (%s, %s, %s, %s, %s, %s::json, %s)
"""


class LobbyEnd(NamedTuple):
    """The end of a lobby's log: the number of its last event, the head after that, and its moment."""

    seq: int
    head: bytes
    at: datetime


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a lobby's log without it: its last head, and whether there has to be one."""

    head: bytes | None
    noted: bool


def lobby_events(db: Connection, game: UUID) -> list[tuple[LobbyEvent, bytes]]:
    """Return what has happened in the lobby of a game, each with its head; [] if it was not noted."""
    rows = db.exec_driver_sql(_ROWS, (game,))
    return [(LobbyEvent(row.seq, row.at, row.seat, row.name, row.data), bytes(row.head)) for row in rows]


def last_of_lobby(db: Connection, game: UUID) -> LobbyEnd | None:
    """Return the number, the head and the moment of what happened last in a lobby."""
    row: Any = db.exec_driver_sql(_LAST, (game,)).one_or_none()
    return None if row is None else LobbyEnd(row.seq, bytes(row.head), row.at)


def known_lobby(db: Connection, game: UUID) -> Known:
    """Return what is known of the log of a lobby beside it.

    There has to be one in each game that was opened here since lobbies are noted; when that was, the ids tell.
    """
    row: Any = db.exec_driver_sql(_KNOWN, (game,)).one()
    late = row.first is not None and made_at(game) - made_at(row.first) > CHANGEOVER
    head = None if row.lobby is None else bytes(row.lobby)
    return Known(head, noted=head is not None or (row.here and late))


def require_whole(known: Known, happened: Sequence[tuple[LobbyEvent, bytes]]) -> None:
    """Refuse a lobby whose log has another end than is known, or is missing; Altered."""
    if not happened and known.noted:
        raise Altered(0, "event 1 of the lobby is missing, and all that came after it")
    if happened and known.head != happened[-1][1]:
        last = happened[-1][0].seq
        raise Altered(0, f"event {last} of the lobby is not the last that the game knows of: others are missing or new")


def add_to_lobby(db: Connection, game: UUID, event: LobbyEvent, head: bytes) -> None:
    """Write one more event, with the head after it."""
    data = to_json(event.data).decode()
    db.exec_driver_sql(_ADD, (game, event.seq, event.at, event.seat, event.name, data, head))
