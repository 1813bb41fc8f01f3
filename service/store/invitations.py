"""Invitations to games, the links that lead to them, and the addresses that want none."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

LIFETIME = timedelta(days=30)
_LENGTH = 26

_COLUMNS = (
    "select i.id, i.game_id, i.inviter, i.email, i.player_id, i.created_at, i.expires_at, i.revoked_at, i.mailed,"
    " i.language, i.message, i.seat"
)
_GIVE = text(
    "insert into invitation (id, game_id, inviter, email, player_id, created_at, expires_at, mailed, language, message,"
    " seat) values (:id, :game, :inviter, :email, :player, :now, :until, :mailed, :language, :message, :seat)"
    " on conflict do nothing returning true"
)
_LINK = text("insert into invitation_link (hash, invitation_id) values (:hash, :id)")
_READ = text(f"{_COLUMNS} from invitation i where i.id = :id")
_RESOLVE = text(f"{_COLUMNS} from invitation_link l join invitation i on i.id = l.invitation_id where l.hash = :hash")
_COUNT = text("select count(*) from invitation where game_id = :game")
_REVOKE = text(
    "update invitation set revoked_at = coalesce(revoked_at, :now) where id = :id and game_id = :game returning true"
)
# To the address itself, or to a player who has it.
_TO = "(i.email = :address or i.player_id in (select id from player where lower(email) = :address))"
_MAILED = text(f"select count(*) from invitation i where {_TO} and i.mailed and i.created_at > :since")  # noqa: S608 - a constant
# Two hosts, or one at two tables, must not both be the last that may.
_ALONE = text("select pg_advisory_xact_lock(hashtextextended('invited:' || :address, 0))")
# A table that was called off has asked for no answer any more, but its mail was one; and a game that has begun is one,
# unless the invitation is for a seat of the running game.
_UNANSWERED = text(f"""
select exists (select from invitation i join game g on g.id = i.game_id
 where {_TO} and i.mailed and i.inviter = :inviter and i.expires_at > :now
   and (g.status in ('open', 'cancelled') or (g.status = 'running' and i.seat is not null))
   and not exists (select from seat s join player p on p.id = s.player_id
                    where s.game_id = g.id and lower(p.email) = :address))
""")  # noqa: S608 - a constant
_TO_CONFIRMED = text(
    "select exists (select from invitation i join player p on p.id = i.player_id"
    " where i.id = :id and p.email_confirmed)"
)
_GUEST = text(
    "select coalesce(i.email, lower(p.email)) as address, p.name,"
    " coalesce(p.language, of_address.language, i.language) as language, p.id as player from invitation i"
    " left join player p on p.id = i.player_id or p.email_verified and p.email = i.email"
    # Whoever has confirmed the address reads its mails, also without ever having signed in.
    " left join lateral (select language from player where lower(email) = i.email and email_confirmed"
    " and deleted_at is null order by created_at desc, id limit 1) of_address on true where i.id = :id"
)


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to a game: for an address, for a player, or, with neither, for anybody who has the link."""

    id: UUID
    game_id: UUID
    inviter: UUID
    email: str | None
    player_id: UUID | None
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    mailed: bool = False
    """Whether a mail tells of it."""
    language: str | None = None
    """The language of the mail and its page, where the guest has none of their own."""
    message: str | None = None
    """A line of the host's own."""
    seat: int | None = None
    """The seat of a running game that is to be taken over; None for a free seat of an open game."""

    def is_good(self, now: datetime) -> bool:
        """Return whether it was neither taken back nor given too long ago."""
        return self.revoked_at is None and self.expires_at > now


@dataclass(frozen=True, slots=True)
class Guest:
    """The guest: an address in lower case, if mails go to one; the name and id of a player, and the language.

    An invitation to an address with which somebody signs in is for that player.
    """

    address: str | None
    name: str | None
    language: str | None
    player: UUID | None = None


def give(db: Connection, given: Invitation) -> bool:
    """Write an invitation; False if that inviter invited the address to the game or seat, or anybody the player."""
    values: dict[str, object] = {"id": given.id, "game": given.game_id, "inviter": given.inviter, "email": given.email}
    values |= {"player": given.player_id, "now": given.created_at, "until": given.expires_at}
    values |= {"mailed": given.mailed, "language": given.language, "message": given.message}
    values["seat"] = given.seat
    return db.execute(_GIVE, values).first() is not None


def link_token(invitation: UUID, secret: str) -> str:
    """Return the link token of an invitation, 26 lower-case base32 letters (128 bits), that follows from a secret."""
    return _letters(hmac.digest(secret.encode(), invitation.bytes, "sha256")[:16])


def new_token() -> str:
    """Return a link token that follows from nothing."""
    return _letters(secrets.token_bytes(16))


def add_link(db: Connection, invitation: UUID, token: str) -> None:
    """Let one more link, which is stored as its token's SHA-256 only, lead to the invitation."""
    db.execute(_LINK, {"hash": _digest(token), "id": invitation})


def read(db: Connection, invitation: UUID) -> Invitation:
    """Return an invitation that there is."""
    return _invitation(db.execute(_READ, {"id": invitation}).one())


def resolve(db: Connection, token: str) -> Invitation | None:
    """Return the invitation behind a link, good or not, or None if there is none; upper case is forgiven."""
    letters = token.lower()
    if len(letters) != _LENGTH or not letters.isascii():
        return None
    row = db.execute(_RESOLVE, {"hash": _digest(letters)}).one_or_none()
    return None if row is None else _invitation(row)


def count(db: Connection, game: UUID) -> int:
    """Return how many invitations to the game were given at all."""
    return int(db.execute(_COUNT, {"game": game}).scalar_one())


def revoke(db: Connection, game: UUID, invitation: UUID, now: datetime) -> bool:
    """Take an invitation back, once or again; False if there is none such to that game."""
    return db.execute(_REVOKE, {"id": invitation, "game": game, "now": now}).first() is not None


def guest_of(db: Connection, invitation: UUID) -> Guest:
    """Return what is known of the guest."""
    row = db.execute(_GUEST, {"id": invitation}).one()
    return Guest(row.address, row.name, row.language, row.player)


def is_to_confirmed(db: Connection, invitation: UUID) -> bool:
    """Return whether an invitation is for a player whose address is confirmed."""
    return bool(db.execute(_TO_CONFIRMED, {"id": invitation}).scalar_one())


def mailed_since(db: Connection, address: str, since: datetime) -> int:
    """Return how many invitations were mailed to an address in lower case since a moment."""
    return int(db.execute(_MAILED, {"address": address, "since": since}).scalar_one())


def is_unanswered(db: Connection, given: Invitation, address: str) -> bool:
    """Return whether the inviter has had the address invited before, to any game, and waits for an answer.

    Until the end of the transaction nobody else invites the address. It has answered with a seat of its own; a game
    that begins without it, and the end of an invitation's time, are answers too.
    """
    db.execute(_ALONE, {"address": address})
    values = {"address": address, "inviter": given.inviter, "now": given.created_at}
    return bool(db.execute(_UNANSWERED, values).scalar_one())


def _invitation(row: Any) -> Invitation:
    return Invitation(*row)


def _letters(data: bytes) -> str:
    return b32encode(data).decode().rstrip("=").lower()


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()
