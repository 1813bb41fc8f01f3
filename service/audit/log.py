"""Read logs from the database as the steps of a record: fields as written, whatever their shape is today."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from msgspec import convert
from msgspec.json import decode as from_json
from msgspec.json import encode as to_json
from sqlalchemy import Connection
from sqlalchemy.exc import DataError

from service.log.codec import stored_name
from service.log.ids import made_at
from service.record.lobby import LobbyEvent
from service.record.record import LoggedRow, RecordStep, header_head, header_line, step_head
from service.rules.kernel import GameStarted
from service.rules.pace import Pace
from service.rules.shared_events import ComputerSeated, DealSet, PaceSet
from service.store.events import rows
from service.store.games import Position


class Altered(Exception):
    """Stored data of a game differs from what was written: number of the first wrong event, and a description.

    The number is 0 for events before the game; the description then says more.
    """

    def __init__(self, seq: int, wrong: str) -> None:
        super().__init__(f"event {seq}: {wrong}")
        self.seq = seq
        self.wrong = wrong


class NoChain(Exception):
    """Game without a provable chain: it was opened, or began, before there was a chain."""


@contextmanager
def altered_if_unreadable(seq: int) -> Iterator[None]:
    """Raise Altered, with an event's number, if stored values of a game cannot be read."""
    try:
        yield
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError, DataError) as error:
        # Altered rows may hold unreadable values.
        raise Altered(seq, f"what is stored of the game makes no sense ({type(error).__name__})") from None


def pace_of(events: Sequence[tuple[str, Any]]) -> Pace | None:
    """Return the pace at the end of a game's setup, None without a clock; ValidationError."""
    name, fields = events[-1]
    return convert(fields, PaceSet, from_attributes=True).pace if name == stored_name(PaceSet) else None


def computers_of(events: Sequence[tuple[str, Any]]) -> Sequence[ComputerSeated]:
    """Return the computer players in the setup of a game; ValidationError."""
    seated = (fields for name, fields in events if name == stored_name(ComputerSeated))
    return [convert(fields, ComputerSeated, from_attributes=True) for fields in seated]


def deal_of(events: Sequence[tuple[str, Any]]) -> str | None:
    """Return the day of the deal in the setup of a game, None for any other game; ValidationError."""
    fields = next((fields for name, fields in events if name == stored_name(DealSet)), None)
    return None if fields is None else convert(fields, DealSet, from_attributes=True).day


def next_head(db: Connection, position: Position, step: RecordStep, started: GameStarted | None) -> bytes | None:
    """Return the head after a further step; `started` is the event that begins the game, if in this step.

    None for a game from before there was a chain.
    """
    game = position.game
    if started is None and game.head is None:
        return None
    key = position.chain_keys.of(db, game.id)
    if started is None:
        return step_head(key, bytes.fromhex(game.head or ""), step)
    beside = pace_of(step.events), computers_of(step.events), deal_of(step.events)
    before = header_head(key, header_line(str(game.id), started, *beside))
    return step_head(key, before, step)


def steps(db: Connection, game: UUID, until: int) -> list[tuple[RecordStep, bytes]]:
    """Return the appends of a log, up to an event's number, each with its head; Altered."""
    found = rows(db, game, until)
    return [(_step(together), bytes(together[0].head or b"")) for together in _appends(found)]


def _appends(rows: Sequence[LoggedRow]) -> Iterator[list[LoggedRow]]:
    """Yield the rows of each append: the head is in the first row."""
    together: list[LoggedRow] = []
    for row in rows:
        if together and row.head is not None:
            yield together
            together = []
        together.append(row)
    if together:
        yield together


def _step(rows: Sequence[LoggedRow]) -> RecordStep:
    first = rows[0]
    cause = (first.at, first.seat, first.door, first.decision, None)
    for number, row in enumerate(rows[1:], first.seq + 1):
        if row.seq != number:
            raise Altered(number, "it is missing")
        if (row.at, row.seat, row.door, row.decision, row.action) != cause:
            raise Altered(number, "it has another cause than the events that were written with it")
    return RecordStep(
        seq=first.seq,
        at=first.at,
        seat=first.seat,
        door=first.door,
        decision=first.decision,
        action=first.action,
        events=[(row.name, from_json(row.data)) for row in rows],
    )


# Log of a lobby.

CHANGEOVER: Final = 24 * 3600 * 1000
"""Milliseconds after the first logged lobby in which others may lack a log: machines of the release before write none.
"""

# An impossible value, such as a moment before all dates, is reported at its own event.
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
    """End of a lobby's log: the number of its last event, the head after that event, and its time."""

    seq: int
    head: bytes
    at: datetime


@dataclass(frozen=True, slots=True)
class Known:
    """Expected end of a lobby's log: its last head, and whether there has to be a log."""

    head: bytes | None
    noted: bool


def lobby_events(db: Connection, game: UUID) -> list[tuple[LobbyEvent, bytes]]:
    """Return the events of a game's lobby, each with its head; [] if there is no log."""
    rows = db.exec_driver_sql(_ROWS, (game,))
    return [(LobbyEvent(row.seq, row.at, row.seat, row.name, row.data), bytes(row.head)) for row in rows]


def last_of_lobby(db: Connection, game: UUID) -> LobbyEnd | None:
    """Return the number, the head and the time of the last event of a lobby."""
    row: Any = db.exec_driver_sql(_LAST, (game,)).one_or_none()
    return None if row is None else LobbyEnd(row.seq, bytes(row.head), row.at)


def known_lobby(db: Connection, game: UUID) -> Known:
    """Return the expected end of a lobby's log, from the game's row.

    Each game opened here since lobbies have logs must have one; the ids tell the time of opening.
    """
    row: Any = db.exec_driver_sql(_KNOWN, (game,)).one()
    late = row.first is not None and made_at(game) - made_at(row.first) > CHANGEOVER
    head = None if row.lobby is None else bytes(row.lobby)
    return Known(head, noted=head is not None or (row.here and late))


def require_known_end(known: Known, happened: Sequence[tuple[LobbyEvent, bytes]]) -> None:
    """Raise Altered for a lobby whose log is missing, or ends otherwise than expected."""
    if not happened and known.noted:
        raise Altered(0, "event 1 of the lobby is missing, and all that came after it")
    if happened and known.head != happened[-1][1]:
        last = happened[-1][0].seq
        raise Altered(0, f"event {last} of the lobby is not the last that the game knows of: others are missing or new")


def add_to_lobby(db: Connection, game: UUID, event: LobbyEvent, head: bytes) -> None:
    """Append an event, with the head after it."""
    data = to_json(event.data).decode()
    db.exec_driver_sql(_ADD, (game, event.seq, event.at, event.seat, event.name, data, head))
