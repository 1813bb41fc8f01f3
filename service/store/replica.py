"""Replica of the database, for reads of others' games.

The primary tells whether the replica is up to date, from one row: a game is read from the replica only if its log ends
there as at the primary, and a list only if little of the primary's write-ahead log is missing there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, Engine, text

from service.shared.circuit_breaker import CircuitBreaker
from service.store.connections import Pooler
from service.store.engine import build_engine

MOST_BEHIND: Final = 1_000_000
"""Bytes of write-ahead log by which a replica may be behind and still list games: those of about 1,000 actions."""
_END = text("""
select version, encode(head, 'hex') as head from game g
 where id = :game and access = 'public' and spectators and status in ('running', 'finished') and host <> :viewer
   and not exists (select from seat s where s.game_id = g.id and s.player_id = :viewer)
""")
_WRITTEN = text("select cast(pg_current_wal_insert_lsn() as text)")
# A promoted replica writes a log of its own.
_MISSING = text("""
select pg_wal_lsn_diff(cast(:written as pg_lsn),
                       case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)
""")


@dataclass(frozen=True, slots=True)
class Replica:
    """Replica, with a `breaker` that leaves it alone for some seconds after a failure."""

    engine: Engine
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)


def connect_replica(database_url: str, pool_size: int, pooler: Pooler) -> Replica:
    """Return a replica, without connecting yet. Nobody waits for a starting replica: the primary answers."""
    return Replica(build_engine(database_url, True, pool_size, pooler, restart_seconds=0))


def end_for_spectator(db: Connection, game: UUID, viewer: UUID) -> tuple[int, str | None] | None:
    """Return the version and the head of a started game, if the viewer is only a spectator there, else None."""
    row = db.execute(_END, {"game": game, "viewer": viewer}).one_or_none()
    return None if row is None else (row.version, row.head)


def written(db: Connection) -> str:
    """Return the position in the primary's write-ahead log."""
    return str(db.execute(_WRITTEN).scalar_one())


def is_near(db: Connection, position: str) -> bool:
    """Return whether the replica has all but the last MOST_BEHIND bytes of the log up to the position."""
    missing: Decimal | None = db.execute(_MISSING, {"written": position}).scalar_one()
    return missing is not None and missing <= MOST_BEHIND
