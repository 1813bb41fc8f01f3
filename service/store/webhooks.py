"""Webhooks on their way out: whom a game's notice concerns, and the messages with their outbox rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import Raw
from msgspec.json import encode
from sqlalchemy import Connection, text

from service.store import events

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

# The messages come as one JSON text; `->` returns the very text of a body.
_ADD = text("""
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
_DUE = text("""
select d.id, d.webhook_id, w.url, w.active, d.body::text as body, o.attempts,
       array(select s.sealed from webhook_secret s
             where s.webhook_id = w.id and (s.expires_at is null or s.expires_at > :now) order by s.id desc) as sealed
from outbox o join webhook_delivery d on d.outbox_id = o.id join webhook w on w.id = d.webhook_id
where o.id = :row and o.state = 'pending'
""")
_TRIED = text("update webhook_delivery set tried_at = :now, code = :code, ms = :ms, error = :error where id = :id")
_WELL = text("update webhook set failing_since = null where id = :id and failing_since is not null")
_ILL = text("""
update webhook set failing_since = coalesce(failing_since, :now),
       active = active and coalesce(failing_since, :now) > :patience,
       disabled = case when active and coalesce(failing_since, :now) <= :patience then 'failing' else disabled end
 where id = :id
""")
_GONE = text("update webhook set active = false, disabled = 'gone' where id = :id")


@dataclass(frozen=True, slots=True)
class Concerned:
    """A webhook that wants to be told of a game, and the seat of its player there; None for that of a whole table."""

    id: UUID
    events: Sequence[str]
    seat: int | None
    whole_table: bool


@dataclass(frozen=True, slots=True)
class OutgoingWebhook:
    """A message to a webhook, with the id that it keeps in every attempt."""

    id: UUID
    webhook_id: UUID
    type: str
    body: str


@dataclass(frozen=True, slots=True)
class DueWebhook:
    """A message that is to be delivered, as attempt number `attempts`; `sealed` are the secrets, the newest first."""

    id: UUID
    webhook_id: UUID
    url: str
    active: bool
    body: str
    attempts: int
    sealed: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of an attempt: the status of the answer, or why there was none, and the milliseconds it took."""

    at: datetime
    code: int | None
    ms: int
    error: str | None


def concerned(db: Connection, game: UUID) -> list[Concerned]:
    """Return the active webhooks of a game and of those who sit in it."""
    return [
        Concerned(row.id, row.events, None if row.whole_table else row.seat, row.whole_table)
        for row in db.execute(_CONCERNED, {"game": game})
    ]


def moment(db: Connection, game: UUID, version: int) -> datetime:
    """Return when the game came to the version."""
    return events.moment(db, game, version)


def add(db: Connection, game: UUID | None, messages: Sequence[OutgoingWebhook], at: datetime) -> None:
    """Write messages, and an outbox row for each."""
    if messages:
        listed = encode([(each.id, each.webhook_id, each.type, Raw(each.body)) for each in messages]).decode()
        db.execute(_ADD, {"messages": listed, "game": game, "at": at})


def due(db: Connection, row_id: int, now: datetime) -> DueWebhook | None:
    """Return the message of a pending outbox row, with the secrets that sign now; None if its webhook is no more."""
    row: Any = db.execute(_DUE, {"row": row_id, "now": now}).one_or_none()
    return None if row is None else DueWebhook(*row)


def tried(db: Connection, message: UUID, result: Tried) -> None:
    """Note what came of the last attempt."""
    noted: Mapping[str, Any] = {"now": result.at, "code": result.code, "ms": result.ms, "error": result.error}
    db.execute(_TRIED, {"id": message, **noted})


def note_health(db: Connection, webhook: UUID, health: Literal["well", "ill"], now: datetime, since: datetime) -> None:
    """Note whether the webhook answers; one that has failed ever since `since` is switched off."""
    if health == "well":
        db.execute(_WELL, {"id": webhook})
    else:
        db.execute(_ILL, {"id": webhook, "now": now, "patience": since})


def gone(db: Connection, webhook: UUID) -> None:
    """Switch a webhook off whose address says that nobody is there any more."""
    db.execute(_GONE, {"id": webhook})
