"""The tables of tokens, and of what stands for one once."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Index, LargeBinary, Table, Text, Uuid, text

from service.store.tables import instant, metadata

token = Table(
    "token",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    instant("created_at"),
    Column("id", Uuid, nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("last_four", Text, nullable=False),
    Column("last_used_at", DateTime(timezone=True)),
    Column("expires_at", DateTime(timezone=True)),
    Column("revoked_at", DateTime(timezone=True)),
    # A browser's cookie: good for the pages, and longer the more it is used.
    Column("browser", Boolean, nullable=False, server_default=text("false")),
    # How a session began or what a token is for (service/store/identity.py); null for those of the release before 0054.
    Column("kind", Text),
    # The digest of what tells the browser of a session from others; two accounts of one browser are not rated together.
    Column("mark", LargeBinary),
    # The authorization code by which an app came to it; null for all others.
    Column("code_id", ForeignKey("app_code.id", ondelete="CASCADE")),
    Index("token_player", "player_id"),
    Index("token_code", "code_id", postgresql_where=text("code_id is not null")),
)

# Opens one stream of a game, once, for the bearer.
stream_ticket = Table(
    "stream_ticket",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("token_id", ForeignKey("token.id", ondelete="CASCADE"), nullable=False),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    instant("expires_at"),
    Index("stream_ticket_token", "token_id"),
)
