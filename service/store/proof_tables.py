"""The tables of finished games: seals, the keys they were made with, one tree a day, archived games, analyses."""

from __future__ import annotations

from sqlalchemy import Column, Date, DateTime, ForeignKey, Index, Integer, LargeBinary, Table, Text, text
from sqlalchemy.dialects.postgresql import JSONB

from service.store.tables import instant, metadata

# A key's name and its span are published; the private half is only in the settings.
seal_key = Table(
    "seal_key",
    metadata,
    Column("id", Text, primary_key=True),
    Column("public", LargeBinary, nullable=False),
    instant("since"),
    Column("until", DateTime(timezone=True)),
    Index("seal_key_in_use", text("(until is null)"), unique=True, postgresql_where=text("until is null")),
)

seal = Table(
    "seal",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("head", LargeBinary, nullable=False),
    instant("at"),
    Column("key", ForeignKey("seal_key.id"), nullable=False),
    Column("signature", LargeBinary, nullable=False),
    Index("seal_at", "at", "game_id"),
)

# The day is one of UTC; `count` are the leaves of its tree, in the order of their moments and games.
seal_day = Table(
    "seal_day",
    metadata,
    Column("day", Date, primary_key=True),
    Column("root", LargeBinary, nullable=False),
    Column("count", Integer, nullable=False),
    instant("at"),
)

# The games whose log is in the archive and no longer in `event`: the SHA-256 and the length of the record there, and
# when the last event happened. Written by archive_game, and removed by unarchive_game (migration 0038).
archived = Table(
    "archived",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("sha256", LargeBinary, nullable=False),
    Column("bytes", Integer, nullable=False),
    instant("ended_at"),
    Column("at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    Index("archived_ended", "ended_at"),
)

# The analysis of a finished game: `found` has what was found of its steps so far, in their order.
analysis = Table(
    "analysis",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("head", LargeBinary),
    Column("version", Integer, nullable=False),
    Column("asked_at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    Column("ready_at", DateTime(timezone=True)),
    Column("found", JSONB, nullable=False, server_default=text("'[]'")),
)
