"""The absences that players have announced. Those of a player neither overlap nor touch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Column, Connection, DateTime, ForeignKey, Index, Integer, Table, Uuid, text

from service.log.absences import Span
from service.log.recorded import milliseconds
from service.store.tables import instant, metadata

absence = Table(
    "absence",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    instant("begins"),
    instant("ends"),
    instant("created_at"),
    Column("revision", Integer, nullable=False, server_default="0"),
    Column("changed_at", DateTime(timezone=True)),
    CheckConstraint("begins < ends", name="ends"),
    Index("absence_player", "player_id", "ends"),
    Index("absence_ends", "ends"),
)

HOLDS = "coalesce(cast(g.pace ->> 'away' as boolean), true)"
"""Whether the terms of a game `g` allow absences (T-18): those of a game without a clock do."""
_OF_PLAYER = text("""
select id, begins, ends, created_at, revision, changed_at from absence where player_id = :player order by begins
""")
_OF_SEATS = text("""
select s.seat, a.begins, a.ends from seat s join absence a on a.player_id = s.player_id
 where s.game_id = :game order by s.seat, a.begins
""")
_IS_AWAY = text("select exists (select from absence where player_id = :player and begins <= :at and ends > :at)")
_ENDED = text("select exists (select from absence where player_id = :player and ends = :at)")
_AWAY_IN = text("""
select s.seat, a.ends from seat s join absence a on a.player_id = s.player_id and a.begins <= :at and a.ends > :at
 where s.game_id = :game order by s.seat
""")
_WRITE = text("""
insert into absence (id, player_id, begins, ends, created_at) values (:id, :player, :begins, :ends, :now)
on conflict (id) do update set begins = excluded.begins, ends = excluded.ends, revision = absence.revision + 1,
                               changed_at = clock_timestamp()
""")
_REMOVE = text("delete from absence where id = any(:ids)")
_CLOCKED = text(f"""
select g.id from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.status = 'running' and g.pace is not null and {HOLDS} order by g.id
""")  # noqa: S608 - a constant


@dataclass(frozen=True, slots=True)
class AbsenceRow:
    """An absence that a player has announced; `revision` counts its changes, the last of which was at `changed_at`."""

    id: UUID
    begins: datetime
    ends: datetime
    created_at: datetime
    revision: int = 0
    changed_at: datetime | None = None

    @property
    def span(self) -> Span:
        """The absence in milliseconds since 1970."""
        return Span(milliseconds(self.begins), milliseconds(self.ends))


def of_player(db: Connection, player: UUID) -> list[AbsenceRow]:
    """Return all absences of a player that are kept, the earliest first."""
    rows: Iterable[Any] = db.execute(_OF_PLAYER, {"player": player})
    return [AbsenceRow(*row) for row in rows]


def of_seats(db: Connection, game: UUID) -> dict[int, list[Span]]:
    """Return the absences of the players of a game by their seats, the earliest first."""
    found: dict[int, list[Span]] = {}
    for row in db.execute(_OF_SEATS, {"game": game}):
        found.setdefault(row.seat, []).append(Span(milliseconds(row.begins), milliseconds(row.ends)))
    return found


def is_away(db: Connection, player: UUID, at: datetime) -> bool:
    """Return whether a player has announced to be away at a moment, whatever the logs of games say (T-22)."""
    return bool(db.execute(_IS_AWAY, {"player": player, "at": at}).scalar_one())


def has_ended(db: Connection, player: UUID, at: datetime) -> bool:
    """Return whether an absence of a player ends at this very moment."""
    return bool(db.execute(_ENDED, {"player": player, "at": at}).scalar_one())


def away_in(db: Connection, game: UUID, at: datetime) -> dict[int, datetime]:
    """Return which seats of a game have players who are away at a moment, and until when."""
    return {row.seat: row.ends.astimezone(UTC) for row in db.execute(_AWAY_IN, {"game": game, "at": at})}


def write(db: Connection, player: UUID, row: AbsenceRow) -> None:
    """Write an absence, or change the one with its id."""
    values = {"id": row.id, "player": player, "begins": row.begins, "ends": row.ends, "now": row.created_at}
    db.execute(_WRITE, values)


def remove(db: Connection, ids: Sequence[UUID]) -> None:
    """Remove absences."""
    if ids:
        db.execute(_REMOVE, {"ids": list(ids)})


def clocked_games(db: Connection, player: UUID) -> list[UUID]:
    """Return the running games of a player whose clocks an absence stops."""
    return list(db.execute(_CLOCKED, {"player": player}).scalars())
