"""Whom players block: the two never come to a new table together, and one's words and mails do not reach the other.

A block of a person holds for their bots too, on both sides; a block of a bot is of that bot alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.log.ids import new_id

_ADD = text("""
insert into block (id, blocker, blocked, created_at) values (:id, :blocker, :blocked, :now)
on conflict (blocker, blocked) do update set created_at = block.created_at returning id
""")
_REMOVE = text("delete from block where id = :id and blocker = :blocker")
_COUNT = text("select count(*) from block where blocker = :blocker")
_KNOWN: Final = """
with known as (
  select p.id, known_as from player p, unnest(array[p.id, p.owner]) as known_as where p.id = any(:players)
)
"""
_PAIRS: Final = text(f"""
{_KNOWN}
select distinct least(a.id, b.id) as one, greatest(a.id, b.id) as other
  from known a join block on block.blocker = a.known_as join known b on b.known_as = block.blocked
 where a.id <> b.id
""")  # noqa: S608 - a constant
_EITHER: Final = text(f"""
{_KNOWN}
select exists (
  select from known a, known b where (a.id = :player) <> (b.id = :player) and exists (
    select from block where block.blocker = a.known_as and block.blocked = b.known_as))
""")  # noqa: S608 - a constant
_OF_ADDRESS = text("select id from player where lower(email) = :address and email_confirmed and deleted_at is null")
APART: Final = """exists (
  select from seat o join block b on (b.blocker, b.blocked) in ((:me, o.player_id), (o.player_id, :me))
   where o.game_id = g.id)"""
"""Whether the player `:me` and one at the table of a game `g` block each other, in SQL; bots are only known as such."""


def add(db: Connection, blocker: UUID, blocked: UUID, now: datetime) -> UUID:
    """Let one player block another, once or again; return the id of the block."""
    values = {"id": new_id(), "blocker": blocker, "blocked": blocked, "now": now}
    found: UUID = db.execute(_ADD, values).scalar_one()
    return found


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
    return is_apart(db, one, [other])


def is_apart(db: Connection, player: UUID, others: Iterable[UUID]) -> bool:
    """Return whether the player blocks one of the others, or is blocked by one."""
    asked = {"player": player, "players": [player, *others]}
    return bool(db.execute(_EITHER, asked).scalar_one())


def is_apart_from_address(db: Connection, player: UUID, address: str) -> bool:
    """Return whether the player and somebody whose confirmed address this is (in lower case) block each other."""
    people: Sequence[UUID] = db.execute(_OF_ADDRESS, {"address": address}).scalars().all()
    return bool(people) and is_apart(db, player, people)
