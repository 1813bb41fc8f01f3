"""Addresses: consent, suppression, reply addresses, and mails that have come in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

# Whether the reader of an address wants our mails: asked for in one mail, given by a press, refused for ever.
#
# Who may be written to, by how the address came here ("confirmed" is `player.email_confirmed`, for that player alone):
#
# | Case | What goes there |
# |---|---|
# | Guest made with an address (POST /players) | One mail that asks; all else waits for the press. |
# | Address added in the settings, signing in with one | The link to sign in; its use confirms. |
# | Invitation by mail, address confirmed by nobody | The invitation, without words of the host, is the one mail. |
# | Seat taken by the link of that mail | Confirmed for the player who sits down with the address. |
# | Invitation by mail, address confirmed by somebody | The invitation, with the host's words. |
# | The same address on another account | Confirmed for that account by a press of its own, or not at all. |
# | Sign-in mail to an address without an account | Three a day, one after a refusal; no words of the asker. |
# | Rematch | Invitations to those whose address is confirmed; the others see it on the site. |
# | Bots | Have no address. |
#
# The one mail counts per address, for all accounts together, and comes again after CONSENT_ASKED_AGAIN_AFTER at the
# earliest. A refusal holds for every account and has no end; a person who refused may still confirm, for one account,
# by the link of that mail. Addresses are kept as SHA-256 digests in lower case.

CONSENT_ASKED_AGAIN_AFTER: Final = timedelta(days=30)
"""How long after the one mail to an address that nobody has confirmed another may go there."""

_OF_PLAYER: Final = "sha256(convert_to(lower(p.email), 'UTF8'))"
_CONFIRMED = text("select exists (select from player where lower(email) = :address and email_confirmed)")
# A mail that is tried again finds its own cause.
_CLAIM = text("""
insert into mail_request (address_hash, cause, asked_at) values (:hash, :cause, :now)
on conflict (address_hash) do update set cause = excluded.cause, asked_at = excluded.asked_at
  where mail_request.asked_at <= :before or mail_request.cause = excluded.cause
returning true
""")
_ASKED = text("select asked_at from mail_request where address_hash = :hash and asked_at > :before")
_LINK = text(
    "insert into mail_request_link (hash, address_hash, player_id, created_at) values (:link, :hash, :player, :now)"
)
_RESOLVE = text(f"""
select l.address_hash, p.id as player, p.language, p.email, p.email_confirmed as confirmed
  from mail_request_link l left join player p on p.id = l.player_id and {_OF_PLAYER} = l.address_hash
 where l.hash = :link
""")  # noqa: S608 - a constant
_HAS = text("select exists (select from player where id = :player and lower(email) = :address)")
_CONFIRM = text(
    "update player set email_confirmed = true where id = :player and email is not null and not email_confirmed"
)
_REFUSE = text("insert into mail_refusal (address_hash, created_at) values (:hash, :now) on conflict do nothing")
_REFUSED = text("select exists (select from mail_refusal where address_hash = :hash)")


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """What a link of the mail that asks stands for: the address, and the player who has it, if they still do."""

    address_hash: bytes
    player: UUID | None
    language: str | None
    email: str | None
    confirmed: bool | None


def consent_digest(address: str) -> bytes:
    """Return the digest of an address, in which upper case does not matter."""
    return sha256(address.lower().encode()).digest()


def is_address_confirmed(db: Connection, address: str) -> bool:
    """Return whether some player's account has the address, and it was confirmed there."""
    return bool(db.execute(_CONFIRMED, {"address": address.lower()}).scalar_one())


def claim_consent_mail(db: Connection, address: str, cause: str, now: datetime) -> bool:
    """Take the one mail to an address for a cause, once or again; False if another cause had it less than AGAIN ago."""
    values = {"hash": consent_digest(address), "cause": cause, "now": now, "before": now - CONSENT_ASKED_AGAIN_AFTER}
    return db.execute(_CLAIM, values).first() is not None


