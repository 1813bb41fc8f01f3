"""Accounts with tokens, bots, apps and passkeys, as their owners see them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.access import PREFIX, SCOPES, PlayerRow, Session, TokenKind, TokenRow
from service.texts.names import display_name
from service.views.pages import Place

# Accounts, tokens, bots.

View = dict[str, Any]

_TOKENS = text(
    "select id, label, scopes, expires_at, last_four, created_at, last_used_at, revoked_at, coalesce(kind,"
    " case when browser then 'press' when code_id is not null then 'app' else 'personal' end) as kind from token"
    " where player_id = :player order by created_at desc, id"
)
_BOTS = text(
    "select id, name, created_at from player where owner = :player and deleted_at is null order by created_at desc, id"
)
_ROW = text("""
select p.id, p.name, p.email, p.language, p.email_verified, p.time_zone, p.owner, o.name, p.email_confirmed,
       p.asked_twice, p.handle, p.visibility
  from player p left join player o on o.id = p.owner where p.id = :player
""")


def account_row(db: Connection, player: UUID) -> PlayerRow:
    """Return the row of an existing account."""
    row: Any = db.execute(_ROW, {"player": player}).one()
    return PlayerRow(*row)


def profile(player: PlayerRow) -> View:
    """Return the account as JSON types; `owner` is None except for a bot."""
    owner = None if player.owner is None else {"id": str(player.owner), "name": player.owner_name}
    return {
        "id": str(player.id),
        "name": display_name(player.name, player.language),
        "handle": player.handle,
        "visibility": player.visibility,
        "email": player.email,
        "email_verified": player.email_verified,
        "email_confirmed": player.email_confirmed,
        "language": player.language,
        "time_zone": player.time_zone,
        "asked_twice": player.asked_twice,
        "bot": owner is not None,
        "owner": owner,
    }


def token_known(row: TokenRow) -> View:
    return {"id": str(row.id), "label": row.label, "scopes": list(row.scopes), "expires_at": _iso(row.expires_at)}


def token_listed(
    row: TokenRow, kind: TokenKind | Session, last_four: str, created_at: datetime, last_used_at: datetime | None
) -> View:
    """Return a token without its secret, with the hint by which its owner recognises it."""
    hint = f"{PREFIX}…{last_four}"
    return {
        **token_known(row),
        "kind": kind,
        "hint": hint,
        "created_at": created_at.isoformat(),
        "last_used_at": _iso(last_used_at),
    }


def tokens_of(db: Connection, player: UUID) -> list[View]:
    """Return the player's valid tokens, newest first; those of apps belong to grants."""
    rows = db.execute(_TOKENS, {"player": player})
    return [_listed(row) for row in rows if row.revoked_at is None and row.kind != "app"]


def tokens_kept(db: Connection, player: UUID) -> list[View]:
    """Return all tokens of the player, newest first, also revoked ones and those of apps."""
    return [_listed(row) | {"revoked_at": _iso(row.revoked_at)} for row in db.execute(_TOKENS, {"player": player})]


def bot(bot_id: UUID, name: str, created_at: datetime) -> View:
    return {"id": str(bot_id), "name": name, "created_at": created_at.isoformat()}


def bots_of(db: Connection, player: UUID) -> list[View]:
    """Return the player's bots, newest first."""
    return [bot(row.id, row.name, row.created_at) for row in db.execute(_BOTS, {"player": player})]


def _listed(row: Any) -> View:
    known = TokenRow(row.id, row.label, tuple(row.scopes.split()), row.expires_at)
    return token_listed(known, row.kind, row.last_four, row.created_at, row.last_used_at)


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


# Registered apps, and grants to apps.

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
    """Return all apps of the owner, oldest first; there are few."""
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
    """Return the player's grants to apps, newest first, after a place; all without a `limit`."""
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


# Passkeys.

_PASSKEYS = text(
    "select id, name, created_at, last_used_at, copied_at from passkey where player_id = :player"
    " order by created_at, id"
)


def passkeys_of(db: Connection, player: UUID) -> list[View]:
    """Return the player's passkeys without their keys, oldest first.

    `copied_at` is the time of a use that suggests a copy, else None.
    """
    return [_passkey(row) for row in db.execute(_PASSKEYS, {"player": player})]


def _passkey(row: Any) -> View:
    moments = ((name, getattr(row, name)) for name in ("created_at", "last_used_at", "copied_at"))
    return {"id": str(row.id), "name": row.name, **{name: _iso(moment) for name, moment in moments}}
