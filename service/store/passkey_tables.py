"""The tables of passkeys (W3C Web Authentication): the public keys of accounts, and the challenges that wait."""

from __future__ import annotations

from sqlalchemy import ARRAY, BigInteger, Column, DateTime, ForeignKey, Index, LargeBinary, Table, Text, Uuid

from service.store.tables import instant, metadata, one_of

CEREMONIES = ("register", "sign-in")

# Only public things: nobody can sign in by what stands here.
passkey = Table(
    "passkey",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("credential_id", LargeBinary, nullable=False, unique=True),
    # A COSE key (RFC 9052), as the authenticator wrote it.
    Column("public_key", LargeBinary, nullable=False),
    # How to reach the authenticator, in the words of the browser: `usb`, `internal`, `hybrid`.
    Column("transports", ARRAY(Text), nullable=False),
    # How often the authenticator says it has signed; 0 for one that does not count.
    Column("sign_count", BigInteger, nullable=False),
    instant("created_at"),
    Column("last_used_at", DateTime(timezone=True)),
    # When the counter did not go up: somebody may have a copy, and the passkey signs nobody in any more.
    Column("copied_at", DateTime(timezone=True)),
    Index("passkey_player", "player_id"),
)

# A challenge is stored as its SHA-256, and deleted when an answer to it comes.
passkey_challenge = Table(
    "passkey_challenge",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("ceremony", Text, nullable=False),
    # The account whose passkey it has to be; null where the passkey itself tells whose it is.
    Column("player_id", ForeignKey("player.id")),
    instant("expires_at"),
    one_of("ceremony", CEREMONIES),
)

# The code with which another device signs in, stored as its SHA-256; a player has one at a time.
sign_in_code = Table(
    "sign_in_code",
    metadata,
    Column("player_id", ForeignKey("player.id"), primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    instant("expires_at"),
)
