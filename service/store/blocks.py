"""Whom players block: the two never come to a new table together, and one's words and mails do not reach the other.

A block of a person holds for their bots too, on both sides; a block of a bot is of that bot alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

_ADD = text("""
insert into block (id, blocker, blocked, created_at) values (:id, :blocker, :blocked, :now)
on conflict (blocker, blocked) do nothing
""")
_REMOVE = text("delete from block where id = :id and blocker = :blocker")
_COUNT = text("select count(*) from block where blocker = :blocker")
_PAIRS: Final = text("""
with known as (
  select p.id, known_as from player p, unnest(array[p.id, p.owner]) as known_as where p.id = any(:players)
)
select distinct least(a.id, b.id) as one, greatest(a.id, b.id) as other
  from known a join block on block.blocker = a.known_as join known b on b.known_as = block.blocked
 where a.id <> b.id
""")
# Two lookups by the keys, however many players have blocked either of them.
_EITHER = text("""
with known as (
  select p.id, known_as from player p, unnest(array[p.id, p.owner]) as known_as where p.id in (:one, :other)
)
select exists (
  select from known a, known b where a.id <> b.id and exists (
    select from block where block.blocker = a.known_as and block.blocked = b.known_as))
""")


def add(db: Connection, block: UUID, blocker: UUID, blocked: UUID, now: datetime) -> None:
    """Let one player block another, once or again."""
    db.execute(_ADD, {"id": block, "blocker": blocker, "blocked": blocked, "now": now})


def remove(db: Connection, block: UUID, blocker: UUID) -> bool:
    """End a block of the player's; False if the player has none of this id."""
    return db.execute(_REMOVE, {"id": block, "blocker": blocker}).rowcount == 1


def count(db: Connection, blocker: UUID) -> int:
    """Return how many a player blocks."""
    return int(db.execute(_COUNT, {"blocker": blocker}).scalar_one())


def blocked_pairs(db: Connection, players: Iterable[UUID]) -> frozenset[tuple[UUID, UUID]]:
    """Return the pairs of these players of whom one, or both, block the other; the lesser id of a pair is first."""
    rows: Any = db.execute(_PAIRS, {"players": list(players)})
    return frozenset((row.one, row.other) for row in rows)


def either_blocks(db: Connection, one: UUID, other: UUID) -> bool:
    """Return whether one of two players, or both, block the other."""
    return bool(db.execute(_EITHER, {"one": one, "other": other}).scalar_one())
