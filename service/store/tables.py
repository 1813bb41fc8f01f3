"""The tables, as the code sees them; migrations/ creates them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSON, JSONB

DOORS = ("api", "web", "link", "reply", "timeout", "worker")
GAME_STATES = ("open", "running", "finished", "cancelled")
ON_RESIGNATION = ("play-on", "end")
OUTBOX_STATES = ("pending", "done", "skipped", "dead")

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "fk": "%(table_name)s_%(column_0_name)s_fkey",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "ck": "%(table_name)s_%(constraint_name)s_check",
    }
)


def _one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    return CheckConstraint(f"{column} in ({', '.join(repr(value) for value in values)})", name=column)


def _instant(name: str) -> Column[object]:
    return Column(name, DateTime(timezone=True), nullable=False)


player = Table(
    "player",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("email", Text),
    Column("language", Text, nullable=False),
    _instant("created_at"),
)

token = Table(
    "token",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    _instant("created_at"),
)

game = Table(
    "game",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", JSONB, nullable=False),
    Column("host", ForeignKey("player.id"), nullable=False),
    Column("version", Integer, nullable=False, server_default=text("0")),
    Column("commitment", Text, nullable=False),
    _instant("created_at"),
    Column("on_resignation", Text, nullable=False, server_default=text("'play-on'")),
    _one_of("status", GAME_STATES),
    _one_of("on_resignation", ON_RESIGNATION),
    postgresql_with={"fillfactor": "70"},
)

seat = Table(
    "seat",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("nonce", Text, nullable=False),
    _instant("joined_at"),
    PrimaryKeyConstraint("game_id", "seat"),
    UniqueConstraint("game_id", "player_id"),
    Index("seat_player", "player_id"),
)

# A table of its own, so that no query that reads a game can bring the seed along.
seed = Table(
    "seed",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("seed", LargeBinary, nullable=False),
)

# `data` and `action` are json, not jsonb: the text comes back byte for byte as it was written, and faster.
event = Table(
    "event",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("data", JSON, nullable=False),
    Column("seat", Integer),
    Column("door", Text, nullable=False),
    Column("decision", Integer, nullable=False),
    Column("action", JSON),
    _instant("at"),
    PrimaryKeyConstraint("game_id", "seq"),
    CheckConstraint("seq > 0", name="seq"),
    _one_of("door", DOORS),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("dedupe_key", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("payload", JSONB, nullable=False),
    Column("state", Text, nullable=False, server_default=text("'pending'")),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("last_error", Text),
    Column("not_before", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    Column("done_at", DateTime(timezone=True)),
    _one_of("state", OUTBOX_STATES),
    Index("outbox_due", "kind", "not_before", postgresql_where=text("state = 'pending'")),
)

# The answer to a request is the stretch of the log that it caused; folding up to `last_seq` gives the same reply again.
idempotency = Table(
    "idempotency",
    metadata,
    Column("principal", Uuid, nullable=False),
    Column("key", Text, nullable=False),
    Column("request_hash", LargeBinary, nullable=False),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    PrimaryKeyConstraint("principal", "key"),
    CheckConstraint("length(key) between 1 and 128", name="key"),
)

# Who has to act, kept up to date by each append; what is in it can be worked out from the log again.
waiting = Table(
    "waiting",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("decision", Integer, nullable=False),
    _instant("since"),
    PrimaryKeyConstraint("game_id", "seat"),
    postgresql_with={"fillfactor": "70"},
)

# What is said at a table; the log only knows that something was said.
talk = Table(
    "talk",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    _instant("at"),
    PrimaryKeyConstraint("game_id", "number"),
    CheckConstraint("length(text) between 1 and 500", name="text"),
)

# A player's own notes on a game, for nobody else.
note = Table(
    "note",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("text", Text, nullable=False),
    _instant("at"),
    PrimaryKeyConstraint("game_id", "player_id"),
    CheckConstraint("length(text) <= 10000", name="text"),
)

action_link = Table(
    "action_link",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("decision", Integer, nullable=False),
    _instant("created_at"),
    _instant("expires_at"),
)
