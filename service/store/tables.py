"""Tables of the database by subject; migrations/ creates them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    Double,
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
from service.messages.channels import CHANNELS

GAME_STATES = ("open", "running", "finished", "cancelled")
ACCESS = ("public", "invitation")
STARTS = ("host", "full")
ON_RESIGNATION = ("play-on", "end")
ORIGINS = ("here", "import")
"""Origins of a game: played here, or imported as a record from another server."""
DRAWN_BY = ("client", "server")
"""Sources of a seat's own value of chance."""
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
    """Constrain a column to one of the values."""
    return CheckConstraint(f"{column} in ({', '.join(repr(value) for value in values)})", name=column)


def word(name: str, values: tuple[str, ...]) -> DOMAIN:
    """Return a domain of the values, for a column of a table that every append writes to.

    A domain costs an append less than a check of the table.
    """
    return DOMAIN(name, Text(), check=text(f"value in ({', '.join(repr(value) for value in values)})"))


def instant(name: str) -> Column[object]:
    """Return a column of a moment, with time zone and not null."""
    return Column(name, DateTime(timezone=True), nullable=False)


def by_blocks(name: str, column: str) -> Index:
    """Return a BRIN index, for rows that lie in the order of the column.

    It has a thousandth of the size of another index, and a new row needs no entry.
    """
    return Index(name, column, postgresql_using="brin", postgresql_with={"pages_per_range": 16, "autosummarize": "on"})


player = Table(
    "player",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("email", Text),
    Column("language", Text, nullable=False),
    # A webhook of the player hears of all their games.
    Column("watching", Boolean, nullable=False, server_default=text("false")),
    instant("created_at"),
    Column("email_verified", Boolean, nullable=False, server_default=text("false")),
    Column("time_zone", Text, nullable=False, server_default=text("'UTC'")),
    # Pages ask once more before an action that reveals something hidden.
    Column("asked_twice", Boolean, nullable=False, server_default=text("true")),
    # The player whose bot the account is; null for a person.
    Column("owner", ForeignKey("player.id")),
    # A browser has told its time zone, and the person was asked for a name.
    Column("welcomed", Boolean, nullable=False, server_default=text("false")),
    # The row of a deleted account stays for its games, with an empty name.
    Column("deleted_at", DateTime(timezone=True)),
    # Mails to the player bounce. Follows from mail_trouble; copied here because each table shows it.
    Column("unreachable", Boolean, nullable=False, server_default=text("false")),
    # The player has channels.
    Column("channels", Boolean, nullable=False, server_default=text("false")),
    # A person who reads the mails of the address has agreed to mails from here (handlers/consent.py).
    Column("email_confirmed", Boolean, nullable=False, server_default=text("false")),
    # The reason of an operator's block, in the operator's words; null without a block.
    Column("blocked", Text),
    # The level of a computer player (handlers/computers.py); null for people and bots.
    Column("computer", Text),
    # The unique handle of the account and its skeleton, against look-alikes; null for an account without a handle.
    Column("handle", Text),
    Column("handle_skeleton", Text),
    # Readers of the profile: one of people.VISIBILITIES.
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
    # The table has a webhook of its own.
    Column("watched", Boolean, nullable=False, server_default=text("false")),
    instant("created_at"),
    Column("name", Text),
    Column("access", word("game_access", ACCESS), nullable=False, server_default=text("'invitation'")),
    Column("spectators", Boolean, nullable=False, server_default=text("true")),
    Column("start", word("game_start", STARTS), nullable=False, server_default=text("'host'")),
    Column(
        "on_resignation", word("game_on_resignation", ON_RESIGNATION), nullable=False, server_default=text("'play-on'")
    ),
    # The result counts for ratings (docs/ratings.md).
    Column("rated", Boolean, nullable=False, server_default=text("false")),
    Column("training", Boolean, nullable=False, server_default=text("false")),
    # Fields of service.rules.pace.Pace by their names; null for a game without a clock.
    Column("pace", JSONB(none_as_null=True)),
    Column("rematch_of", ForeignKey("game.id")),
    Column("fork_of", ForeignKey("game.id")),
    Column("fork_seq", Integer),
    # Seats whose players have to act, the decision that they face, and since when. Follows from the log; copied here
    # because each append writes this row anyway.
    Column("awaited", ARRAY(Integer), nullable=False, server_default=text("'{}'")),
    Column("faces", Integer),
    Column("since", DateTime(timezone=True)),
    # Deadlines of `awaited`, in the same order; null for a seat whose time does not run, empty without a clock.
    Column("deadlines", ARRAY(DateTime(timezone=True)), nullable=False, server_default=text("'{}'")),
    # Moment at which the game's timer fires (store/pace.py); in no index, since each append may write it.
    Column("timer", DateTime(timezone=True)),
    # Head of the hash chain over the log (log/chain.py).
    Column("head", LargeBinary),
    # Seats with a waiting order or an auto-answer, tried before their players are asked.
    Column("ordered", ARRAY(Integer), nullable=False, server_default=text("'{}'")),
    Column("origin", word("game_origin", ORIGINS), nullable=False, server_default=text("'here'")),
    # Last head of the lobby's chain, written by a trigger of lobby_event; null for games older than that chain.
    Column("lobby", LargeBinary),
    # Season or tournament of the game.
    Column("competition_id", Uuid),
    # Day of the game's daily deal (store/daily_deals.py); null for a game with a seed of its own.
    Column("deal", Date),
    Index("game_public", "created_at", "id", postgresql_where=text("access = 'public'")),
    Index("game_open", "created_at", "id", postgresql_where=text("access = 'public' and status = 'open'")),
    # Index for lists of public games with few matches.
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
    # Assigned under the game's lock: gives the order of joining even where clocks differ.
    Column("arrival", BigInteger, Identity(always=True)),
    # The last decision shown on the player's page of the table, and when the page was last known to be open.
    Column("seen", Integer),
    Column("looked_at", DateTime(timezone=True)),
    # Kinds of decisions that are answered for the player, by their names in the ruleset.
    Column("auto_answers", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    # The player has looked at the table since the last mail that asked for a move.
    Column("looked", Boolean, nullable=False, server_default=text("false")),
    PrimaryKeyConstraint("game_id", "seat"),
    UniqueConstraint("game_id", "player_id"),
    Index("seat_player", "player_id"),
    Index("seat_arrival", "arrival", unique=True),
)

# A separate table, so that no query of a game can read the seed along.
seed = Table(
    "seed",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("seed", LargeBinary, nullable=False),
)

# `data` and `action` are json, not jsonb: the text comes back byte for byte as written, and faster. Here, in the outbox
# and in idempotency, `game_id` is no foreign key: games are never deleted, and checking a game for each row would cost
# more than writing the row.
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
    # Head of the hash chain after an append, with the first of its events.
    Column("head", LargeBinary),
    PrimaryKeyConstraint("game_id", "seq"),
    by_blocks("event_at", "at"),
)

