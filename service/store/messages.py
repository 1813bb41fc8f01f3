"""Messages to channels and webhooks: recipients, messages due, and their outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from msgspec import Raw
from msgspec.json import encode
from sqlalchemy import Connection, text

from service.log.ids import new_id
from service.messages.channels import MessageKind
from service.store import events
from service.store.outbox import OutboxRow

# Channels: messages that accompany mails, messages due, and their outcomes.

TRIAL_MESSAGE: Final = "trial"
"""Kind of the message that tests a channel."""
MessageCause = Literal["gone", "failing"]

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
# Wake only a mail that waits for this message; a mail postponed for another reason stays so.
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
    """Channel for a message beside a mail, or instead of the mail if the message `replaces` it.

    `state` is that of the message's row in the outbox, None before it is written; `since` is when it was written.
    """

    channel: UUID
    replaces: bool
    state: str | None
    since: datetime | None


@dataclass(frozen=True, slots=True)
class DueMessage:
    """Message to be sent, as attempt number `attempts`; `payload` is that of its mail."""

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


def messages_beside(db: Connection, mail: OutboxRow, message: MessageKind) -> list[Beside]:
    """Return the channels on which the player of a mail wants this kind of message, with each message's state."""
    named = next((name for name, _ in _WHOM if name in mail.payload), None)
    if named is None:
        return []
    values = {"message": message, "mail": mail.id, "game": mail.game_id, named: mail.payload[named]}
    rows: Sequence[Any] = db.execute(_OF[named], values).all()
    return [Beside(*row) for row in rows]


def add_message(db: Connection, mail: OutboxRow, message: MessageKind, wanted: Sequence[Beside]) -> None:
    """Write the messages beside a mail, each with its row in the outbox; once for each channel."""
    for each in wanted:
        values = {"game": mail.game_id, "mail": mail.id, "message": message, "replaces": each.replaces}
        _add(db, each.channel, f"channel:{mail.id}:{each.channel}", dict(mail.payload), values)


def add_trial_message(db: Connection, channel: UUID) -> UUID:
    """Write the message that tests a channel, and return its id."""
    trial = new_id()
    values = {"game": None, "mail": None, "message": TRIAL_MESSAGE, "replaces": False}
    _add(db, channel, f"channel:{trial}", {}, values)
    return trial


def withdraw_messages(db: Connection, mail: int) -> None:
    """Skip the pending messages that should have replaced a mail: the mail is sent."""
    db.execute(_WITHDRAW, {"mail": mail})


def due_message(db: Connection, row_id: int) -> DueMessage | None:
    """Return the message of a pending outbox row; None if its channel was deleted."""
    row: Any = db.execute(_DUE, {"row": row_id}).one_or_none()
    return None if row is None else DueMessage(*row)


def note_message_taken(db: Connection, channel: UUID, code: int | None, now: datetime) -> None:
    """Note that a channel has taken a message, and mark the channel active."""
    db.execute(_TAKEN, {"id": channel, "code": code, "now": now})


def note_message_tried(db: Connection, channel: UUID, code: int | None, error: str | None, now: datetime) -> None:
    """Note that a channel has not taken a message at this attempt."""
    db.execute(_TRIED, {"id": channel, "code": code, "error": error, "now": now})


def note_message_failed(db: Connection, channel: UUID, most: int) -> None:
    """Note that a message was given up; after `most` in a row silence the channel."""
    db.execute(_FAILED, {"id": channel, "most": most})


def silence_channel(db: Connection, channel: UUID, cause: MessageCause) -> None:
    """Silence a channel until its player has it tested again."""
    db.execute(_SILENCE, {"id": channel, "cause": cause})


def wake_mail(db: Connection, row_id: int) -> None:
    """Make the mail that waits for the message of an outbox row due now."""
    db.execute(_WAKE, {"row": row_id})


def wake_mails_of(db: Connection, channel: UUID) -> None:
    """Make all mails that wait for messages to a channel due now."""
    db.execute(_WAKE_ALL, {"channel": channel})


def _add(db: Connection, channel: UUID, key: str, payload: dict[str, Any], values: dict[str, Any]) -> None:
    written = {"id": new_id(), "channel": channel, "key": key, "payload": encode(payload).decode()}
    db.execute(_ADD, {**written, **values})


# Outgoing webhooks: webhooks of a game, and the messages with their outbox rows.

# The webhook of a table is its host's, and silent when another player has become the host.
_CONCERNED = text("""
select w.id, w.events, s.seat, w.game_id is not null as whole_table from webhook w
  join game g on g.id = w.game_id and g.host = w.player_id
  left join seat s on s.game_id = :game and s.player_id = w.player_id
 where w.active and w.game_id = :game
   and not exists (select from player p where p.id = w.player_id and p.blocked is not null)
union all
select w.id, w.events, s.seat, false from seat s join webhook w on w.player_id = s.player_id
 where s.game_id = :game and w.game_id is null and w.active
   and not exists (select from player p where p.id = w.player_id and p.blocked is not null)
""")

