"""The passkeys of an account, as its player may see them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

View = dict[str, Any]

_PASSKEYS = text(
    "select id, name, created_at, last_used_at, copied_at from passkey where player_id = :player"
    " order by created_at, id"
)


def passkeys_of(db: Connection, player: UUID) -> list[View]:
    """Return the player's passkeys without their keys, the oldest first.

    `copied_at` is when one was used of which somebody may have a copy, None for all others.
    """
    return [_listed(row) for row in db.execute(_PASSKEYS, {"player": player})]


def _listed(row: Any) -> View:
    moments = ((name, getattr(row, name)) for name in ("created_at", "last_used_at", "copied_at"))
    return {"id": str(row.id), "name": row.name, **{name: _iso(moment) for name, moment in moments}}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