# Events at a table before the game begins.
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
    # Moment at which the effect is due. Failed attempts do not move it; postponing does.
    Column("due_at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    # Hand-outs since a worker last began an attempt.
    Column("handed_out", Integer, nullable=False, server_default=text("0")),
    # Attempts in a row that raised, or whose process died.
    Column("failures", SmallInteger, nullable=False, server_default=text("0")),
    Index("outbox_unsent", "game_id", postgresql_where=text("state in ('skipped', 'dead')")),
    Index("outbox_due", "kind", "not_before", postgresql_where=text("state = 'pending'")),
    # Index for effects that wait in a game, when its player changes preferences or is replaced.
    Index("outbox_waiting", "game_id", postgresql_where=text("state = 'pending'")),
    # Index for pruning, and for rows finished within the last hour.
    Index("outbox_settled", "done_at", postgresql_where=text("state in ('done', 'skipped')")),
    Index("outbox_dead", "kind", postgresql_where=text("state = 'dead'")),
    # Index for the results of checks: a small part of all rows, and none that an action writes.
    Index("outbox_checks", "kind", "state", "game_id", postgresql_where=text("kind in ('audit', 'canary', 'night')")),
)

# The answer to an action is the stretch of the log that it caused; folding up to `last_seq` gives the same reply again.
# The answer to any other operation is stored as it was given. `key` is the digest of the key.
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


# Seats that change hands while a game runs: earlier players, and requests.

ANSWERS = ("agreed", "declined")
"""Answers to a request for a seat."""

# Earlier player of a seat; `until_seq` is the number of the event that handed the seat over.
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

# Request of a person for a seat at a public table; without an answer the request is open.
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


# Talk, notes, and requests to take an action back.

# Remarks at a table; the log only records that something was said.
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

# Private notes of a player on a game.
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

# Request of a player to take back their action that begins with event `first`. It stands until somebody acts after
# `version`, or the time to agree is over.
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


# Orders: moves that players give ahead.

