"""The tables of channels beside mail, of the messages to them, and of calendars."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from service.channels.kinds import CHANNELS
from service.store.tables import instant, metadata, one_of

CHANNEL_STATES = ("trying", "active", "silenced")
CHANNEL_ENDS = ("gone", "failing")

# The secret address of a player's calendar, as its SHA-256.
calendar = Table(
    "calendar",
    metadata,
    Column("player_id", ForeignKey("player.id"), primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    instant("created_at"),
)

# `messages` are the kinds of message that go there, `instead` those of which no mail is sent while it works. `failures`
# counts the messages in a row that were not taken; `code` and `error` are those of the last attempt.
channel = Table(
    "channel",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("messages", ARRAY(Text), nullable=False),
    Column("instead", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("state", Text, nullable=False, server_default=text("'trying'")),
    Column("cause", Text),
    Column("failures", Integer, nullable=False, server_default=text("0")),
    Column("tried_at", DateTime(timezone=True)),
    Column("code", Integer),
    Column("error", Text),
    instant("created_at"),
    one_of("kind", CHANNELS),
    one_of("state", CHANNEL_STATES),
    one_of("cause", CHANNEL_ENDS),
    Index("channel_player", "player_id"),
)

# A table of its own, so that no query that shows a channel brings its secret along; sealed by the settings' secret.
channel_secret = Table(
    "channel_secret",
    metadata,
    Column("channel_id", ForeignKey("channel.id", ondelete="CASCADE"), primary_key=True),
    Column("sealed", LargeBinary, nullable=False),
)

# How far a message has come is written on its outbox row. `mail_id` is the outbox row of the mail that it accompanies,
# null for a trial; `replaces` if that mail waits for it.
channel_message = Table(
    "channel_message",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("channel_id", ForeignKey("channel.id", ondelete="CASCADE"), nullable=False),
    Column("outbox_id", ForeignKey("outbox.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("mail_id", BigInteger),
    Column("replaces", Boolean, nullable=False),
    Column("message", Text, nullable=False),
    instant("created_at"),
    UniqueConstraint("mail_id", "channel_id"),
    Index("channel_message_channel", "channel_id", "id"),
)
