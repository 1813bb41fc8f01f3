"""Channels beside mail, as their player sees them: without anything that they lead to."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import Connection, select

from service.store.tables import channel

_SHOWN = ("id", "kind", "label", "messages", "instead", "state", "cause", "tried_at", "code", "error", "created_at")
_CHANNEL = select(*(channel.c[name] for name in _SHOWN))


def channels_of(db: Connection, player: UUID) -> list[dict[str, Any]]:
    """Return the player's channels, the oldest first."""
    return [_shown(row) for row in db.execute(_CHANNEL.where(channel.c.player_id == player).order_by(channel.c.id))]


def channel_of(db: Connection, player: UUID, channel_id: UUID) -> dict[str, Any] | None:
    """Return a channel of the player, or None."""
    row = db.execute(_CHANNEL.where(channel.c.player_id == player, channel.c.id == channel_id)).one_or_none()
    return None if row is None else _shown(row)


def _shown(row: Any) -> dict[str, Any]:
    moments = {"tried_at": row.tried_at and row.tried_at.isoformat(), "created_at": row.created_at.isoformat()}
    return {**row._asdict(), "id": str(row.id), **moments}
