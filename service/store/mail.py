"""Mail addresses: consent, suppression, reply addresses, and received mails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

# Consent of an address's reader to our mails: requested by one mail, given by a press, refused for ever.
#
# Mails to an address, by how the address came here ("confirmed" is `player.email_confirmed`, for that player alone):
#
# | Case | Mails |
# |---|---|
# | Guest made with an address (POST /players) | One mail that asks; all others wait for the press. |
# | Address added in the settings, signing in with one | The link to sign in; its use confirms. |
# | Invitation by mail, address confirmed by nobody | The invitation, without words of the host, is the one mail. |
# | Seat taken by the link of that mail | Confirmed for the player who sits down with the address. |
# | Invitation by mail, address confirmed by somebody | The invitation, with the host's words. |
# | The same address on another account | Confirmed for that account by a press of its own, or not at all. |
# | Sign-in mail to an address without an account | Three a day, one after a refusal; no words of the asker. |
# | Rematch | Invitations to those whose address is confirmed; the others see it on the site. |
# | Bots | Have no address. |
#
# The one mail counts per address, for all accounts together, and is repeated after CONSENT_ASKED_AGAIN_AFTER at the
# earliest. A refusal holds for every account and never expires; a person who refused may still confirm, for one
# account, by the link of that mail. Addresses are stored as SHA-256 digests of their lower case.

CONSENT_ASKED_AGAIN_AFTER: Final = timedelta(days=30)
"""Minimum time between two mails to an address that nobody has confirmed."""

_OF_PLAYER: Final = "sha256(convert_to(lower(p.email), 'UTF8'))"
_CONFIRMED = text("select exists (select from player where lower(email) = :address and email_confirmed)")
# A retried mail finds its own cause.
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
    """Target of the link in a mail that asks for consent: the address, and the player who still has it, if any."""

    address_hash: bytes
    player: UUID | None
    language: str | None
    email: str | None
    confirmed: bool | None


def consent_digest(address: str) -> bytes:
    """Return the digest of an address, ignoring case."""
    return sha256(address.lower().encode()).digest()


def is_address_confirmed(db: Connection, address: str) -> bool:
    """Return whether some player's account has the address confirmed."""
    return bool(db.execute(_CONFIRMED, {"address": address.lower()}).scalar_one())


def claim_consent_mail(db: Connection, address: str, cause: str, now: datetime) -> bool:
    """Claim the one mail to an address for a cause, idempotently.

    False if another cause has claimed it less than CONSENT_ASKED_AGAIN_AFTER ago.
    """
    values = {"hash": consent_digest(address), "cause": cause, "now": now, "before": now - CONSENT_ASKED_AGAIN_AFTER}
    return db.execute(_CLAIM, values).first() is not None


def consent_asked_at(db: Connection, address: str, now: datetime) -> datetime | None:
    """Return when the one mail to an address was written; None if another mail is allowed now."""
    found: datetime | None = db.execute(
        _ASKED, {"hash": consent_digest(address), "before": now - CONSENT_ASKED_AGAIN_AFTER}
    ).scalar()
    return found


def add_consent_link(db: Connection, link: bytes, address: str, player: UUID, now: datetime) -> None:
    """Add a link, in its stored form, that confirms the address for the player, or refuses such mails to it."""
    db.execute(_LINK, {"link": link, "hash": consent_digest(address), "player": player, "now": now})


def resolve_consent_link(db: Connection, link: bytes) -> ConsentRequest | None:
    """Return the target of a link, given in its stored form; None if unknown."""
    row: Any = db.execute(_RESOLVE, {"link": link}).one_or_none()
    return None if row is None else ConsentRequest(*row)


def has_consent(db: Connection, player: UUID, address: str) -> bool:
    """Return whether the player's account has the address, confirmed or not."""
    return bool(db.execute(_HAS, {"player": player, "address": address.lower()}).scalar_one())