def consent_asked_at(db: Connection, address: str, now: datetime) -> datetime | None:
    """Return when the one mail to an address was written, None if there may be one now."""
    found: datetime | None = db.execute(
        _ASKED, {"hash": consent_digest(address), "before": now - CONSENT_ASKED_AGAIN_AFTER}
    ).scalar()
    return found


def add_consent_link(db: Connection, link: bytes, address: str, player: UUID, now: datetime) -> None:
    """Let a link, in its stored form, confirm the address for the player, or refuse all such mails to it."""
    db.execute(_LINK, {"link": link, "hash": consent_digest(address), "player": player, "now": now})


def resolve_consent_link(db: Connection, link: bytes) -> ConsentRequest | None:
    """Return what a link, in its stored form, stands for; None if there is none such."""
    row: Any = db.execute(_RESOLVE, {"link": link}).one_or_none()
    return None if row is None else ConsentRequest(*row)


def has_consent(db: Connection, player: UUID, address: str) -> bool:
    """Return whether the player's account has the address, confirmed or not."""
    return bool(db.execute(_HAS, {"player": player, "address": address.lower()}).scalar_one())


def confirm_consent(db: Connection, player: UUID) -> bool:
    """Note that the player reads the mails of their address; False if that was known, or they have none."""
    return db.execute(_CONFIRM, {"player": player}).rowcount > 0


def refuse_mails(db: Connection, address_hash: bytes, now: datetime) -> None:
    """Note that an address, known by its digest, wants neither invitations nor to be asked; for ever."""
    db.execute(_REFUSE, {"hash": address_hash, "now": now})


def are_mails_refused(db: Connection, address: str) -> bool:
    """Return whether an address wants neither invitations nor to be asked."""
    return bool(db.execute(_REFUSED, {"hash": consent_digest(address)}).scalar_one())


# Addresses that mails do not reach: what went wrong, how badly, and whether we have stopped writing to them.
#
# Each failure has points. A permanent one has as many as suppression takes; others have fewer, and count once a day,
# and lose half of their points every fortnight. An address is kept as a digest.

SuppressionCause = Literal["unknown-address", "mailbox-full", "not-accepted"]

SUPPRESSION_SCORE: Final = 4.0
"""The points from which on no mail is sent."""
SUPPRESSION_POINTS: Final[dict[SuppressionCause, float]] = {
    "unknown-address": SUPPRESSION_SCORE,
    "not-accepted": 2.0,
    "mailbox-full": 1.0,
}
SUPPRESSION_HALF_LIFE: Final = timedelta(days=14)
SUPPRESSION_HASH: Final = 16
"""Bytes of a digest."""

_DECAYED = (
    "mail_trouble.score * 0.5 ^ (extract(epoch from excluded.noted_at - mail_trouble.noted_at)"
    f" / {SUPPRESSION_HALF_LIFE.total_seconds()}) + excluded.score"
)
_NOTE = text(f"""
insert into mail_trouble (address_hash, cause, status, score, noted_at, suppressed)
values (:hash, :cause, :status, :points, :now, :points >= {SUPPRESSION_SCORE})
on conflict (address_hash) do update
set cause = excluded.cause, status = excluded.status, score = {_DECAYED}, noted_at = excluded.noted_at,
    suppressed = mail_trouble.suppressed or {_DECAYED} >= {SUPPRESSION_SCORE}
where excluded.suppressed or mail_trouble.noted_at <= excluded.noted_at - interval '1 day'
returning suppressed
""")  # noqa: S608 - constants
SUPPRESSION_OF_PLAYER: Final = "address_digest(email)"
"""The digest of a player's address, in SQL, by which there is an index."""
_MARK = text(f"update player set unreachable = :unreachable where {SUPPRESSION_OF_PLAYER} = :hash")  # noqa: S608 - constants
_FIND = text("select cause, status, noted_at from mail_trouble where address_hash = :hash and suppressed")
_CLEAR = text("delete from mail_trouble where address_hash = :hash")


@dataclass(frozen=True, slots=True)
class Suppression:
    """Why we have stopped writing to an address; `status` is an enhanced status code (RFC 3463), or ''."""

    cause: SuppressionCause
    status: str
    noted_at: datetime


