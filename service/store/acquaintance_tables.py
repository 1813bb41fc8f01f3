"""The tables of what players have decided about each other: whom they block and ignore, and who are friends."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Index,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    Uuid,
    text,
)

from service.store.tables import instant, metadata, one_of

STATES = ("open", "accepted", "declined", "withdrawn", "ended")

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

# `sender` has asked `recipient`. Of two players one row is open or accepted at a time.
friendship = Table(
    "friendship",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("sender", ForeignKey("player.id"), nullable=False),
    Column("recipient", ForeignKey("player.id"), nullable=False),
    Column("state", Text, nullable=False, server_default=text("'open'")),
    one_of("state", STATES),
    instant("created_at"),
    Column("answered_at", DateTime(timezone=True)),
    # Leads from the mail about an open request to its page; stored as its token's SHA-256 only.
    Column("link", LargeBinary, unique=True),
    CheckConstraint("sender <> recipient", name="other"),
    Index(
        "friendship_pair",
        text("least(sender, recipient)"),
        text("greatest(sender, recipient)"),
        unique=True,
        postgresql_where=text("state in ('open', 'accepted')"),
    ),
    Index("friendship_sender", "sender", "created_at", "id"),
    Index("friendship_recipient", "recipient", "created_at", "id"),
    Index("friendship_over", "answered_at", postgresql_where=text("state in ('declined', 'withdrawn', 'ended')")),
)
