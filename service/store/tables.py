"""The tables, as the code sees them; migrations/ creates them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, DOMAIN, JSON, JSONB

from service.log.recorded import DOORS

GAME_STATES = ("open", "running", "finished", "cancelled")
ACCESS = ("public", "invitation")
STARTS = ("host", "full")
ON_RESIGNATION = ("play-on", "end")
ORIGINS = ("here", "import")
"""Where a game was played: here, or on another server, from which only its record was imported."""
DRAWN_BY = ("client", "server")
"""Who has drawn a seat's own value of chance."""
OUTBOX_STATES = ("pending", "done", "skipped", "dead")

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "fk": "%(table_name)s_%(column_0_name)s_fkey",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "ck": "%(table_name)s_%(constraint_name)s_check",
    }
)


def one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    """Return the constraint that the column holds one of the values."""
    return CheckConstraint(f"{column} in ({', '.join(repr(value) for value in values)})", name=column)


def word(name: str, values: tuple[str, ...]) -> DOMAIN:
    """Return the type of a column that holds one of the values, in a table that every append writes to.

    It costs an append less than a constraint of the table would.
    """
    return DOMAIN(name, Text(), check=text(f"value in ({', '.join(repr(value) for value in values)})"))


def instant(name: str) -> Column[object]:
    """Return a column of a moment."""
    return Column(name, DateTime(timezone=True), nullable=False)


def by_blocks(name: str, column: str) -> Index:
    """Return an index that knows of each few blocks which values are in them, for rows that lie in the column's order.

    It has a thousandth of the size of another, and a row that is added need not be entered.
    """
    return Index(name, column, postgresql_using="brin", postgresql_with={"pages_per_range": 16, "autosummarize": "on"})


player = Table(
    "player",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("email", Text),
    Column("language", Text, nullable=False),
    # Whether a webhook of the player is told of every game of theirs.
    Column("watching", Boolean, nullable=False, server_default=text("false")),
    instant("created_at"),
    Column("email_verified", Boolean, nullable=False, server_default=text("false")),
    Column("time_zone", Text, nullable=False, server_default=text("'UTC'")),
    # Whether pages ask once more before an action that shows something hidden.
    Column("asked_twice", Boolean, nullable=False, server_default=text("true")),
    # The player whose bot the account is; null for a person.
    Column("owner", ForeignKey("player.id")),
    # Whether a browser has said its time zone, and the person was asked for a name.
    Column("welcomed", Boolean, nullable=False, server_default=text("false")),
    # The row of a deleted account stays for the sake of its games, with an empty name.
    Column("deleted_at", DateTime(timezone=True)),
    # Mails do not reach the player. It follows from mail_trouble, and stands here because each table shows it.
    Column("unreachable", Boolean, nullable=False, server_default=text("false")),
    # Whether the player has channels (channel_tables.py).
    Column("channels", Boolean, nullable=False, server_default=text("false")),
    # A person who reads the mails of the address has said that they want mails from here (consent.py).
    Column("email_confirmed", Boolean, nullable=False, server_default=text("false")),
    # Why an operator has blocked the account, in the operator's words; null for one that is not blocked.
    Column("blocked", Text),
    # The level of a computer player (computers.py); null for people and bots.
    Column("computer", Text),
    # The name that leads to the account alone, and what it looks like (handles.py); null for an account without one.
    Column("handle", Text),
    Column("handle_skeleton", Text),
    # Who may see the profile: one of handles.VISIBILITIES.
    Column("visibility", Text, nullable=False, server_default=text("'public'")),
    CheckConstraint("owner is null or email is null", name="bot"),
    CheckConstraint("email_confirmed or not email_verified", name="verified"),
    Index("player_verified_email", "email", unique=True, postgresql_where=text("email_verified")),
    Index("player_email", text("lower(email)"), postgresql_where=text("email is not null")),
    Index("player_address_digest", text("address_digest(email)"), postgresql_where=text("email is not null")),
    Index("player_name", text("lower(name)")),
    Index("player_handle", "handle", unique=True, postgresql_where=text("handle is not null")),
    Index(
        "player_handle_skeleton", "handle_skeleton", unique=True, postgresql_where=text("handle_skeleton is not null")
    ),
    Index("player_owner", "owner", postgresql_where=text("owner is not null")),
)

