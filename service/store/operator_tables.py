"""The tables of operators: the log of their acts, who they are, what they have blocked, the mode, and reports."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
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
)
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB

from service.store.tables import instant, metadata, one_of

MODES = ("read-only", "maintenance")

# Append-only, as the log of the games is.
operator_event = Table(
    "operator_event",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    instant("at"),
    # `player:` and the id of an account with the role, or `shell:` and the name of a user of the machine.
    Column("actor", Text, nullable=False),
    Column("act", Text, nullable=False),
    Column("subject_kind", Text, nullable=False),
    # An id; for an address its digest in hex.
    Column("subject", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("details", JSONB, nullable=False),
    Index("operator_event_subject", "subject_kind", "subject"),
)

# The accounts with the role.
operator = Table(
    "operator",
    metadata,
    Column("player_id", ForeignKey("player.id"), primary_key=True),
    instant("since"),
)

# The addresses to which no mail goes and with which nobody signs in, as digests (suppression.py).
blocked_address = Table(
    "blocked_address",
    metadata,
    Column("address_hash", LargeBinary, primary_key=True),
    Column("reason", Text, nullable=False),
    instant("blocked_at"),
)

# What is in force for the whole service. `texts` are the operator's words by language.
mode = Table(
    "mode",
    metadata,
    Column("what", Text, primary_key=True),
    instant("begins"),
    Column("ends", DateTime(timezone=True)),
    Column("texts", JSONB, nullable=False),
    one_of("what", MODES),
)

# What a player has reported: at a table a remark by its `number`, or a name; a player's profile; or the title of a
# tournament. `quoted` is what it said at that moment.
report = Table(
    "report",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("reporter", ForeignKey("player.id"), nullable=False),
    Column("reported", ForeignKey("player.id"), nullable=False),
    Column("about", Text, nullable=False),
    Column("game_id", ForeignKey("game.id")),
    # Without a foreign key, so that no older version of the code is kept from anything.
    Column("competition_id", Uuid),
    Column("number", Integer),
    Column("quoted", Text, nullable=False),
    Column("words", Text, nullable=False),
    instant("created_at"),
    Column("answer", Text),
    Column("answered_at", DateTime(timezone=True)),
    Index("report_open", "created_at", postgresql_where=sql("answer is null")),
    Index("report_reporter", "reporter"),
    Index("report_reported", "reported"),
)
