"""The tables of seats that change hands while a game runs: who sat there before, and who asks for one."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)

from service.store.tables import instant, metadata, one_of

ANSWERS = ("agreed", "declined")
"""The answers to a request for a seat."""

# A player who sat in the seat from one moment to another; `until_seq` is the number of the event that handed it over.
former_player = Table(
    "former_player",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    instant("joined_at"),
    instant("left_at"),
    Column("until_seq", Integer, nullable=False),
    PrimaryKeyConstraint("game_id", "seat", "until_seq"),
    UniqueConstraint("game_id", "player_id"),
    Index("former_player_player", "player_id"),
)

# A person asks those who sit at a public table for a seat; a request without an answer is open.
seat_request = Table(
    "seat_request",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    instant("created_at"),
    Column("answer", Text),
    one_of("answer", ANSWERS),
    Index("seat_request_open", "game_id", "player_id", unique=True, postgresql_where=text("answer is null")),
    Index("seat_request_player", "player_id"),
)
