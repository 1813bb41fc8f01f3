"""The tables of webhooks: where they call, with which secrets, and what has become of each message."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSON

from service.store.tables import instant, metadata, one_of

WEBHOOK_ENDS = ("gone", "failing")

# Without a game it is the player's own, and told of every game that the player sits in.
webhook = Table(
    "webhook",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("game_id", ForeignKey("game.id")),
    Column("url", Text, nullable=False),
    Column("events", ARRAY(Text), nullable=False),
    Column("active", Boolean, nullable=False, server_default=text("true")),
    Column("disabled", Text),
    Column("failing_since", DateTime(timezone=True)),
    instant("created_at"),
    one_of("disabled", WEBHOOK_ENDS),
    Index("webhook_player", "player_id"),
    Index("webhook_game", "game_id", postgresql_where=text("game_id is not null")),
)

# A table of its own, so that no query that shows a webhook can bring a secret along. Sealed with a key of the settings.
webhook_secret = Table(
    "webhook_secret",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("webhook_id", ForeignKey("webhook.id", ondelete="CASCADE"), nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    Column("expires_at", DateTime(timezone=True)),
    Index("webhook_secret_webhook", "webhook_id"),
)

# How far a message has come is written on its outbox row. `body` is json: the text is sent as it was written.
webhook_delivery = Table(
    "webhook_delivery",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("webhook_id", ForeignKey("webhook.id", ondelete="CASCADE"), nullable=False),
    Column("outbox_id", ForeignKey("outbox.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("type", Text, nullable=False),
    Column("body", JSON, nullable=False),
    instant("created_at"),
    Column("tried_at", DateTime(timezone=True)),
    Column("code", Integer),
    Column("ms", Integer),
    Column("error", Text),
    Index("webhook_delivery_webhook", "webhook_id", "id"),
)
