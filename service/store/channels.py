"""Channels and the messages to them: which a mail is accompanied by, what is due, and what has become of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from msgspec.json import encode
from sqlalchemy import Connection, text

from service.channels.kinds import MessageKind
from service.log.ids import new_id
from service.store.outbox import OutboxRow

TRIAL: Final = "trial"
"""The message by which a channel is tried."""
Cause = Literal["gone", "failing"]

_BESIDE = """
select c.id, :message = any(c.instead) as replaces, o.state, m.created_at
  from channel c left join channel_message m on m.channel_id = c.id and m.mail_id = :mail
       left join outbox o on o.id = m.outbox_id
 where c.state = 'active' and :message = any(c.messages) and c.player_id in {player}
   and not exists (select from player b where b.id = c.player_id and b.blocked is not null) order by c.id
"""
_PLAYER = "(cast(:player as uuid))"
_SEATED = "(select player_id from seat where game_id = :game and seat = :seat)"
_INVITED = """(select coalesce(i.player_id, p.id) from invitation i
    left join player p on p.email_verified and lower(p.email) = i.email where i.id = cast(:invitation as uuid))"""
_WHOM = (("player", _PLAYER), ("seat", _SEATED), ("invitation", _INVITED))
_OF = {name: text(_BESIDE.format(player=player)) for name, player in _WHOM}
_ADD = text("""
with told as (
  insert into outbox (dedupe_key, kind, game_id, payload)
  select :key, 'channel', :game, cast(:payload as jsonb)
  on conflict (dedupe_key) do nothing returning id
)
insert into channel_message (id, channel_id, outbox_id, mail_id, replaces, message, created_at)
select :id, :channel, told.id, :mail, :replaces, :message, clock_timestamp() from told
""")
_WITHDRAW = text("""
update outbox set state = 'skipped', done_at = clock_timestamp()
 where state = 'pending' and id in (select outbox_id from channel_message where mail_id = :mail and replaces)
""")
_DUE = text("""
select c.id as channel, c.player_id as player, c.state, p.language, s.sealed, m.message, m.replaces, o.game_id as game,
       o.payload, o.attempts
  from outbox o join channel_message m on m.outbox_id = o.id join channel c on c.id = m.channel_id
  join channel_secret s on s.channel_id = c.id join player p on p.id = c.player_id
 where o.id = :row and o.state = 'pending'
""")
_TAKEN = text("""
update channel set state = 'active', cause = null, failures = 0, tried_at = :now, code = :code, error = null
 where id = :id
""")
_TRIED = text("update channel set tried_at = :now, code = :code, error = :error where id = :id")
_FAILED = text("""
update channel set failures = failures + 1,
       state = case when failures + 1 >= :most then 'silenced' else state end,
       cause = case when failures + 1 >= :most then 'failing' else cause end where id = :id
""")
_SILENCE = text("update channel set state = 'silenced', cause = :cause where id = :id")
# Only a mail that waits for this message: one that is put off for another reason stays so.
_WAKE = text("""
update outbox set not_before = clock_timestamp() where state = 'pending'
   and id = (select mail_id from channel_message where outbox_id = :row and replaces)
""")
_WAKE_ALL = text("""
update outbox set not_before = clock_timestamp() where state = 'pending'
   and id in (select mail_id from channel_message where channel_id = :channel and replaces)
""")


@dataclass(frozen=True, slots=True)
class Beside:
    """A channel that a message goes to beside a mail, or instead of it if it `replaces` it.

    `state` is that of the message's row in the outbox, None if it has not been written; `since` is when it was.
    """

    channel: UUID
    replaces: bool
    state: str | None
    since: datetime | None


@dataclass(frozen=True, slots=True)
class DueMessage:
    """A message that is to be sent, as attempt number `attempts`; `payload` is that of its mail."""

    channel: UUID
    player: UUID
    state: str
    language: str
    sealed: bytes
    message: str
    replaces: bool
    game: UUID | None
    payload: dict[str, Any]
    attempts: int


def beside(db: Connection, mail: OutboxRow, message: MessageKind) -> list[Beside]:
    """Return the channels that the player of a mail wants this kind of message on, and how far each message is."""
    named = next((name for name, _ in _WHOM if name in mail.payload), None)
    if named is None:
        return []
    values = {"message": message, "mail": mail.id, "game": mail.game_id, named: mail.payload[named]}
    rows: Sequence[Any] = db.execute(_OF[named], values).all()
    return [Beside(*row) for row in rows]


def add(db: Connection, mail: OutboxRow, message: MessageKind, wanted: Sequence[Beside]) -> None:
    """Write the messages beside a mail, each with its row in the outbox; once for each channel."""
    for each in wanted:
        values = {"game": mail.game_id, "mail": mail.id, "message": message, "replaces": each.replaces}
        _add(db, each.channel, f"channel:{mail.id}:{each.channel}", dict(mail.payload), values)


def add_trial(db: Connection, channel: UUID) -> UUID:
    """Write the message that tries a channel, and return its id."""
    trial = new_id()
    values = {"game": None, "mail": None, "message": TRIAL, "replaces": False}
    _add(db, channel, f"channel:{trial}", {}, values)
    return trial


def withdraw(db: Connection, mail: int) -> None:
    """Let the messages that should have replaced a mail not be sent any more: the mail goes out."""
    db.execute(_WITHDRAW, {"mail": mail})


def due(db: Connection, row_id: int) -> DueMessage | None:
    """Return the message of a pending outbox row; None if its channel is no more."""
    row: Any = db.execute(_DUE, {"row": row_id}).one_or_none()
    return None if row is None else DueMessage(*row)


def taken(db: Connection, channel: UUID, code: int | None, now: datetime) -> None:
    """Note that a channel has taken a message: it works."""
    db.execute(_TAKEN, {"id": channel, "code": code, "now": now})


def tried(db: Connection, channel: UUID, code: int | None, error: str | None, now: datetime) -> None:
    """Note that a channel has not taken a message at this attempt."""
    db.execute(_TRIED, {"id": channel, "code": code, "error": error, "now": now})


def failed(db: Connection, channel: UUID, most: int) -> None:
    """Note that a message was given up; after so many in a row the channel is silenced."""
    db.execute(_FAILED, {"id": channel, "most": most})


def silence(db: Connection, channel: UUID, cause: Cause) -> None:
    """Send a channel no more messages until its player has it tried again."""
    db.execute(_SILENCE, {"id": channel, "cause": cause})


def wake_mail(db: Connection, row_id: int) -> None:
    """Have the mail decided on now that waits for the message of an outbox row, if one does."""
    db.execute(_WAKE, {"row": row_id})


def wake_mails_of(db: Connection, channel: UUID) -> None:
    """Have all mails decided on now that wait for messages to a channel."""
    db.execute(_WAKE_ALL, {"channel": channel})


def _add(db: Connection, channel: UUID, key: str, payload: dict[str, Any], values: dict[str, Any]) -> None:
    written = {"id": new_id(), "channel": channel, "key": key, "payload": encode(payload).decode()}
    db.execute(_ADD, {**written, **values})
