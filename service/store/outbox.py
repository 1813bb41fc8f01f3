"""Outbox: a row for every effect, written together with the events that cause the effect.

A row is pending until its effect is done, skipped (the game moved on) or dead (too many attempts). `not_before` is when
the row may be handed out; while the row is handed out, `not_before` is its visibility timeout. `handed_out` counts the
hand-outs since the last attempt. `failures` counts attempts in a row that did not end in order. An attempt is counted
before it is made, so that an attempt whose process is killed counts as one that raised. Several at once, after one
hand-out, count as one. After MAX_FAILURES the row is dead. An attempt that failed because a server was down does not
count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct
from msgspec.json import encode as to_json
from msgspec.structs import replace
from sqlalchemy import Connection, CursorResult, TextClause, text

from service.shared import traces
from service.store.engine import first_row

MAX_ATTEMPTS = 12
MAX_FAILURES = 3
KILLED = "its process was killed, or ended"
"""Error stored with a row whose attempts never reported an end."""
SERVER_WAIT_S = 5
"""Seconds until a retry after an attempt that failed because a server was down."""
HALF_WAY = 600
"""Seconds after which a player who has acted, and has to act again at once, is reminded of the turn."""
TALK = 600
"""Seconds of talk told in one mail."""
SETTLED = 30
"""Seconds after which all talk of an earlier moment is committed."""
NO_GAME = UUID(int=0)
"""Game id of a row that is about no game."""

_ADD = """
insert into outbox (dedupe_key, kind, payload) values (:key, :kind, cast(:payload as jsonb))
on conflict (dedupe_key) do nothing
"""
_ADD_AT = """
insert into outbox (dedupe_key, kind, payload, not_before, due_at)
values (:key, :kind, cast(:payload as jsonb), :at, :at)
on conflict (dedupe_key) do update set not_before = outbox.not_before where outbox.state = 'pending' returning id
"""
# Materialize, or the planner may run the inner query, and so its limit, more than once. clock_timestamp() differs from
# row to row: the query would read all waiting rows of the kind, however few are due.
_DUE = """
with due as materialized (
  select id, due_at from outbox where state = 'pending' and kind = :kind and not_before <= now()
     and handed_out >= :least
   order by not_before, id limit :limit for update skip locked
)
update outbox set handed_out = handed_out + 1, not_before = clock_timestamp()
       + least(interval '1 s' * :hold * 2 ^ least(failures, 9), interval '30 min')
  from due where outbox.id = due.id
returning outbox.id, handed_out - 1 as untouched, failures, due.due_at
"""
# The index has the first row of each kind at the start of its part, however many wait behind. `extract` would go
# through `numeric`, and only where a row waits.
_NEXT = """
select date_part('epoch', min(first.not_before) - clock_timestamp())
  from unnest(%(kinds)s::text[]) as kinds(kind), lateral (
    select not_before from outbox where state = 'pending' and kind = kinds.kind order by not_before limit 1) as first
"""
# COMMIT does not wait for the disk: attempts are counted against rows that kill workers, not against PostgreSQL
# crashes.
_ATTEMPT = """
update outbox set attempts = attempts + 1, failures = failures + least(handed_out, 1), handed_out = 0,
       state = case when attempts >= :max or (failures >= :failures and handed_out > 0) then 'dead' else state end,
       last_error = case when failures >= :failures and handed_out > 0 then :killed else last_error end
 where id = :id and state = 'pending' and kind = any(:kinds)
returning kind, state = 'dead' as dead, set_config('synchronous_commit', 'off', true)
"""
_BREAK = """
update outbox set last_error = :error, state = case when failures >= :failures then 'dead' else state end
 where id = :id and state = 'pending' returning state = 'dead' as dead
"""
# The server may be back at any moment, so the wait is shorter than after failures.
_WITHOUT_SERVER = """
update outbox set last_error = :error, attempts = greatest(attempts - 1, 0), failures = greatest(failures - 1, 0),
       not_before = greatest(not_before, clock_timestamp() + make_interval(secs => :wait))
 where id = :id and state = 'pending'
"""
_READ = (
    "select id, kind, dedupe_key, game_id, payload, attempts, added_at, clock_timestamp() as read_at, last_error"
    " from outbox"
    " where id = :id and state = 'pending'"
)
_WAITING = """
select count(*) from (
  select from outbox where state = 'pending' and kind = :kind and due_at <= clock_timestamp() limit :most) as waiting
"""
# Remove the address of a deleted account as soon as possible.
_FINISH = """
update outbox set state = :state, done_at = clock_timestamp(), payload = payload - 'farewell'
 where id = :id and state = 'pending'
"""
_FINISH_KEY = (
    "update outbox set state = 'done', done_at = clock_timestamp() where dedupe_key = :key and state = 'pending'"
)
_POST = """
insert into outbox (dedupe_key, kind, game_id, payload, not_before, due_at)
select :key, :kind, :game, cast(:payload as jsonb), due.at, due.at
  from (select coalesce(to_timestamp(cast(:at as bigint) / 1000.0),
                        clock_timestamp() + make_interval(secs => :after)) as at) as due