def confirm_consent(db: Connection, player: UUID) -> bool:
    """Mark the player's address as confirmed; False if it was confirmed already, or the player has none."""
    return db.execute(_CONFIRM, {"player": player}).rowcount > 0


def refuse_mails(db: Connection, address_hash: bytes, now: datetime) -> None:
    """Store the refusal of invitations and requests for consent by an address, given as its digest; for ever."""
    db.execute(_REFUSE, {"hash": address_hash, "now": now})


def are_mails_refused(db: Connection, address: str) -> bool:
    """Return whether an address refuses invitations and requests for consent."""
    return bool(db.execute(_REFUSED, {"hash": consent_digest(address)}).scalar_one())


# Suppression: addresses whose mails bounce, with cause and score.
#
# Each failure has points. A permanent failure has as many as suppression takes. Others have fewer, count once a day,
# and lose half of their points every fortnight. An address is stored as a digest.

SuppressionCause = Literal["unknown-address", "mailbox-full", "not-accepted"]

SUPPRESSION_SCORE: Final = 4.0
"""Points from which on no mail is sent."""
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
"""Digest of a player's address, in SQL; an index covers it."""
_MARK = text(f"update player set unreachable = :unreachable where {SUPPRESSION_OF_PLAYER} = :hash")  # noqa: S608 - constants
_FIND = text("select cause, status, noted_at from mail_trouble where address_hash = :hash and suppressed")
_CLEAR = text("delete from mail_trouble where address_hash = :hash")


@dataclass(frozen=True, slots=True)
class Suppression:
    """Reason for suppressing an address; `status` is an enhanced status code (RFC 3463), or ''."""

    cause: SuppressionCause
    status: str
    noted_at: datetime


def suppression_digest(address: str) -> bytes:
    """Return the digest of an address, ignoring case."""
    return sha256(address.lower().encode()).digest()[:SUPPRESSION_HASH]


def note_suppression(db: Connection, address_hash: bytes, cause: SuppressionCause, status: str, now: datetime) -> bool:
    """Store a failure of an address; if the address is suppressed then, mark its players unreachable, return True."""
    values = {"hash": address_hash, "cause": cause, "status": status, "points": SUPPRESSION_POINTS[cause], "now": now}
    stopped = bool(db.execute(_NOTE, values).scalar())
    if stopped:
        db.execute(_MARK, {"hash": address_hash, "unreachable": True})
    return stopped


def find_suppression(db: Connection, address: str) -> Suppression | None:
    """Return the reason for suppressing an address; None if it is not suppressed."""
    row = db.execute(_FIND, {"hash": suppression_digest(address)}).one_or_none()
    return None if row is None else Suppression(row.cause, row.status, row.noted_at)


def clear_suppression(db: Connection, address: str) -> None:
    """Forget all failures of an address, and mark its players reachable."""
    values = {"hash": suppression_digest(address)}
    db.execute(_CLEAR, values)
    db.execute(_MARK, {**values, "unreachable": False})


# Reply addresses: further addresses from which a player answers mails (handlers/reply_addresses.py).

_CONFIRMED_REPLY_ADDRESSES: Final = text(
    "select exists (select from reply_address where player_id = :player and email = :address"
    " and confirmed_at is not null)"
)
# An unconfirmed address, merely typed in, belongs to nobody.
_OF_ANOTHER: Final = text(
    "select exists (select from player where lower(email) = :address and email_confirmed and id <> :player"
    " and deleted_at is null)"
)
_LISTED: Final = text(
    "select id, email, created_at, confirmed_at from reply_address where player_id = :player order by created_at, id"
)


def is_reply_address_confirmed(db: Connection, address: str, player: UUID) -> bool:
    return bool(db.execute(_CONFIRMED_REPLY_ADDRESSES, {"address": address.lower(), "player": player}).scalar_one())


def is_address_of_another(db: Connection, address: str, player: UUID) -> bool:
    """Return whether an account of another player has the address confirmed."""
    return bool(db.execute(_OF_ANOTHER, {"address": address.lower(), "player": player}).scalar_one())


