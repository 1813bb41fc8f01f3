"""What was said at a table, and what a player has noted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

_TALK = text("""
select number, seat, at, text from talk where game_id = :game and number > :after order by number limit :limit
""")
_RECENT = text("select number, seat, at, text from talk where game_id = :game order by number desc limit :limit")
_NOTES = text("select text, at from note where game_id = :game and player_id = :player")


def talk(db: Connection, game: UUID, after: int, limit: int) -> list[dict[str, Any]]:
    """Return at most `limit` of the remarks after a number, in order; only for those who sit at the table."""
    return _remarks(db.execute(_TALK, {"game": game, "after": after, "limit": limit}))


def latest(db: Connection, game: UUID, limit: int) -> list[dict[str, Any]]:
    """Return the last remarks, at most `limit`, the newest first; only for those who sit at the table."""
    return _remarks(db.execute(_RECENT, {"game": game, "limit": limit}))


def notes(db: Connection, game: UUID, player: UUID) -> dict[str, Any]:
    """Return the player's own notes on the game, for nobody else."""
    row = db.execute(_NOTES, {"game": game, "player": player}).one_or_none()
    return {"text": "", "at": None} if row is None else {"text": row.text, "at": row.at.isoformat()}


def _remarks(rows: Iterable[Any]) -> list[dict[str, Any]]:
    return [{"number": row.number, "seat": row.seat, "at": row.at.isoformat(), "text": row.text} for row in rows]
