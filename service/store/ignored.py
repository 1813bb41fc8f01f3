"""Whose talk a player is not shown: that of players whom the player ignores, or blocks.

The speaker does not learn of it. To ignore or block a person takes in their bots.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.log.ids import new_id

UNHEARD: Final = """exists (
  select from player said, unnest(array[said.id, said.owner]) as known_as where said.id = {speaker}
   and (exists (select from block where blocker = {listener} and blocked = known_as)
     or exists (select from ignored_player i where i.player_id = {listener} and i.ignored = known_as)))"""
"""Whether a `{listener}` is not shown what a `{speaker}` says, in SQL with the two ids put in."""
SPEAKER: Final = """coalesce(
  (select f.player_id from former_player f where (f.game_id, f.seat) = (t.game_id, t.seat)
      and t.at >= f.joined_at and t.at < f.left_at),
  (select s.player_id from seat s where (s.game_id, s.seat) = (t.game_id, t.seat)))"""
"""The player who has said what is in a row `t` of the talk, in SQL."""

_ADD = text("""
insert into ignored_player (id, player_id, ignored, created_at) values (:id, :player, :ignored, :now)
on conflict (player_id, ignored) do update set created_at = ignored_player.created_at returning id
""")
_REMOVE = text("delete from ignored_player where id = :id and player_id = :player")
_COUNT = text("select count(*) from ignored_player where player_id = :player")
_HEARD_BY = text(f"""
select listener from unnest(cast(:listeners as uuid[])) as listener
 where not {UNHEARD.format(listener="listener", speaker=":speaker")}
""")  # noqa: S608 - constants


def add(db: Connection, player: UUID, ignored: UUID, now: datetime) -> UUID:
    """Let one player ignore another, once or again; return the id of that."""
    values = {"id": new_id(), "player": player, "ignored": ignored, "now": now}
    found: UUID = db.execute(_ADD, values).scalar_one()
    return found


def remove(db: Connection, ignored: UUID, player: UUID) -> bool:
    """Let the player hear another one again; False if nobody is ignored under this id."""
    return db.execute(_REMOVE, {"id": ignored, "player": player}).rowcount == 1


def count(db: Connection, player: UUID) -> int:
    """Return how many a player ignores."""
    return int(db.execute(_COUNT, {"player": player}).scalar_one())


def heard_by(db: Connection, speaker: UUID, listeners: Iterable[UUID]) -> frozenset[UUID]:
    """Return those of the listeners who are shown what the speaker says."""
    asked = {"speaker": speaker, "listeners": list(listeners)}
    return frozenset(db.execute(_HEARD_BY, asked).scalars())