# The log does not contain an order before it is played. An order belongs to the player, not to the seat, so that a
# player who takes the seat over does not find it there.
move_order = Table(
    "move_order",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("action", JSON, nullable=False),
    # Pairs of a JSON pointer into the seat's view and the value required there.
    Column("conditions", JSONB, nullable=False),
    # The player has named the conditions; otherwise they follow from what the action relies on.
    Column("named", Boolean, nullable=False),
    instant("given_at"),
    # Reason for dropping the order, and at which decision; null while it waits.
    Column("dropped", JSONB),
    PrimaryKeyConstraint("game_id", "player_id", "place"),
    Index("move_order_player", "player_id"),
)


# Blocked and ignored players, and friendships.

STATES = ("open", "accepted", "declined", "withdrawn", "ended")

# `blocker` wants no contact with `blocked`. An operator's block is a column of the player.
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

# `player_id` sees nothing that `ignored` says at tables.
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

# `sender` has asked `recipient`. Two players have at most one open or accepted row.
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
    # Link from the mail about an open request to its page; only the SHA-256 of its token.
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


# Challenges, bots that are ready to play, and tickets for streams of an account.

STORED_STATES = ("open", "accepted", "declined", "withdrawn")
"""States that are stored. An open challenge past its time has expired, which is not written down."""