# The messages come as one JSON text; `->` returns the exact text of a body.
_ADD_WEBHOOKS = text("""
with message as (
  select (it ->> 0)::uuid as id, (it ->> 1)::uuid as webhook_id, it ->> 2 as type, it -> 3 as body
  from json_array_elements(cast(:messages as json)) as each(it)
), told as (
  insert into outbox (dedupe_key, kind, game_id, payload)
  select 'webhook:' || id, 'webhook', :game, '{}' from message order by id
  returning id, dedupe_key
)
insert into webhook_delivery (id, webhook_id, outbox_id, type, body, created_at)
select message.id, message.webhook_id, told.id, message.type, message.body, :at
from message join told on told.dedupe_key = 'webhook:' || message.id
""")
_DUE_WEBHOOKS = text("""
select d.id, d.webhook_id, w.url, w.active, d.body::text as body, o.attempts,
       array(select s.sealed from webhook_secret s
             where s.webhook_id = w.id and (s.expires_at is null or s.expires_at > :now) order by s.id desc) as sealed
from outbox o join webhook_delivery d on d.outbox_id = o.id join webhook w on w.id = d.webhook_id
where o.id = :row and o.state = 'pending'
""")
_TRIED_WEBHOOKS = text(
    "update webhook_delivery set tried_at = :now, code = :code, ms = :ms, error = :error where id = :id"
)
_WELL = text("update webhook set failing_since = null where id = :id and failing_since is not null")
_ILL = text("""
update webhook set failing_since = coalesce(failing_since, :now),
       active = active and coalesce(failing_since, :now) > :patience,
       disabled = case when active and coalesce(failing_since, :now) <= :patience then 'failing' else disabled end
 where id = :id
""")
_GONE = text("update webhook set active = false, disabled = 'gone' where id = :id")


@dataclass(frozen=True, slots=True)
class ConcernedWebhook:
    """Webhook that listens to a game, and its player's seat there; None for that of a whole table."""

    id: UUID
    events: Sequence[str]
    seat: int | None
    whole_table: bool


@dataclass(frozen=True, slots=True)
class OutgoingWebhook:
    """Message to a webhook, with the id that it keeps in every attempt."""

    id: UUID
    webhook_id: UUID
    type: str
    body: str


@dataclass(frozen=True, slots=True)
class DueWebhook:
    """Message to be delivered, as attempt number `attempts`; `sealed` are the secrets, the newest first."""

    id: UUID
    webhook_id: UUID
    url: str
    active: bool
    body: str
    attempts: int
    sealed: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class WebhookTried:
    """Result of an attempt: the status of the answer or the error, and the duration in milliseconds."""

    at: datetime
    code: int | None
    ms: int
    error: str | None


def webhooks_concerned(db: Connection, game: UUID) -> list[ConcernedWebhook]:
    """Return the active webhooks of a game and of its seated players."""
    return [
        ConcernedWebhook(row.id, row.events, None if row.whole_table else row.seat, row.whole_table)
        for row in db.execute(_CONCERNED, {"game": game})
    ]


def webhook_moment(db: Connection, game: UUID, version: int) -> datetime:
    """Return when the game reached the version."""
    return events.moment(db, game, version)


def add_webhook_message(db: Connection, game: UUID | None, messages: Sequence[OutgoingWebhook], at: datetime) -> None:
    """Write messages, and an outbox row for each."""
    if messages:
        listed = encode([(each.id, each.webhook_id, each.type, Raw(each.body)) for each in messages]).decode()
        db.execute(_ADD_WEBHOOKS, {"messages": listed, "game": game, "at": at})


def due_webhook(db: Connection, row_id: int, now: datetime) -> DueWebhook | None:
    """Return the message of a pending outbox row, with the secrets that sign now; None if its webhook was deleted."""
    row: Any = db.execute(_DUE_WEBHOOKS, {"row": row_id, "now": now}).one_or_none()
    return None if row is None else DueWebhook(*row)


def note_webhook_tried(db: Connection, message: UUID, result: WebhookTried) -> None:
    """Store the result of the last attempt."""
    noted: Mapping[str, Any] = {"now": result.at, "code": result.code, "ms": result.ms, "error": result.error}
    db.execute(_TRIED_WEBHOOKS, {"id": message, **noted})


def note_webhook_health(
    db: Connection, webhook: UUID, health: Literal["well", "ill"], now: datetime, since: datetime
) -> None:
    """Note whether the webhook answers; disable a webhook that has failed ever since `since`."""
    if health == "well":
        db.execute(_WELL, {"id": webhook})
    else:
        db.execute(_ILL, {"id": webhook, "now": now, "patience": since})


def disable_webhook(db: Connection, webhook: UUID) -> None:
    """Disable a webhook whose address is gone."""
    db.execute(_GONE, {"id": webhook})
