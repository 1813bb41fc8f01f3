"""The tables of what players have decided about each other: whom they block, and whom they ignore."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, PrimaryKeyConstraint, Table, Uuid

from service.store.tables import instant, metadata

# `blocker` wants nothing to do with `blocked`. What operators block is a column of the player (blocking.py).
block = Table(
    "block",
    metadata,
    Column("id", Uuid, nullable=False, unique=True),
    Column("blocker", ForeignKey("player.id"), nullable=False),
    Column("blocked", ForeignKey("player.id"), nullable=False),
    instant("created_at"),
    PrimaryKeyConstraint("blocker", "blocked"),
    CheckConstraint("blocker <> blocked", name="other"),
    Index("block_blocked", "blocked"),
)

# `player_id` is shown nothing that `ignored` says at tables.
ignored_player = Table(
    "ignored_player",
    metadata,
    Column("id", Uuid, nullable=False, unique=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("ignored", ForeignKey("player.id"), nullable=False),
    instant("created_at"),
    PrimaryKeyConstraint("player_id", "ignored"),
    CheckConstraint("player_id <> ignored", name="other"),
    Index("ignored_player_ignored", "ignored"),
)
