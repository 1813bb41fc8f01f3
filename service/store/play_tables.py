"""The tables of what players write and ask next to the log: remarks, notes, requests to take an action back."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, PrimaryKeyConstraint, Table, Text, text
from sqlalchemy.dialects.postgresql import ARRAY

from service.store.tables import instant, metadata

# What is said at a table; the log only knows that something was said.
talk = Table(
    "talk",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    instant("at"),
    PrimaryKeyConstraint("game_id", "number"),
    CheckConstraint("length(text) between 1 and 500", name="text"),
)

# A player's private notes on a game.
note = Table(
    "note",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("text", Text, nullable=False),
    instant("at"),
    PrimaryKeyConstraint("game_id", "player_id"),
    CheckConstraint("length(text) <= 10000", name="text"),
    Index("note_player", "player_id"),
)

# What a player asks the others for: to take back their action that begins with event `first`. It stands until somebody
# acts after `version`, or the time to agree is over.
take_back_request = Table(
    "take_back_request",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    instant("asked_at"),
    Column("agreed", ARRAY(Integer), nullable=False, server_default=text("'{}'")),
)