def list_reply_addresses(db: Connection, player: UUID) -> list[dict[str, Any]]:
    """Return the reply addresses of a player, the oldest first; `confirmed_at` is None before confirmation."""
    return [
        {
            "id": str(row.id),
            "email": row.email,
            "created_at": row.created_at.isoformat(),
            "confirmed_at": None if row.confirmed_at is None else row.confirmed_at.isoformat(),
        }
        for row in db.execute(_LISTED, {"player": player})
    ]


# Received mails: stored before they are accepted, and answered once.

# A lapse of a seat takes this lock exclusively (handlers/lapse.py).
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
    """Received mail, still sealed."""

    id: int
    link: bytes
    player_id: UUID
    game_id: UUID
    sealed: bytes
    own: bool
    received_at: datetime


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """Numbers of a player's answered mails that changed nothing: unread ones, and idle ones that were read.

    Unread mails of the game count for an hour; all others count for a day unless the name says otherwise.
    """

    unread_in_the_game: int
    unread: int
    idle_in_the_hour: int
    idle: int


@dataclass(frozen=True, slots=True)
class StoredMail:
    """Mail to be stored; `digest` identifies the same mail when it comes again."""

    digest: bytes
    link: bytes
    player: UUID
    game: UUID
    sealed: bytes
    own: bool
    at: datetime


def hold_lapses(db: Connection, game: UUID) -> None:
    """Lock the game against lapses for the transaction.

    A mail received afterwards, and stored by the end of the transaction, comes before any lapse that it is in time for.
    """
    db.execute(_BEFORE_A_LAPSE, {"game": game})


def has_unhandled_inbound(db: Connection, game: UUID, player: UUID, until: datetime) -> bool:
    """Return whether a mail of the player about the game, received up to a moment, is still unread."""
    return bool(db.execute(_UNHANDLED, {"game": game, "player": player, "until": until}).scalar_one())


def keep_inbound(db: Connection, mail: StoredMail) -> int | None:
    """Store a mail and return its id, or None if it has come before."""
    values = {name: getattr(mail, name) for name in StoredMail.__slots__}
    kept: int | None = db.execute(_KEEP, values).scalar()
    return kept


def read_inbound(db: Connection, mail_id: int) -> InboundMail | None:
    """Return a mail, or None if it is no longer stored."""
    row = db.execute(_READ, {"id": mail_id}).mappings().one_or_none()
    return None if row is None else InboundMail(**row)


def settle_inbound(db: Connection, mail_id: int, outcome: str, answered_at: datetime | None) -> None:
    """Store the outcome of a mail, and the moment of our answer, if any."""
    db.execute(_SETTLE, {"id": mail_id, "outcome": outcome, "at": answered_at})


def count_inbound_said(db: Connection, mail: InboundMail, since: datetime) -> int:
    """Return how many earlier mails of the same player, answered since a moment, have the outcome `said`."""
    return int(db.execute(_SAID, {"player": mail.player_id, "id": mail.id, "since": since}).scalar_one())


def count_inbound_unreadable(db: Connection, player: UUID, since: datetime) -> int:
    """Return how many mails received from a player since a moment have the outcome `unreadable`."""
    return int(db.execute(_UNREADABLE, {"player": player, "since": since}).scalar_one())


def count_inbound_answers(
    db: Connection, mail: InboundMail, now: datetime, unread: Sequence[str], but: Sequence[str]
) -> AnswerCounts:
    """Return how many other mails of the same player were answered lately, except outcomes in `but`.

    `unread` are the outcomes of mails that were not read. Take an advisory lock on the player's count for the
    transaction.
    """
    db.execute(_ALONE, {"player": mail.player_id})
    whose = {"player": mail.player_id, "game": mail.game_id, "id": mail.id}
    since = {"hour": now - timedelta(hours=1), "day": now - timedelta(days=1)}
    row = db.execute(_ANSWERED, {**whose, **since, "unread": list(unread), "but": list(but)}).mappings().one()
    return AnswerCounts(**row)