def suppression_digest(address: str) -> bytes:
    """Return the digest of an address, in which upper case does not matter."""
    return sha256(address.lower().encode()).digest()[:SUPPRESSION_HASH]


def note_suppression(db: Connection, address_hash: bytes, cause: SuppressionCause, status: str, now: datetime) -> bool:
    """Note trouble with an address; return whether it made us stop, which its players' tables show from now on."""
    values = {"hash": address_hash, "cause": cause, "status": status, "points": SUPPRESSION_POINTS[cause], "now": now}
    stopped = bool(db.execute(_NOTE, values).scalar())
    if stopped:
        db.execute(_MARK, {"hash": address_hash, "unreachable": True})
    return stopped


def find_suppression(db: Connection, address: str) -> Suppression | None:
    """Return why we have stopped writing to an address, None if we have not."""
    row = db.execute(_FIND, {"hash": suppression_digest(address)}).one_or_none()
    return None if row is None else Suppression(row.cause, row.status, row.noted_at)


def clear_suppression(db: Connection, address: str) -> None:
    """Forget all trouble with an address."""
    values = {"hash": suppression_digest(address)}
    db.execute(_CLEAR, values)
    db.execute(_MARK, {**values, "unreachable": False})


# From which addresses a player answers mails, beside that of the account (handlers/reply_addresses.py).

_CONFIRMED_REPLY_ADDRESSES: Final = text(
    "select exists (select from reply_address where player_id = :player and email = :address"
    " and confirmed_at is not null)"
)
# What somebody has only typed in belongs to nobody.
_OF_ANOTHER: Final = text(
    "select exists (select from player where lower(email) = :address and email_confirmed and id <> :player"
    " and deleted_at is null)"
)
_LISTED: Final = text(
    "select id, email, created_at, confirmed_at from reply_address where player_id = :player order by created_at, id"
)


def is_reply_address_confirmed(db: Connection, address: str, player: UUID) -> bool:
    """Return whether the player answers mails from the address, and its reader has confirmed that."""
    return bool(db.execute(_CONFIRMED_REPLY_ADDRESSES, {"address": address.lower(), "player": player}).scalar_one())


def is_address_of_another(db: Connection, address: str, player: UUID) -> bool:
    """Return whether an account of another player has the address, and it was confirmed there."""
    return bool(db.execute(_OF_ANOTHER, {"address": address.lower(), "player": player}).scalar_one())


def list_reply_addresses(db: Connection, player: UUID) -> list[dict[str, Any]]:
    """Return the further addresses of a player, the oldest first; `confirmed_at` is None while they are asked."""
    return [
        {
            "id": str(row.id),
            "email": row.email,
            "created_at": row.created_at.isoformat(),
            "confirmed_at": None if row.confirmed_at is None else row.confirmed_at.isoformat(),
        }
        for row in db.execute(_LISTED, {"player": player})
    ]


# Mails that have come in: stored before they are accepted, and answered once.

# A lapse of a seat holds this lock exclusively (handlers/lapse.py).
_BEFORE_A_LAPSE = text("select from game where id = :game for share")
_UNHANDLED = text("""
select exists (select from inbound_mail mail join outbox on dedupe_key = 'reply:' || mail.id and state = 'pending'
                where mail.game_id = :game and mail.player_id = :player and mail.received_at <= :until)
""")
_KEEP = text("""
insert into inbound_mail (digest, link, player_id, game_id, sealed, own, received_at)
values (:digest, :link, :player, :game, :sealed, :own, :at)
on conflict (digest) do nothing returning id
""")
_READ = text("select id, link, player_id, game_id, sealed, own, received_at from inbound_mail where id = :id")
_SETTLE = text("update inbound_mail set outcome = :outcome, answered_at = :at where id = :id")
# Two workers must not both write the last mail of the hour.
_ALONE = text("select pg_advisory_xact_lock(hashtextextended('answers:' || cast(:player as text), 0))")
_ANSWERED = text("""
select count(*) filter (where answered_at > :hour and game_id = :game and outcome = any(:unread)) as unread_in_the_game,
       count(*) filter (where outcome = any(:unread)) as unread,
       count(*) filter (where answered_at > :hour and outcome <> all(:unread)) as idle_in_the_hour,
       count(*) filter (where outcome <> all(:unread)) as idle
  from inbound_mail where player_id = :player and answered_at > :day and outcome <> all(:but) and id <> :id
""")
_SAID = text("""
select count(*) from inbound_mail
 where player_id = :player and answered_at > :since and outcome = 'said' and id < :id
""")
_UNREADABLE = text("""
select count(*) from inbound_mail where player_id = :player and received_at > :since and outcome = 'unreadable'
""")