challenge = Table(
    "challenge",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("sender", ForeignKey("player.id"), nullable=False),
    Column("recipient", ForeignKey("player.id"), nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", JSONB, nullable=False),
    # Fields of service.store.game_row.Terms by their names.
    Column("terms", JSONB, nullable=False),
    Column("state", Text, nullable=False, server_default=text("'open'")),
    one_of("state", STORED_STATES),
    instant("created_at"),
    instant("expires_at"),
    Column("answered_at", DateTime(timezone=True)),
    # Game opened by accepting the challenge.
    Column("game_id", ForeignKey("game.id")),
    Index("challenge_sender", "sender", "created_at", "id"),
    Index("challenge_recipient", "recipient", "created_at", "id"),
    Index("challenge_expires", "expires_at"),
)

# Link from the mail about a challenge to its page; only the SHA-256 of its token.
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
    # Last time a stream of the bot's account was known to be open.
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


# Tokens, and tickets that stand for a token once.

token = Table(
    "token",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    instant("created_at"),
    Column("id", Uuid, nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("last_four", Text, nullable=False),
    Column("last_used_at", DateTime(timezone=True)),
    Column("expires_at", DateTime(timezone=True)),
    Column("revoked_at", DateTime(timezone=True)),
    # Session cookie of a browser: valid for pages, extended by use.
    Column("browser", Boolean, nullable=False, server_default=text("false")),
    # Origin of a session or purpose of a token (store/access.py); null in rows of the release before 0054.
    Column("kind", Text),
    # Digest of the mark of a session's browser; two accounts of one browser are not rated together.
    Column("mark", LargeBinary),
    # Authorization code by which an app got the token; null for all others.
    Column("code_id", ForeignKey("app_code.id", ondelete="CASCADE")),
    Index("token_player", "player_id"),
    Index("token_code", "code_id", postgresql_where=text("code_id is not null")),
)

# Ticket that opens one stream of a game, once, for the bearer.
stream_ticket = Table(
    "stream_ticket",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("token_id", ForeignKey("token.id", ondelete="CASCADE"), nullable=False),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    instant("expires_at"),
    Index("stream_ticket_token", "token_id"),
)


# Passkeys (W3C Web Authentication): the public keys of accounts, and the challenges that wait.

CEREMONIES = ("register", "sign-in")

# Public data only: nobody can sign in with it.
passkey = Table(
    "passkey",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("credential_id", LargeBinary, nullable=False, unique=True),
    # COSE key (RFC 9052), as the authenticator wrote it.
    Column("public_key", LargeBinary, nullable=False),
    # Transports of the authenticator, in the browser's words: `usb`, `internal`, `hybrid`.
    Column("transports", ARRAY(Text), nullable=False),
    # Signature counter of the authenticator; 0 if the authenticator does not count.
    Column("sign_count", BigInteger, nullable=False),
    instant("created_at"),
    Column("last_used_at", DateTime(timezone=True)),
    # Moment at which the counter did not go up: the passkey may have been copied, and no longer signs anybody in.
    Column("copied_at", DateTime(timezone=True)),
    Index("passkey_player", "player_id"),
)

# Challenge, stored as its SHA-256, and deleted when an answer to it comes.
passkey_challenge = Table(
    "passkey_challenge",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("ceremony", Text, nullable=False),
    # The account whose passkey must answer; null where the passkey itself identifies the account.
    Column("player_id", ForeignKey("player.id")),
    instant("expires_at"),
    one_of("ceremony", CEREMONIES),
)

# Code for signing in another device, stored as its SHA-256; a player has one at a time.
sign_in_code = Table(
    "sign_in_code",
    metadata,
    Column("player_id", ForeignKey("player.id"), primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    instant("expires_at"),
)


# Apps (OAuth 2.1 clients): grants, codes and refresh tokens.

# The id is the client_id. An app without a secret is a public client.
app = Table(
    "app",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("owner", ForeignKey("player.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("redirect_uris", ARRAY(Text), nullable=False),
    Column("secret_hash", LargeBinary),
    instant("created_at"),
    Index("app_owner", "owner", "created_at", "id"),
)

# Consent of a player to an app that acts for them. Deleting the row deletes its codes, and all tokens of those.
app_grant = Table(
    "app_grant",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("app_id", ForeignKey("app.id", ondelete="CASCADE"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("scopes", ARRAY(Text), nullable=False),
    instant("granted_at"),
    UniqueConstraint("app_id", "player_id"),
    Index("app_grant_player", "player_id", "granted_at", "id"),
)

# Authorization code. A used code stays, as the parent of the tokens issued for it (`token.code_id`).
app_code = Table(
    "app_code",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("grant_id", ForeignKey("app_grant.id", ondelete="CASCADE"), nullable=False),
    Column("redirect_uri", Text, nullable=False),
    Column("scopes", ARRAY(Text), nullable=False),
    # code_challenge of RFC 7636 by the method S256.
    Column("challenge", Text, nullable=False),
    # Expiry of the code, or, once the code was used, of the tokens issued for it.
    instant("expires_at"),
    Column("used_at", DateTime(timezone=True)),
    Index("app_code_grant", "grant_id", "expires_at"),
    Index("app_code_expires", "expires_at"),
)

# Refresh token. A used token stays until it expires, so that a second use is noticed.
app_refresh = Table(
    "app_refresh",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("code_id", ForeignKey("app_code.id", ondelete="CASCADE"), nullable=False),
    instant("expires_at"),
    Column("used_at", DateTime(timezone=True)),
    Index("app_refresh_code", "code_id"),
    Index("app_refresh_expires", "expires_at"),
)


# Outgoing and incoming mail: links, invitations, refusals.

REVOCATIONS = ("seen", "address", "resigned", "taken-back", "handed-over")
"""Reasons for revoking links: others have seen a mail, the address has changed, and so on."""

# Request for a sign-in link; using the link deletes the row, so that the link works once.
sign_in = Table(
    "sign_in",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("email", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("language", Text, nullable=False),
    instant("asked_at"),
    Index("sign_in_email", "email"),
    Index("sign_in_asked", "asked_at"),
)

sign_in_link = Table(
    "sign_in_link",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("sign_in_id", ForeignKey("sign_in.id", ondelete="CASCADE"), nullable=False),
    instant("expires_at"),
    Index("sign_in_link_sign_in", "sign_in_id"),
)

# A link belongs to its player: another player who takes the seat later cannot use it.
action_link = Table(
    "action_link",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("decision", Integer, nullable=False),
    instant("created_at"),
    instant("expires_at"),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("revoked_at", DateTime(timezone=True)),
    Column("revoked_for", Text),
    one_of("revoked_for", REVOCATIONS),
    Index("action_link_player", "player_id", "game_id"),
    Index("action_link_game", "game_id"),
)

# Further address from which a player answers mails, in lower case (handlers/reply_addresses.py).
reply_address = Table(
    "reply_address",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("email", Text, nullable=False),
    # SHA-256 of the secret in the link of the last mail; null before that mail.
    Column("hash", LargeBinary, unique=True),
    instant("created_at"),
    Column("confirmed_at", DateTime(timezone=True)),
    Index("reply_address_player", "player_id", "email", unique=True),
)

# Invitation of an address, of a player (asked for a rematch), or of anybody who has its link.
invitation = Table(
    "invitation",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("inviter", ForeignKey("player.id"), nullable=False),
    Column("email", Text),
    Column("player_id", ForeignKey("player.id")),
    instant("created_at"),
    instant("expires_at"),
    Column("revoked_at", DateTime(timezone=True)),
    Column("mailed", Boolean, nullable=False, server_default=text("false")),
    Column("language", Text),
    # The host's own words.
    Column("message", Text),
    # Seat of a running game to be taken over; null while the game is open.
    Column("seat", Integer),
    Index("invitation_address", "game_id", "inviter", "email", unique=True, postgresql_where=text("seat is null")),
    Index("invitation_seat", "game_id", "inviter", "email", "seat", unique=True),
    UniqueConstraint("game_id", "player_id"),
    Index("invitation_player", "player_id"),
    Index("invitation_inviter", "inviter"),
    Index("invitation_email", "email", "created_at"),
)

# Several links may lead to one invitation: each attempt to mail it makes a new link.
invitation_link = Table(
    "invitation_link",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("invitation_id", ForeignKey("invitation.id"), nullable=False),
)

# Addresses, as digests, that refuse invitations and requests for consent.
mail_refusal = Table(
    "mail_refusal",
    metadata,
    Column("address_hash", LargeBinary, primary_key=True),
    instant("created_at"),
)

# The one mail sent to an unconfirmed address, and its cause (the key of its outbox row).
mail_request = Table(
    "mail_request",
    metadata,
    Column("address_hash", LargeBinary, primary_key=True),
    Column("cause", Text, nullable=False),
    instant("asked_at"),
)

# Links of mails that ask for consent. Deleting the account clears the player; refusing needs the address only.
mail_request_link = Table(
    "mail_request_link",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("address_hash", LargeBinary, nullable=False),
    Column("player_id", ForeignKey("player.id", ondelete="SET NULL")),
    instant("created_at"),
    Index("mail_request_link_player", "player_id"),
)

# Mails to others caused by an account or a network address on a day.
mail_budget = Table(
    "mail_budget",
    metadata,
    Column("day", Date, nullable=False),
    Column("causer", LargeBinary, nullable=False),
    Column("spent", Integer, nullable=False),
    PrimaryKeyConstraint("day", "causer"),
)

# Answers to our mails, as received, sealed. `link` is the stored form of the token in the address that they came to;
# `own` if they never left this machine. `outcome` is the result of the answer.
inbound_mail = Table(
    "inbound_mail",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("link", LargeBinary, nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    Column("own", Boolean, nullable=False),
    instant("received_at"),
    Column("outcome", Text),
    Column("answered_at", DateTime(timezone=True)),
    Index("inbound_mail_player", "player_id", "answered_at"),
    Index("inbound_mail_received", "received_at"),
)


def _up_to(name: str, most: int) -> tuple[Column[object], CheckConstraint]:
    return Column(name, Integer), CheckConstraint(f"{name} between 0 and {most}", name=name)


# Mail preferences: minutes, and full hours of the player's own day. A player without a row has never set any.
mail_wishes = Table(
    "mail_wishes",
    metadata,
    Column("player_id", ForeignKey("player.id"), primary_key=True),
    *_up_to("delay", 60),
    *_up_to("digest", 23),
    *_up_to("quiet_from", 23),
    *_up_to("quiet_to", 23),
    Column("unwanted", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    # Kept for those who have set it by the API; nothing depends on it.
    Column("unseen_only", Boolean, nullable=False, server_default=text("false")),
    Column("links_need_sign_in", Boolean, nullable=False, server_default=text("false")),
    Column("mails_apart", Boolean, nullable=False, server_default=text("false")),
    # Number of reminders of a deadline; null means the maximum.
    *_up_to("reminders", 2),
)

# Games whose mails a player has muted.
mail_mute = Table(
    "mail_mute",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    PrimaryKeyConstraint("game_id", "player_id"),
    Index("mail_mute_player", "player_id"),
)

# Players whose seat the host freed: links of the mail about it know the seat by its arrival.
vacated_seat = Table(
    "vacated_seat",
    metadata,
    Column("arrival", BigInteger, primary_key=True, autoincrement=False),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Index("vacated_seat_player", "player_id"),
)

# Failures of mails to an address, stored as a digest; the score is halved every fortnight.
mail_trouble = Table(
    "mail_trouble",
    metadata,
    Column("address_hash", LargeBinary, primary_key=True),
    Column("cause", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("score", Double, nullable=False),
    instant("noted_at"),
    Column("suppressed", Boolean, nullable=False),
)


# Channels beside mail, messages to them, and calendars.

CHANNEL_STATES = ("trying", "active", "silenced")
CHANNEL_ENDS = ("gone", "failing")

# Secret address of a player's calendar, as its SHA-256.
calendar = Table(
    "calendar",
    metadata,
    Column("player_id", ForeignKey("player.id"), primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    instant("created_at"),
)

# `messages` are the kinds of message that go there; `instead` are those that replace a mail while the channel works.
# `failures` counts the messages in a row that were not taken; `code` and `error` are those of the last attempt.
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

# A separate table, so that no query of a channel reads its secret along; sealed by the settings' secret.
channel_secret = Table(
    "channel_secret",
    metadata,
    Column("channel_id", ForeignKey("channel.id", ondelete="CASCADE"), primary_key=True),
    Column("sealed", LargeBinary, nullable=False),
)

# The progress of a message is stored in its outbox row. `mail_id` is the outbox row of the mail that it accompanies,
# null for a trial; `replaces` if that mail waits for the message.
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


# Webhooks: addresses, secrets and messages.

WEBHOOK_ENDS = ("gone", "failing")

# A webhook without a game is the player's own, and hears of every game that the player sits in.
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

# A separate table, so that no query of a webhook can read a secret along. Sealed with a key of the settings.
webhook_secret = Table(
    "webhook_secret",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("webhook_id", ForeignKey("webhook.id", ondelete="CASCADE"), nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    Column("expires_at", DateTime(timezone=True)),
    Index("webhook_secret_webhook", "webhook_id"),
)

# The progress of a message is stored in its outbox row. `body` is json: the text is sent as it was written.
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


# Log of results, and the ratings that follow from it.

# Finished game of a rated table. Results are numbered in the order of writing, one after the other; ratings are
# computed in this order. `uncounted` is the reason for not counting, null if the result counts.
result = Table(
    "result",
    metadata,
    Column("number", BigInteger, Identity(always=True), primary_key=True),
    Column("game_id", ForeignKey("game.id"), nullable=False, unique=True),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    instant("ended_at"),
    Column("uncounted", Text),
)

# Seats of a result that counts, with the players who began in them; `doubtful` if the points that a seat gained were
# capped.
result_seat = Table(
    "result_seat",
    metadata,
    Column("number", ForeignKey("result.number"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("doubtful", Boolean, nullable=False, server_default=text("false")),
    PrimaryKeyConstraint("number", "seat"),
    Index("result_seat_player", "player_id", "number"),
)

# Effect of a result on a rating: the means before and after, and the uncertainty after.
rating_step = Table(
    "rating_step",
    metadata,
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("number", ForeignKey("result.number"), nullable=False),
    Column("before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    PrimaryKeyConstraint("player_id", "ruleset", "seats", "number"),
    Index("rating_step_number", "number"),
)

_SETTLED = "listed and games >= 10 and opponents >= 5"
_PROVISIONAL = "listed and not (games >= 10 and opponents >= 5)"
_SURE = text("(mu - 2 * sigma) desc")

# Current ratings; `listed` unless the account was deleted.
rating = Table(
    "rating",
    metadata,
    Column("id", BigInteger, Identity(always=True), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("opponents", Integer, nullable=False, server_default=text("0")),
    Column("listed", Boolean, nullable=False, server_default=text("true")),
    PrimaryKeyConstraint("player_id", "ruleset", "seats"),
    Index("rating_listed", "ruleset", "seats", _SURE, "id", postgresql_where=text(_SETTLED)),
    Index("rating_unsettled", "ruleset", "seats", _SURE, "id", postgresql_where=text(_PROVISIONAL)),
)


# Daily deals: commitments, seeds, tries and standings.

PERIODS = ("week", "month")

# The day is one of UTC. `rooted` is the day whose tree has the signature as a leaf, null until that day is over; `best`
# is the result of computer players.
deal = Table(
    "deal",
    metadata,
    Column("day", Date, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", JSONB, nullable=False),
    Column("commitment", Text, nullable=False),
    instant("at"),
    # Public half of the signing key.
    Column("public", LargeBinary, nullable=False),
    Column("signature", LargeBinary, nullable=False),
    Column("rooted", Date),
    Column("best", JSONB(none_as_null=True)),
    Index("deal_unrooted", "at", postgresql_where=text("rooted is null")),
    Index("deal_rooted", "rooted", postgresql_where=text("rooted is not null")),
)

# A separate table, so that no query of a deal can read the seed along.
deal_seed = Table(
    "deal_seed",
    metadata,
    Column("day", ForeignKey("deal.day"), primary_key=True),
    Column("seed", LargeBinary, nullable=False),
)

# `margin` is null before a result, and stays null if there never is one (D-05, D-06). `named`: the player stands in
# tables. `settled`: the tables of the week and the month include the result.
deal_try = Table(
    "deal_try",
    metadata,
    Column("day", ForeignKey("deal.day"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("game_id", ForeignKey("game.id"), nullable=False, unique=True),
    Column("bot", Boolean, nullable=False),
    Column("named", Boolean, nullable=False),
    instant("begun_at"),
    Column("ended_at", DateTime(timezone=True)),
    Column("margin", Integer),
    Column("won", Boolean),
    Column("points", Integer),
    Column("settled", Boolean, nullable=False, server_default=text("false")),
    PrimaryKeyConstraint("day", "player_id"),
    Index("deal_try_player", "player_id", text("day desc")),
    Index(
        "deal_try_place",
        "day",
        "bot",
        "margin",
        "won",
        "player_id",
        postgresql_where=text("named and margin is not null"),
    ),
    Index("deal_try_unsettled", "day", postgresql_where=text("not settled and margin is not null")),
)

# Counts of results: `named` are those who stand in tables. Places are counted from here, not from all tries.
deal_tally = Table(
    "deal_tally",
    metadata,
    Column("day", ForeignKey("deal.day"), nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("margin", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("named", Integer, nullable=False),
    Column("others", Integer, nullable=False),
    PrimaryKeyConstraint("day", "bot", "margin", "won"),
)

# `since` is the Monday of a week, or the first day of a month.
deal_standing = Table(
    "deal_standing",
    metadata,
    Column("period", Text, nullable=False),
    one_of("period", PERIODS),
    Column("since", Date, nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("total", Integer, nullable=False),
    Column("days", Integer, nullable=False),
    Column("named", Boolean, nullable=False),
    PrimaryKeyConstraint("period", "since", "player_id"),
    Index("deal_standing_player", "player_id"),
    Index(
        "deal_standing_place",
        "period",
        "since",
        "total",
        "player_id",
        postgresql_where=text("named"),
    ),
)


# Leagues, their seasons, tournaments, and the games played in them.

SYSTEMS = ("groups", "round-robin", "swiss")
COMPETITION_STATES = ("entry", "running", "over", "cancelled")
ENTRANT_STATES = ("invited", "entered", "left-out", "withdrawn")

league = Table(
    "league",
    metadata,
    Column("id", Uuid, primary_key=True),
    # End of the league's address.
    Column("slug", Text, nullable=False, unique=True),
    Column("title", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("options", JSONB, nullable=False),
    # Fields of service.rules.pace.Pace by their names.
    Column("pace", JSONB, nullable=False),
    Column("rounds", Integer, nullable=False),
    # Days for which each season is open for entry.
    Column("entry_days", Integer, nullable=False),
    instant("created_at"),
    Column("closed_at", DateTime(timezone=True)),
    Index("league_listed", "created_at", "id"),
)

# Season of a league, or a tournament.
competition = Table(
    "competition",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("league_id", ForeignKey("league.id")),
    # Number of a season in its league, from 1; null for a tournament.
    Column("number", Integer),
    # Host of a tournament; null for a season.
    Column("host", ForeignKey("player.id")),
    Column("title", Text, nullable=False),
    Column("public", Boolean, nullable=False, server_default=text("true")),
    Column("ruleset", Text, nullable=False),
    # The most seats of a game.
    Column("seats", Integer, nullable=False),
    Column("options", JSONB, nullable=False),
    Column("pace", JSONB, nullable=False),
    Column("system", Text, nullable=False),
    one_of("system", SYSTEMS),
    # Null in a tournament that has not begun, and whose number of rounds follows from the number of entrants.
    Column("rounds", Integer),
    # Rounds begin automatically; otherwise the host begins them.
    Column("by_itself", Boolean, nullable=False, server_default=text("true")),
    Column("state", Text, nullable=False, server_default=text("'entry'")),
    one_of("state", COMPETITION_STATES),
    # The last round that has begun.
    Column("round", Integer, nullable=False, server_default=text("0")),
    Column("entry_until", DateTime(timezone=True)),
    instant("created_at"),
    Column("started_at", DateTime(timezone=True)),
    Column("over_at", DateTime(timezone=True)),
    Index("competition_season", "league_id", "number", unique=True, postgresql_where=text("league_id is not null")),
    Index("competition_tournament", "created_at", "id", postgresql_where=text("league_id is null and public")),
    Index("competition_host", "host", "created_at", "id", postgresql_where=text("host is not null")),
)

entrant = Table(
    "entrant",
    metadata,
    Column("competition_id", ForeignKey("competition.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("state", Text, nullable=False),
    one_of("state", ENTRANT_STATES),
    instant("entered_at"),
    # Place in the order at the start, and in a season the tier and the number of the group, all from 1.
    Column("rank", Integer),
    Column("tier", Integer),
    Column("group_number", Integer),
    # Current line in the table: place from 1, points, and games won.
    Column("place", Integer),
    Column("points", Integer, nullable=False, server_default=text("0")),
    Column("wins", Integer, nullable=False, server_default=text("0")),
    # After a season: 1 for promotion, -1 for relegation, 0 for staying; and the place in the ladder.
    Column("moves", Integer),
    Column("ladder", Integer),
    PrimaryKeyConstraint("competition_id", "player_id"),
    Index("entrant_player", "player_id", "entered_at", "competition_id"),
    Index("entrant_table", "competition_id", "group_number", "place"),
)

# Players of one game in one round, in the order of their seats; a bye has one player, and no game.
pairing = Table(
    "pairing",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("competition_id", ForeignKey("competition.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("group_number", Integer),
    Column("players", ARRAY(Uuid), nullable=False),
    Column("game_id", ForeignKey("game.id"), unique=True),
    # Points of each player; null until the game is over.
    Column("points", ARRAY(Integer)),
    Index("pairing_round", "competition_id", "round", "number", unique=True),
    Index("pairing_group", "competition_id", "group_number", "round"),
    Index("pairing_open", "competition_id", postgresql_where=text("points is null")),
)


# Finished games: seals with their keys and trees, archived games, analyses.

# The name and the span of a key are published; the private half is only in the settings.
seal_key = Table(
    "seal_key",
    metadata,
    Column("id", Text, primary_key=True),
    Column("public", LargeBinary, nullable=False),
    instant("since"),
    Column("until", DateTime(timezone=True)),
    Index("seal_key_in_use", text("(until is null)"), unique=True, postgresql_where=text("until is null")),
)

seal = Table(
    "seal",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("head", LargeBinary, nullable=False),
    instant("at"),
    Column("key", ForeignKey("seal_key.id"), nullable=False),
    Column("signature", LargeBinary, nullable=False),
    Index("seal_at", "at", "game_id"),
)

# The day is one of UTC; `count` is the number of leaves of its tree, in the order of their moments and games.
seal_day = Table(
    "seal_day",
    metadata,
    Column("day", Date, primary_key=True),
    Column("root", LargeBinary, nullable=False),
    Column("count", Integer, nullable=False),
    instant("at"),
)

# Games whose log is in the archive and no longer in `event`: the SHA-256 and the length of the record there, and the
# moment of the last event. Written by archive_game, and removed by unarchive_game (migration 0038).
archived = Table(
    "archived",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("sha256", LargeBinary, nullable=False),
    Column("bytes", Integer, nullable=False),
    instant("ended_at"),
    Column("at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    Index("archived_ended", "ended_at"),
)

# Analysis of a finished game: `found` has the results for its steps so far, in their order.
analysis = Table(
    "analysis",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("head", LargeBinary),
    Column("version", Integer, nullable=False),
    Column("asked_at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    Column("ready_at", DateTime(timezone=True)),
    Column("found", JSONB, nullable=False, server_default=text("'[]'")),
)


# Operators: their log, roles, blocks, the mode of the service, and reports.

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

# Accounts with the role of operator.
operator = Table(
    "operator",
    metadata,
    Column("player_id", ForeignKey("player.id"), primary_key=True),
    instant("since"),
)

# Blocked addresses, as digests: no mail goes there, and nobody signs in with them.
blocked_address = Table(
    "blocked_address",
    metadata,
    Column("address_hash", LargeBinary, primary_key=True),
    Column("reason", Text, nullable=False),
    instant("blocked_at"),
)

# Current modes of the whole service. `texts` are the operator's words by language.
mode = Table(
    "mode",
    metadata,
    Column("what", Text, primary_key=True),
    instant("begins"),
    Column("ends", DateTime(timezone=True)),
    Column("texts", JSONB, nullable=False),
    one_of("what", MODES),
)

# Report of a player: on a remark at a table by its `number`, on a name, on a profile, or on the title of a tournament.
# `quoted` is the text at that moment.
report = Table(
    "report",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("reporter", ForeignKey("player.id"), nullable=False),
    Column("reported", ForeignKey("player.id"), nullable=False),
    Column("about", Text, nullable=False),
    Column("game_id", ForeignKey("game.id")),
    # Without a foreign key, so that no older version of the code is hindered.
    Column("competition_id", Uuid),
    Column("number", Integer),
    Column("quoted", Text, nullable=False),
    Column("words", Text, nullable=False),
    instant("created_at"),
    Column("answer", Text),
    Column("answered_at", DateTime(timezone=True)),
    Index("report_open", "created_at", postgresql_where=text("answer is null")),
    Index("report_reporter", "reporter"),
    Index("report_reported", "reported"),
)
