"""Analyses of finished games: one for each game, which grows until it is ready."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from msgspec.json import encode as to_json
from sqlalchemy import Connection, text

_ASK = text("""
insert into analysis (game_id, head, version) values (:game, :head, :version)
on conflict (game_id) do update
   set head = excluded.head, version = excluded.version, asked_at = now(), ready_at = null, found = '[]'
 where (analysis.head, analysis.version) is distinct from (excluded.head, excluded.version)
""")
_FIND = text("select head, version, ready_at is not null as ready, found from analysis where game_id = :game")
_ADD = text("""
update analysis set found = found || cast(:found as jsonb), ready_at = case when :ready then now() end
 where game_id = :game and version = :version and ready_at is null and jsonb_array_length(found) = :before
""")


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    """What was found of a game's steps so far, in their order, by a `version` of the analysis at a head of the log."""

    head: str | None
    version: int
    ready: bool
    found: Sequence[Any]


def ask(db: Connection, game: UUID, head: str | None, version: int) -> bool:
    """Note that an analysis is wanted; return whether it has to be made, since there is none of this head."""
    values = {"game": game, "head": None if head is None else bytes.fromhex(head), "version": version}
    return bool(db.execute(_ASK, values).rowcount)


def find(db: Connection, game: UUID) -> StoredAnalysis | None:
    """Return the analysis of a game, ready or not; None if nobody has asked for one."""
    row = db.execute(_FIND, {"game": game}).one_or_none()
    if row is None:
        return None
    return StoredAnalysis(None if row.head is None else bytes(row.head).hex(), row.version, row.ready, row.found)


def add(db: Connection, game: UUID, before: StoredAnalysis, found: Sequence[Any], *, ready: bool) -> None:
    """Add what was found of the next steps, unless another process has added it."""
    values = {"game": game, "version": before.version, "before": len(before.found), "ready": ready}
    db.execute(_ADD, {**values, "found": to_json(found).decode()})