game = Table(
    "game",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("status", word("game_status", GAME_STATES), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", JSONB, nullable=False),
    Column("host", ForeignKey("player.id"), nullable=False),
    Column("version", Integer, nullable=False, server_default=text("0")),
    Column("commitment", Text, nullable=False),
    # Whether the table has a webhook of its own.
    Column("watched", Boolean, nullable=False, server_default=text("false")),
    instant("created_at"),
    Column("name", Text),
    Column("access", word("game_access", ACCESS), nullable=False, server_default=text("'invitation'")),
    Column("spectators", Boolean, nullable=False, server_default=text("true")),
    Column("start", word("game_start", STARTS), nullable=False, server_default=text("'host'")),
    Column(
        "on_resignation", word("game_on_resignation", ON_RESIGNATION), nullable=False, server_default=text("'play-on'")
    ),
    # Whether its result counts for ratings (docs/ratings.md).
    Column("rated", Boolean, nullable=False, server_default=text("false")),
    Column("training", Boolean, nullable=False, server_default=text("false")),
    # The fields of service.rules.pace.Pace by their names; null for a game without a clock.
    Column("pace", JSONB(none_as_null=True)),
    Column("rematch_of", ForeignKey("game.id")),
    Column("fork_of", ForeignKey("game.id")),
    Column("fork_seq", Integer),
    # The seats whose players have to act, the decision that they face, and since when. It follows from the log, and
    # stands here because each append writes this row anyway.
    Column("awaited", ARRAY(Integer), nullable=False, server_default=text("'{}'")),
    Column("faces", Integer),
    Column("since", DateTime(timezone=True)),
    # The deadlines of `awaited`, in the same order; null for a seat whose time does not run, empty without a clock.
    Column("deadlines", ARRAY(DateTime(timezone=True)), nullable=False, server_default=text("'{}'")),
    # When the game's timer fires (timers.py); in no index, since each append may write it.
    Column("timer", DateTime(timezone=True)),
    # The head of the hash chain over the log (chain.py).
    Column("head", LargeBinary),
    # The seats for which something is tried before their players are asked: an order that waits, or an auto-answer.
    Column("ordered", ARRAY(Integer), nullable=False, server_default=text("'{}'")),
    Column("origin", word("game_origin", ORIGINS), nullable=False, server_default=text("'here'")),
    # The last head of the lobby's chain, written by a trigger of lobby_event; null for games older than that chain.
    Column("lobby", LargeBinary),
    # The season or the tournament that the game is played for (league_tables.py).
    Column("competition_id", Uuid),
    # The day of the deal that the game is one of (deals.py); null for a game with a seed of its own.
    Column("deal", Date),
    Index("game_public", "created_at", "id", postgresql_where=text("access = 'public'")),
    Index("game_open", "created_at", "id", postgresql_where=text("access = 'public' and status = 'open'")),
    # For lists of public games of which there may be few.
    Index("game_running", "created_at", "id", postgresql_where=text("access = 'public' and status = 'running'")),
    Index("game_imported", "created_at", "id", postgresql_where=text("access = 'public' and origin = 'import'")),
    Index("game_ruleset", "ruleset", "created_at", "id", postgresql_where=text("access = 'public'")),
    Index("game_name", text("lower(name)"), postgresql_where=text("name is not null")),
    Index("game_rematch", "rematch_of", unique=True, postgresql_where=text("status <> 'cancelled'")),
    postgresql_with={"fillfactor": "70"},
)

seat = Table(
    "seat",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("nonce", Text, nullable=False),
    Column("drawn_by", Text, nullable=False, server_default=text("'server'")),
    one_of("drawn_by", DRAWN_BY),
    instant("joined_at"),
    # Given out under the game's lock: it tells the order of joining even where clocks differ.
    Column("arrival", BigInteger, Identity(always=True)),
    # The decision that the player's page of the table has shown last, and when the page was last known to be open.
    Column("seen", Integer),
    Column("looked_at", DateTime(timezone=True)),
    # The kinds of decisions that are answered for the player, by their names in the ruleset.
    Column("auto_answers", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    # Whether the player has looked at the table since the last mail that asked for a move.
    Column("looked", Boolean, nullable=False, server_default=text("false")),
    PrimaryKeyConstraint("game_id", "seat"),
    UniqueConstraint("game_id", "player_id"),
    Index("seat_player", "player_id"),
    Index("seat_arrival", "arrival", unique=True),
)

# A table of its own, so that no query that reads a game can bring the seed along.
seed = Table(
    "seed",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("seed", LargeBinary, nullable=False),
)

# `data` and `action` are json, not jsonb: the text comes back byte for byte as it was written, and faster. Here, in the
# outbox and at the keys `game_id` is no foreign key: games are never deleted, and to look for one for each row would
# cost more than to write it.
event = Table(
    "event",
    metadata,
    Column("game_id", Uuid, nullable=False),
    Column("seq", DOMAIN("event_seq", Integer(), check=text("value > 0")), nullable=False),
    Column("name", Text, nullable=False),
    Column("data", JSON, nullable=False),
    Column("seat", Integer),
    Column("door", word("event_door", DOORS), nullable=False),
    Column("decision", Integer, nullable=False),
    Column("action", JSON),
    instant("at"),
    # The head of the hash chain after an append, at the first of its events.
    Column("head", LargeBinary),
    PrimaryKeyConstraint("game_id", "seq"),
    by_blocks("event_at", "at"),
)

# What happens at a table before the game begins.
lobby_event = Table(
    "lobby_event",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("data", JSON, nullable=False),
    Column("seat", Integer),
    instant("at"),
    Column("head", LargeBinary, nullable=False),
    PrimaryKeyConstraint("game_id", "seq"),
    CheckConstraint("seq > 0", name="seq"),
    by_blocks("lobby_event_at", "at"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("dedupe_key", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("game_id", Uuid),
    Column("payload", JSONB, nullable=False),
    Column("state", word("outbox_state", OUTBOX_STATES), nullable=False, server_default=text("'pending'")),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("last_error", Text),
    Column("not_before", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    Column("done_at", DateTime(timezone=True)),
    Column("added_at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    # When it is to happen. Attempts that failed do not move it, what was put off does.
    Column("due_at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    # How often it was handed out since a worker last began to carry it out.
    Column("handed_out", Integer, nullable=False, server_default=text("0")),
    # How many attempts in a row have raised, or were ended by the death of their process.
    Column("failures", SmallInteger, nullable=False, server_default=text("0")),
    Index("outbox_unsent", "game_id", postgresql_where=text("state in ('skipped', 'dead')")),
    Index("outbox_due", "kind", "not_before", postgresql_where=text("state = 'pending'")),
    # For what waits in a game, when its player wants to be told otherwise or is replaced.
    Index("outbox_waiting", "game_id", postgresql_where=text("state = 'pending'")),
    # For pruning, and for what was settled within the last hour.
    Index("outbox_settled", "done_at", postgresql_where=text("state in ('done', 'skipped')")),
    Index("outbox_dead", "kind", postgresql_where=text("state = 'dead'")),
    # For the results of checks: few rows of all, and none that an action writes.
    Index("outbox_checks", "kind", "state", "game_id", postgresql_where=text("kind in ('audit', 'canary', 'night')")),
)

# The answer to an action is the stretch of the log that it caused; folding up to `last_seq` gives the same reply again.
# The answer to any other operation is kept as it was given. `key` is the digest of the key.
idempotency = Table(
    "idempotency",
    metadata,
    Column("principal", Uuid, nullable=False),
    Column("operation", Text, nullable=False, server_default=text("'act'")),
    Column("key", DOMAIN("idempotency_key", Text(), check=text("length(value) between 1 and 128")), nullable=False),
    Column("request_hash", LargeBinary, nullable=False),
    Column("game_id", Uuid),
    Column("first_seq", Integer),
    Column("last_seq", Integer),
    Column("answer", JSON),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    PrimaryKeyConstraint("principal", "operation", "key"),
)
