"""The tables of apps (OAuth 2.1 clients), of what players have granted them, and of codes and refresh tokens."""

from __future__ import annotations

from sqlalchemy import ARRAY, Column, DateTime, ForeignKey, Index, LargeBinary, Table, Text, UniqueConstraint, Uuid

from service.store.tables import instant, metadata

# The id is the client_id. Without a secret it is a public client.
app = Table(
    "app",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("owner", ForeignKey("player.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("redirect_uris", ARRAY(Text), nullable=False),
    Column("secret_hash", LargeBinary),
    instant("created_at"),
    Index("app_owner", "owner", "created_at", "id"),
)

# That a player lets an app act for them. With the row go its codes, and with these all tokens that came of them.
app_grant = Table(
    "app_grant",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("app_id", ForeignKey("app.id", ondelete="CASCADE"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("scopes", ARRAY(Text), nullable=False),
    instant("granted_at"),
    UniqueConstraint("app_id", "player_id"),
    Index("app_grant_player", "player_id", "granted_at", "id"),
)

# An authorization code. It stays after it was used, as the head of the tokens that came of it (`token.code_id`).
app_code = Table(
    "app_code",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("grant_id", ForeignKey("app_grant.id", ondelete="CASCADE"), nullable=False),
    Column("redirect_uri", Text, nullable=False),
    Column("scopes", ARRAY(Text), nullable=False),
    # The code_challenge of RFC 7636 by the method S256.
    Column("challenge", Text, nullable=False),
    # Until when the code, or once it was used what came of it, is good.
    instant("expires_at"),
    Column("used_at", DateTime(timezone=True)),
    Index("app_code_grant", "grant_id", "expires_at"),
    Index("app_code_expires", "expires_at"),
)

# A refresh token. One that was used stays until it expires, so that a second use is noticed.
app_refresh = Table(
    "app_refresh",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("code_id", ForeignKey("app_code.id", ondelete="CASCADE"), nullable=False),
    instant("expires_at"),
    Column("used_at", DateTime(timezone=True)),
    Index("app_refresh_code", "code_id"),
    Index("app_refresh_expires", "expires_at"),
)