@dataclass(frozen=True, slots=True)
class InboundMail:
    """A mail that has come in, still sealed."""

    id: int
    link: bytes
    player_id: UUID
    game_id: UUID
    sealed: bytes
    own: bool
    received_at: datetime


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """How many mails of a player were answered that changed nothing: mails that were not read, and mails that were.

    Of those not read, the ones in the game count for an hour; all others for a day, where it does not say.
    """

    unread_in_the_game: int
    unread: int
    idle_in_the_hour: int
    idle: int


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail to be kept: `digest` is what makes it the same mail when it comes again."""

    digest: bytes
    link: bytes
    player: UUID
    game: UUID
    sealed: bytes
    own: bool
    at: datetime


def hold_lapses(db: Connection, game: UUID) -> None:
    """Have no seat of the game lapse until this transaction ends.

    A mail that is received afterwards, and kept by the end of the transaction, comes before any lapse that it is in
    time for.
    """
    db.execute(_BEFORE_A_LAPSE, {"game": game})


def has_unhandled_inbound(db: Connection, game: UUID, player: UUID, until: datetime) -> bool:
    """Return whether a mail of the player about the game was received up to a moment and is still to be read."""
    return bool(db.execute(_UNHANDLED, {"game": game, "player": player, "until": until}).scalar_one())


def keep_inbound(db: Connection, mail: StoredMail) -> int | None:
    """Store a mail and return its id, or None if it has come before."""
    values = {name: getattr(mail, name) for name in StoredMail.__slots__}
    kept: int | None = db.execute(_KEEP, values).scalar()
    return kept


def read_inbound(db: Connection, mail_id: int) -> InboundMail | None:
    """Return a mail, or None if it is no longer kept."""
    row = db.execute(_READ, {"id": mail_id}).mappings().one_or_none()
    return None if row is None else InboundMail(**row)


def settle_inbound(db: Connection, mail_id: int, outcome: str, answered_at: datetime | None) -> None:
    """Note what came of a mail, and when that was answered, if it was."""
    db.execute(_SETTLE, {"id": mail_id, "outcome": outcome, "at": answered_at})


def count_inbound_said(db: Connection, mail: InboundMail, since: datetime) -> int:
    """Return how many earlier mails of the same player that were answered since had something said."""
    return int(db.execute(_SAID, {"player": mail.player_id, "id": mail.id, "since": since}).scalar_one())


def count_inbound_unreadable(db: Connection, player: UUID, since: datetime) -> int:
    """Return how many mails of a player that came since could not be read within the limits."""
    return int(db.execute(_UNREADABLE, {"player": player, "since": since}).scalar_one())


def count_inbound_answers(
    db: Connection, mail: InboundMail, now: datetime, unread: Sequence[str], but: Sequence[str]
) -> AnswerCounts:
    """Return how many other mails of the same player were answered of late; those whose outcome is in `but` are not.

    `unread` are the outcomes of mails from which nothing was read. Until the end of the transaction nobody else counts.
    """
    db.execute(_ALONE, {"player": mail.player_id})
    whose = {"player": mail.player_id, "game": mail.game_id, "id": mail.id}
    since = {"hour": now - timedelta(hours=1), "day": now - timedelta(days=1)}
    row = db.execute(_ANSWERED, {**whose, **since, "unread": list(unread), "but": list(but)}).mappings().one()
    return AnswerCounts(**row)
