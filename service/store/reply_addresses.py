"""From which addresses mails of a player come."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

# What somebody has only typed in belongs to nobody.
_OF_ANOTHER: Final = text(
    "select exists (select from player where lower(email) = :address and email_confirmed and id <> :player"
    " and deleted_at is null)"
)


def is_of_another(db: Connection, address: str, player: UUID) -> bool:
    """Return whether an account of another player has the address, and it was confirmed there."""
    return bool(db.execute(_OF_ANOTHER, {"address": address.lower(), "player": player}).scalar_one())
