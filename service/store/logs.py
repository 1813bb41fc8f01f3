"""The rows of logs: those of several games by one statement, and the events that rows hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from msgspec.json import encode as to_json
from sqlalchemy import Connection

from service.log.codec import Codec
from service.log.recorded import Recorded
from service.store.engine import all_rows

# Each stretch is read along the primary key. The head up to which a log is known has to be that of the log.
_READ: Final = """
select wanted.game, e.seq, e.name, e.data, e.seat, e.door, e.decision, e.action, e.at
from json_to_recordset(%(wanted)s::json) as wanted(game uuid, after int, until int, head text)
cross join lateral (
  select seq, name, data::text as data, seat, door, decision, action, at from event
  where game_id = wanted.game and seq > wanted.after and seq <= wanted.until and (
    wanted.head is null or decode(wanted.head, 'hex') = (
      select head from event where game_id = wanted.game and seq <= wanted.after and head is not null
      order by seq desc limit 1))
  order by seq) as e
"""


class LogStretch(NamedTuple):
    """The events of a game from `after` + 1 to `until`; with a `head`, only if that is the log's up to `after`."""

    game: UUID
    after: int
    until: int
    head: str | None = None


def read_stretches(db: Connection, wanted: Sequence[LogStretch]) -> dict[UUID, list[Any]]:
    """Return the rows of each stretch as `recorded` takes them, by game and in their order.

    Nothing is returned of a log that is archived or has another head.
    """
    found: dict[UUID, list[Any]] = {}
    asked = to_json([each._asdict() for each in wanted]).decode()
    for game, *row in all_rows(db, _READ, {"wanted": asked}) if wanted else ():
        found.setdefault(game, []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: row[0])
    return found


def recorded(codec: Codec, rows: Iterable[Any]) -> list[Recorded]:
    """Return events from their rows; UnknownEvent."""
    return [
        Recorded(seq, codec.decode(name, data), seat, door, decision, action, at, name)
        for seq, name, data, seat, door, decision, action, at, *_ in rows
    ]
