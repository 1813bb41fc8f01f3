"""The tables of challenges, of bots that are ready to play, and of tickets for streams of an account."""

from __future__ import annotations

from sqlalchemy import ARRAY, Column, DateTime, ForeignKey, Index, Integer, LargeBinary, Table, Text, Uuid, text
from sqlalchemy.dialects.postgresql import JSONB

from service.store.tables import instant, metadata, one_of

STORED_STATES = ("open", "accepted", "declined", "withdrawn")
"""An open challenge whose time is up has expired; that is not written down."""

challenge = Table(
    "challenge",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("sender", ForeignKey("player.id"), nullable=False),
    Column("recipient", ForeignKey("player.id"), nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", JSONB, nullable=False),
    # The fields of service.store.game_row.Terms by their names.
    Column("terms", JSONB, nullable=False),
    Column("state", Text, nullable=False, server_default=text("'open'")),
    one_of("state", STORED_STATES),
    instant("created_at"),
    instant("expires_at"),
    Column("answered_at", DateTime(timezone=True)),
    # The game that was opened when it was accepted.
    Column("game_id", ForeignKey("game.id")),
    Index("challenge_sender", "sender", "created_at", "id"),
    Index("challenge_recipient", "recipient", "created_at", "id"),
    Index("challenge_expires", "expires_at"),
)

# Leads from the mail about a challenge to its page; stored as its token's SHA-256 only.
challenge_link = Table(
    "challenge_link",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("challenge_id", ForeignKey("challenge.id", ondelete="CASCADE"), nullable=False),
    Index("challenge_link_challenge", "challenge_id"),
)

ready_bot = Table(
    "ready_bot",
    metadata,
    Column("player_id", ForeignKey("player.id"), primary_key=True),
    Column("rulesets", ARRAY(Text), nullable=False),
    Column("seats", ARRAY(Integer), nullable=False),
    instant("since"),
    # When a stream of the bot's account was last known to be open.
    instant("seen_at"),
    Index("ready_bot_seen", "seen_at"),
)

account_ticket = Table(
    "account_ticket",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("token_id", ForeignKey("token.id", ondelete="CASCADE"), nullable=False),
    instant("expires_at"),
    Index("account_ticket_token", "token_id"),
)
