"""From which addresses a player answers mails, beside that of the account (handlers/reply_addresses.py)."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

_CONFIRMED: Final = text(
    "select exists (select from reply_address where player_id = :player and email = :address"
    " and confirmed_at is not null)"
)
# What somebody has only typed in belongs to nobody.
_OF_ANOTHER: Final = text(
    "select exists (select from player where lower(email) = :address and email_confirmed and id <> :player"
    " and deleted_at is null)"
)
_LISTED: Final = text(
    "select id, email, created_at, confirmed_at from reply_address where player_id = :player order by created_at, id"
)


def is_confirmed(db: Connection, address: str, player: UUID) -> bool:
    """Return whether the player answers mails from the address, and its reader has confirmed that."""
    return bool(db.execute(_CONFIRMED, {"address": address.lower(), "player": player}).scalar_one())


def is_of_another(db: Connection, address: str, player: UUID) -> bool:
    """Return whether an account of another player has the address, and it was confirmed there."""
    return bool(db.execute(_OF_ANOTHER, {"address": address.lower(), "player": player}).scalar_one())


def listed(db: Connection, player: UUID) -> list[dict[str, Any]]:
    """Return the further addresses of a player, the oldest first; `confirmed_at` is None while they are asked."""
    return [
        {
            "id": str(row.id),
            "email": row.email,
            "created_at": row.created_at.isoformat(),
            "confirmed_at": None if row.confirmed_at is None else row.confirmed_at.isoformat(),
        }
        for row in db.execute(_LISTED, {"player": player})
    ]