on conflict (dedupe_key) do nothing
"""
_FORGET_DONE = "delete from outbox where dedupe_key = any(:keys) and state <> 'pending'"
_FAIL = "update outbox set last_error = :error where id = :id"
_LATER = """
update outbox set not_before = clock_timestamp() + :wait, attempts = least(attempts, :most), failures = 0
 where id = :id and state = 'pending'
"""
_PUT_OFF = """
update outbox set not_before = :at, due_at = :at, attempts = 0, failures = 0 where id = :id and state = 'pending'
"""
_REMEMBER = "update outbox set payload = payload || cast(:more as jsonb) where id = :id"
_FORGET = "delete from outbox where id = :id and state = 'pending'"
_FORGET_KEY = "delete from outbox where dedupe_key = :key"

ADD, CLAIM, ATTEMPT, FINISH, FINISH_KEY, FAIL = map(text, (_ADD, _DUE, _ATTEMPT, _FINISH, _FINISH_KEY, _FAIL))
POST, LATER, PUT_OFF, ADD_AT, FORGET = map(text, (_POST, _LATER, _PUT_OFF, _ADD_AT, _FORGET))
FORGET_DONE, FORGET_KEY, WAITING = map(text, (_FORGET_DONE, _FORGET_KEY, _WAITING))
BREAK, WITHOUT_SERVER, REMEMBER = map(text, (_BREAK, _WITHOUT_SERVER, _REMEMBER))
_CONTEXTS = text("select id, payload ->> :key as context from outbox where id = any(:ids)")
READ, LOCK = text(_READ), text(f"{_READ} for update skip locked")


# A Struct, as in store/events.py: each action makes some.
class Notice(Struct, frozen=True):
    """Effect to be carried out: its kind, its unique key, and the payload for the worker.

    The effect is due `after` so many seconds, or `at` a moment, in milliseconds since 1970.
    """

    kind: str
    dedupe_key: str
    payload: Mapping[str, Any]
    after: int = 0
    at: int | None = None


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """Pending effect; `game_id` is NO_GAME for an effect that is about no game.

    `read_at` is when the row was read. Both moments are by the database's clock, since a worker's may be wrong.
    """

    id: int
    kind: str
    dedupe_key: str
    game_id: UUID
    payload: Mapping[str, Any]
    attempts: int
    added_at: datetime
    read_at: datetime
    last_error: str | None = None


@dataclass(frozen=True, slots=True)
class Claimed:
    """Row that was handed out; `untouched` counts earlier hand-outs after which no worker began.

    `failed` if an attempt has raised, or its process was killed.
    """

    id: int
    untouched: int
    failed: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """Attempt at a row of a kind; `dead` if too many have failed, and the attempt must not be made."""

    kind: str
    dead: bool


def carrying(notices: Sequence[Notice]) -> Sequence[Notice]:
    """Add the trace of the current request or job to the notices, if there is a trace."""
    context = traces.carried()
    if context is None:
        return notices
    return [replace(each, payload={**each.payload, traces.CONTEXT: context}) for each in notices]


def contexts(db: Connection, row_ids: Sequence[int]) -> Mapping[int, str]:
    """Return the trace contexts of rows by row id; rows without a context are left out."""
    found = db.execute(_CONTEXTS, {"ids": row_ids, "key": traces.CONTEXT})
    return {row.id: row.context for row in found if row.context is not None}


def post(db: Connection, game: UUID, notices: Sequence[Notice]) -> int:
    """Write notices without an event, except those whose key exists; return the number written."""
    written = 0
    for notice in carrying(notices):
        values = {
            "key": notice.dedupe_key,
            "kind": notice.kind,
            "game": game,
            "payload": to_json(notice.payload).decode(),
            "after": notice.after,
            "at": notice.at,
        }
        written += db.execute(POST, values).rowcount
    return written


def add(db: Connection, notice: Notice) -> None:
    """Write a notice that is about no game, unless its key exists."""
    _add(db, ADD, notice)


def add_at(db: Connection, notice: Notice, at: datetime) -> bool:
    """Schedule a notice that is about no game; False if its effect is no longer pending.

    A pending row with its key is kept as it is, and stays locked until the transaction ends.
    """
    return _add(db, ADD_AT, notice, at=at).first() is not None


def claim(db: Connection, kind: str, limit: int, hold: int = 5, untouched: int = 0) -> Sequence[Claimed]:
    """Hand out up to `limit` due rows of a kind, in the order of their `due_at`.

    They are due again after `hold` seconds, twice as long after each failed attempt, and after half an hour at most.
    Skip rows locked by another claimer, and those handed out in vain fewer than `untouched` times.
    """
    values = {"kind": kind, "limit": limit, "hold": hold, "least": untouched}
    rows = sorted(db.execute(CLAIM, values), key=lambda row: (row.due_at, row.id))
    return [Claimed(row.id, row.untouched, row.failures > 0) for row in rows]


def seconds_left(db: Connection, kinds: Sequence[str]) -> float | None:
    """Return the seconds until the next row of the kinds is due; None without a row."""
    row = first_row(db, _NEXT, {"kinds": list(kinds)})
    seconds: float | None = None if row is None else row[0]
    return seconds


def waiting(db: Connection, kind: str, most: int) -> int:
    """Return the number of pending rows of a kind that are due, handed out or not, counting up to `most`."""
    return int(db.execute(WAITING, {"kind": kind, "most": most}).scalar_one())


def attempt(db: Connection, row_id: int, kinds: Sequence[str]) -> Attempt | None:
    """Count an attempt before it is made; None if the row is no longer pending.

    A row of another kind than `kinds` is not changed, and None returned.
    """
    most = {"max": MAX_ATTEMPTS, "failures": MAX_FAILURES, "killed": KILLED}
    row = db.execute(ATTEMPT, {"id": row_id, "kinds": list(kinds), **most}).one_or_none()
    return None if row is None else Attempt(row.kind, row.dead)


def broken(db: Connection, row_id: int, error: str) -> bool:
    """Note that an attempt raised, and return whether the row is dead now; `error` must hold nothing hidden."""
    return bool(db.execute(BREAK, {"id": row_id, "error": error, "failures": MAX_FAILURES}).scalar())


def without_server(db: Connection, row_id: int, error: str) -> None:
    """Note that an attempt failed because a server was down or busy; the attempt does not count."""
    db.execute(WITHOUT_SERVER, {"id": row_id, "error": error, "wait": SERVER_WAIT_S})


def read(db: Connection, row_id: int) -> OutboxRow | None:
    """Return a pending row without locking it; None if it is finished."""
    row = db.execute(READ, {"id": row_id}).one_or_none()
    return None if row is None else _row(row)


def lock(db: Connection, row_id: int) -> OutboxRow | None:
    """Lock a pending row for this transaction; None if it is finished or locked elsewhere."""
    row = db.execute(LOCK, {"id": row_id}).one_or_none()
    return None if row is None else _row(row)


def finish(db: Connection, row_id: int, state: Literal["done", "skipped", "dead"]) -> None:
    """Mark a row as done, skipped because it no longer mattered, or dead because it can never be done."""
    db.execute(FINISH, {"id": row_id, "state": state})


def finish_key(db: Connection, dedupe_key: str) -> None:
    """Mark the row with the key as done, if it is pending."""
    db.execute(FINISH_KEY, {"key": dedupe_key})


def forget_key(db: Connection, dedupe_key: str) -> None:
    """Delete the row with the key, so that its effect can be requested again."""
    db.execute(FORGET_KEY, {"key": dedupe_key})


def forget_done(db: Connection, dedupe_keys: Sequence[str]) -> None:
    """Delete the finished rows with these keys, so that their effects can be requested again."""
    db.execute(FORGET_DONE, {"keys": list(dedupe_keys)})


def fail(db: Connection, row_id: int, error: str) -> None:
    """Note why the last attempt failed; the text must hold nothing hidden."""
    db.execute(FAIL, {"id": row_id, "error": error})


def later(db: Connection, row_id: int, wait: timedelta, most: int = MAX_ATTEMPTS) -> None:
    """Schedule another attempt after `wait`, with at most `most` attempts counted before."""
    db.execute(LATER, {"id": row_id, "wait": wait, "most": most})


def put_off(db: Connection, row_id: int, at: datetime) -> None:
    """Postpone the effect to a moment of the database's clock, as its player wishes; no attempt has failed."""
    db.execute(PUT_OFF, {"id": row_id, "at": at})


def remember(db: Connection, row_id: int, more: Mapping[str, Any]) -> None:
    """Add the progress of an effect to the payload of its row."""
    db.execute(REMEMBER, {"id": row_id, "more": to_json(more).decode()})


def forget(db: Connection, row_id: int) -> None:
    """Delete a pending row, so that its effect can be requested again under the same key."""
    db.execute(FORGET, {"id": row_id})


def _add(db: Connection, statement: TextClause, notice: Notice, **more: Any) -> CursorResult[Any]:
    (notice,) = carrying([notice])
    payload = to_json(notice.payload).decode()
    return db.execute(statement, {"key": notice.dedupe_key, "kind": notice.kind, "payload": payload, **more})


def _row(row: Any) -> OutboxRow:
    return OutboxRow(
        row.id,
        row.kind,
        row.dedupe_key,
        row.game_id or NO_GAME,
        row.payload,
        row.attempts,
        row.added_at,
        row.read_at,
        row.last_error,
    )
