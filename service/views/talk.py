"""The talk at a table, and a player's own notes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.people import SPEAKER, UNHEARD

_TALK = text(f"""
select t.number, t.seat, t.at, t.text, exists (
  select from former_player f where (f.game_id, f.seat) = (t.game_id, t.seat) and t.at < f.left_at) as former
from talk t
where t.game_id = :game and t.number > :after and not {UNHEARD.format(listener=":listener", speaker=SPEAKER)}
order by t.number limit :limit
""")  # noqa: S608 - constants
_NOTES = text("select text, at from note where game_id = :game and player_id = :player")


def talk(db: Connection, game: UUID, listener: UUID, after: int, limit: int) -> list[dict[str, Any]]:
    """Return at most `limit` remarks after number `after`, in order, as far as the listener, a player, is shown them.

    Only for players of the game.
    """
    rows = db.execute(_TALK, {"game": game, "listener": listener, "after": after, "limit": limit})
    return [
        {"number": row.number, "seat": row.seat, "former": row.former, "at": row.at.isoformat(), "text": row.text}
        for row in rows
    ]


def notes(db: Connection, game: UUID, player: UUID) -> dict[str, Any]:
    """Return the player's own notes on the game; only for that player."""
    row = db.execute(_NOTES, {"game": game, "player": player}).one_or_none()
    return {"text": "", "at": None} if row is None else {"text": row.text, "at": row.at.isoformat()}
