"""Mails that have come in: stored before they are accepted, and answered once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Connection, text

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
class Inbound:
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


def unhandled(db: Connection, game: UUID, player: UUID, until: datetime) -> bool:
    """Return whether a mail of the player about the game was received up to a moment and is still to be read."""
    return bool(db.execute(_UNHANDLED, {"game": game, "player": player, "until": until}).scalar_one())


def keep(db: Connection, mail: StoredMail) -> int | None:
    """Store a mail and return its id, or None if it has come before."""
    values = {name: getattr(mail, name) for name in StoredMail.__slots__}
    kept: int | None = db.execute(_KEEP, values).scalar()
    return kept


def read(db: Connection, mail_id: int) -> Inbound | None:
    """Return a mail, or None if it is no longer kept."""
    row = db.execute(_READ, {"id": mail_id}).mappings().one_or_none()
    return None if row is None else Inbound(**row)


def settle(db: Connection, mail_id: int, outcome: str, answered_at: datetime | None) -> None:
    """Note what came of a mail, and when that was answered, if it was."""
    db.execute(_SETTLE, {"id": mail_id, "outcome": outcome, "at": answered_at})


def said(db: Connection, mail: Inbound, since: datetime) -> int:
    """Return how many earlier mails of the same player that were answered since had something said."""
    return int(db.execute(_SAID, {"player": mail.player_id, "id": mail.id, "since": since}).scalar_one())


def unreadable(db: Connection, player: UUID, since: datetime) -> int:
    """Return how many mails of a player that came since could not be read within the limits."""
    return int(db.execute(_UNREADABLE, {"player": player, "since": since}).scalar_one())


def answered(db: Connection, mail: Inbound, now: datetime, unread: Sequence[str], but: Sequence[str]) -> AnswerCounts:
    """Return how many other mails of the same player were answered of late; those whose outcome is in `but` are not.

    `unread` are the outcomes of mails from which nothing was read. Until the end of the transaction nobody else counts.
    """
    db.execute(_ALONE, {"player": mail.player_id})
    whose = {"player": mail.player_id, "game": mail.game_id, "id": mail.id}
    since = {"hour": now - timedelta(hours=1), "day": now - timedelta(days=1)}
    row = db.execute(_ANSWERED, {**whose, **since, "unread": list(unread), "but": list(but)}).mappings().one()
    return AnswerCounts(**row)
