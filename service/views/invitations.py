"""The invitations to a game, as its host may see them: without their links."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.invitations import Invitation
from service.store.names import shown

_GIVEN = text(
    "select i.id, i.game_id, i.inviter, i.email, i.player_id, i.created_at, i.expires_at, i.revoked_at, p.name"
    " from invitation i left join player p on p.id = i.player_id"
    " where i.game_id = :game and i.revoked_at is null order by i.created_at, i.id"
)


def invitations(db: Connection, game: UUID, language: str) -> list[dict[str, Any]]:
    """Return the invitations that were not taken back, in the order of giving, for readers of the language."""
    return [
        invitation(Invitation(*row[:-1]), None if row.name is None else shown(row.name, language))
        for row in db.execute(_GIVEN, {"game": game})
    ]


def invitation(given: Invitation, name: str | None = None) -> dict[str, Any]:
    """Return an invitation; `name` is that of the player whom it is for, if it is for a player."""
    return {
        "id": str(given.id),
        "email": given.email,
        "player": name,
        "created_at": given.created_at.isoformat(),
        "expires_at": given.expires_at.isoformat(),
    }
