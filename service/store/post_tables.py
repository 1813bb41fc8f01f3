"""The tables of outgoing and incoming mail: links, invitations, refusals."""

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
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from service.store.tables import instant, metadata, one_of

REVOCATIONS = ("seen", "address", "resigned", "taken-back", "handed-over")
"""Why links are taken out of use: others have seen a mail, the address is a new one, and so on."""

# A request for a link to sign in with; using it deletes the row, so that it works once.
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

# A link is its player's: another player who takes the seat later cannot use it.
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

# A further address from which a player answers mails, in lower case (handlers/reply_addresses.py).
reply_address = Table(
    "reply_address",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("email", Text, nullable=False),
    # The SHA-256 of the secret in the link of the last mail; null until there is one.
    Column("hash", LargeBinary, unique=True),
    instant("created_at"),
    Column("confirmed_at", DateTime(timezone=True)),
    Index("reply_address_player", "player_id", "email", unique=True),
)

# For an address, for a player (who is asked for a rematch), or for anybody who has its link.
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
    # The seat of a running game that is to be taken over; none while the game is open.
    Column("seat", Integer),
    Index("invitation_address", "game_id", "inviter", "email", unique=True, postgresql_where=text("seat is null")),
    Index("invitation_seat", "game_id", "inviter", "email", "seat", unique=True),
    UniqueConstraint("game_id", "player_id"),
    Index("invitation_player", "player_id"),
    Index("invitation_inviter", "inviter"),
    Index("invitation_email", "email", "created_at"),
)

# Several links may lead to one invitation: each attempt to mail it makes a link of its own.
invitation_link = Table(
    "invitation_link",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("invitation_id", ForeignKey("invitation.id"), nullable=False),
)

# The addresses that want neither invitations nor to be asked, as digests.
mail_refusal = Table(
    "mail_refusal",
    metadata,
    Column("address_hash", LargeBinary, primary_key=True),
    instant("created_at"),
)

# When the one mail went to an address that nobody had confirmed, and which it was (the key of its outbox row).
mail_request = Table(
    "mail_request",
    metadata,
    Column("address_hash", LargeBinary, primary_key=True),
    Column("cause", Text, nullable=False),
    instant("asked_at"),
)

# The links of mails that ask for consent. The player goes with the account; to refuse, the address is enough.
mail_request_link = Table(
    "mail_request_link",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("address_hash", LargeBinary, nullable=False),
    Column("player_id", ForeignKey("player.id", ondelete="SET NULL")),
    instant("created_at"),
    Index("mail_request_link_player", "player_id"),
)

# How many mails to others an account or a network address has caused on a day.
mail_budget = Table(
    "mail_budget",
    metadata,
    Column("day", Date, nullable=False),
    Column("causer", LargeBinary, nullable=False),
    Column("spent", Integer, nullable=False),
    PrimaryKeyConstraint("day", "causer"),
)

# Answers to our mails, as they came in, sealed. `link` is the stored form of the token in the address that they came
# to; `own` if they never left this machine. `outcome` says what came of them.
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


# Minutes, and full hours of the player's own day; a player without a row has never wished for anything.
mail_wishes = Table(
    "mail_wishes",
    metadata,
    Column("player_id", ForeignKey("player.id"), primary_key=True),
    *_up_to("delay", 60),
    *_up_to("digest", 23),
    *_up_to("quiet_from", 23),
    *_up_to("quiet_to", 23),
    Column("unwanted", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    # Kept for those who have set it by the API; nothing follows from it.
    Column("unseen_only", Boolean, nullable=False, server_default=text("false")),
    Column("links_need_sign_in", Boolean, nullable=False, server_default=text("false")),
    Column("mails_apart", Boolean, nullable=False, server_default=text("false")),
    # How many reminders of a deadline; none said is the most there are.
    *_up_to("reminders", 2),
)

# The games of which a player wants no mails.
mail_mute = Table(
    "mail_mute",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    PrimaryKeyConstraint("game_id", "player_id"),
    Index("mail_mute_player", "player_id"),
)

# Who sat where before the host freed the seat: the links of the mail that told them so know it by its arrival.
vacated_seat = Table(
    "vacated_seat",
    metadata,
    Column("arrival", BigInteger, primary_key=True, autoincrement=False),
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Index("vacated_seat_player", "player_id"),
)

# What has gone wrong with mails to an address, which is kept as a digest; the score is halved every fortnight.
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
