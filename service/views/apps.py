"""The apps that an account has registered, and those that may act for a player."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.access import SCOPES
from service.texts.names import display_name
from service.views.pages import Place

View = dict[str, Any]

_APPS: Final = text("""
select id, name, redirect_uris, secret_hash is not null as confidential, created_at from app
 where owner = :owner order by created_at, id
""")
_GRANTS: Final = text("""
select g.id, g.app_id, a.name, o.name as owner, g.scopes, g.granted_at, (
    select max(t.last_used_at) from app_code c join token t on t.code_id = c.id where c.grant_id = g.id) as last_used_at
  from app_grant g join app a on a.id = g.app_id join player o on o.id = a.owner
 where g.player_id = :player and (g.granted_at, g.id) < (:moment, :place)
 order by g.granted_at desc, g.id desc limit :limit
""")


def apps_of(db: Connection, owner: UUID) -> list[View]:
    """Return the apps that the account has registered, the oldest first; there are few."""
    return [
        {
            "id": str(row.id),
            "name": row.name,
            "redirect_uris": list(row.redirect_uris),
            "confidential": row.confidential,
            "created_at": row.created_at.isoformat(),
        }
        for row in db.execute(_APPS, {"owner": owner})
    ]


def grants_of(db: Connection, player: UUID, language: str, after: Place, limit: int | None = None) -> list[View]:
    """Return what the player has granted to apps, the latest first, from a place on; all without a `limit`."""
    values = {"player": player, "moment": after[0], "place": after[1], "limit": limit}
    return [
        {
            "id": str(row.id),
            "app": {"id": str(row.app_id), "name": row.name, "owner": display_name(row.owner, language)},
            "scopes": [scope for scope in SCOPES if scope in row.scopes],
            "granted_at": row.granted_at.isoformat(),
            "last_used_at": None if row.last_used_at is None else row.last_used_at.isoformat(),
        }
        for row in db.execute(_GRANTS, values)
    ]
