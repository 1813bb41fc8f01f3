"""The outbox: every effect that has to happen, as a row written together with the events that cause it.

A row is pending until its effect is done (or skipped, because the game moved on; or dead, after too many attempts).
`not_before` is when it may be handed out (again); it doubles as the visibility timeout of a row handed out, and
`handed_out` is how often that has happened since the last attempt. `failures` is how many attempts in a row did not end
in order: each is counted before it is made, so that one whose process is killed counts as one that has raised; several
at once, after the row was handed out once, are one. After MAX_FAILURES the row is dead. An attempt that could not
succeed, because a server was away, does not count.
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
"""Stored as the error of a row whose attempts were never told the end of."""
SERVER_WAIT_S = 5
"""Seconds until an attempt that was in vain is made again."""
HALF_WAY = 600
"""Seconds after which a player who has acted, and has to act again at once, is reminded that the turn goes on."""
TALK = 600
"""Seconds of talk that are told in one mail."""
SETTLED = 30
"""Seconds after which what was said until a moment is committed."""
NO_GAME = UUID(int=0)
"""The game of a row that is about none."""

_ADD = """
insert into outbox (dedupe_key, kind, payload) values (:key, :kind, cast(:payload as jsonb))
on conflict (dedupe_key) do nothing
"""
_ADD_AT = """
insert into outbox (dedupe_key, kind, payload, not_before, due_at)
values (:key, :kind, cast(:payload as jsonb), :at, :at)
on conflict (dedupe_key) do update set not_before = outbox.not_before where outbox.state = 'pending' returning id
"""
# Materialized, or the planner may run the inner query, and so its limit, more than once. With clock_timestamp(), which
# differs from row to row, it would read all rows of the kind that wait, however few are due.
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
# The first row of each kind is at the beginning of its part of the index, however many wait behind it. `extract` would
# take the way through `numeric`, and only where a row waits.
_NEXT = """
select date_part('epoch', min(first.not_before) - clock_timestamp())
  from unnest(%(kinds)s::text[]) as kinds(kind), lateral (
    select not_before from outbox where state = 'pending' and kind = kinds.kind order by not_before limit 1) as first
"""
# Its COMMIT does not wait for the disk: the attempts are counted against rows that kill workers, not PostgreSQL.
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
# The server may be back at any moment: the row does not wait as long as after failures.
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
# The address of a deleted account stays no longer than it is needed.
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
    """An effect to be: its kind, the key that makes it unique for ever, and what the worker needs to know.

    It is due after so many seconds, or `at` an instant, in milliseconds since 1970.
    """

    kind: str
    dedupe_key: str
    payload: Mapping[str, Any]
    after: int = 0
    at: int | None = None


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """An effect that is still to be carried out; `game_id` is NO_GAME where it is about none.

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
    """A row taken out of sight, and how often it was handed out before without anybody having begun to carry it out.

    `failed` if an attempt has failed, or killed its process.
    """

    id: int
    untouched: int
    failed: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a row of a kind; `dead` if it is not to be made, because too many have failed."""

    kind: str
    dead: bool


def carrying(notices: Sequence[Notice]) -> Sequence[Notice]:
    """Return the notices so that their rows go on with the trace of the request or job at hand; as they are if none."""
    context = traces.carried()
    if context is None:
        return notices
    return [replace(each, payload={**each.payload, traces.CONTEXT: context}) for each in notices]


def contexts(db: Connection, row_ids: Sequence[int]) -> Mapping[int, str]:
    """Return the contexts that rows carry, by the ids of those that carry one."""
    found = db.execute(_CONTEXTS, {"ids": row_ids, "key": traces.CONTEXT})
    return {row.id: row.context for row in found if row.context is not None}


def post(db: Connection, game: UUID, notices: Sequence[Notice]) -> int:
    """Write notices that come with no event, and return how many; one whose key is there already is left out."""
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
    """Write a notice that is about no game; one whose key is there already is left out."""
    _add(db, ADD, notice)


def add_at(db: Connection, notice: Notice, at: datetime) -> bool:
    """Have a notice that is about no game, carried out at a moment; False if that has been done already.

    One with its key that is still to be carried out will do, and is not before this transaction ends.
    """
    return _add(db, ADD_AT, notice, at=at).first() is not None


def claim(db: Connection, kind: str, limit: int, hold: int = 5, untouched: int = 0) -> Sequence[Claimed]:
    """Take up to `limit` rows of a kind out of sight until their next turn, and return them as they fell due.

    They are due again after `hold` seconds, twice as long after each attempt that has failed, and after half an hour at
    most.
    Rows that another claimer is taking at the moment are left to it, and those that were handed out in vain less often
    than `untouched` as well.
    """
    values = {"kind": kind, "limit": limit, "hold": hold, "least": untouched}
    rows = sorted(db.execute(CLAIM, values), key=lambda row: (row.due_at, row.id))
    return [Claimed(row.id, row.untouched, row.failures > 0) for row in rows]


def seconds_left(db: Connection, kinds: Sequence[str]) -> float | None:
    """Return in how many seconds the next row of the kinds is due; None if there is none."""
    row = first_row(db, _NEXT, {"kinds": list(kinds)})
    seconds: float | None = None if row is None else row[0]
    return seconds


def waiting(db: Connection, kind: str, most: int) -> int:
    """Return how many rows of a kind are due and not finished, handed out or not; `most` stands for more, too."""
    return int(db.execute(WAITING, {"kind": kind, "most": most}).scalar_one())


def attempt(db: Connection, row_id: int, kinds: Sequence[str]) -> Attempt | None:
    """Count an attempt before it is made, and return it; None if the row is no longer pending.

    A row of another kind than `kinds` is left as it is, and None returned.
    """
    most = {"max": MAX_ATTEMPTS, "failures": MAX_FAILURES, "killed": KILLED}
    row = db.execute(ATTEMPT, {"id": row_id, "kinds": list(kinds), **most}).one_or_none()
    return None if row is None else Attempt(row.kind, row.dead)


def broken(db: Connection, row_id: int, error: str) -> bool:
    """Note that an attempt has raised; return whether the row is dead now. The text must hold nothing hidden."""
    return bool(db.execute(BREAK, {"id": row_id, "error": error, "failures": MAX_FAILURES}).scalar())


def without_server(db: Connection, row_id: int, error: str) -> None:
    """Note that an attempt was in vain, since a server was away or too busy: as if it had not been made."""
    db.execute(WITHOUT_SERVER, {"id": row_id, "error": error, "wait": SERVER_WAIT_S})


def read(db: Connection, row_id: int) -> OutboxRow | None:
    """Return a pending row without locking it; None if it is finished."""
    row = db.execute(READ, {"id": row_id}).one_or_none()
    return None if row is None else _row(row)


def lock(db: Connection, row_id: int) -> OutboxRow | None:
    """Lock a pending row for this transaction; None if it is finished or another transaction holds it."""
    row = db.execute(LOCK, {"id": row_id}).one_or_none()
    return None if row is None else _row(row)


def finish(db: Connection, row_id: int, state: Literal["done", "skipped", "dead"]) -> None:
    """Mark a row as handled: done, skipped because it no longer mattered, or dead because it never can be done."""
    db.execute(FINISH, {"id": row_id, "state": state})


def finish_key(db: Connection, dedupe_key: str) -> None:
    """Mark the row with the key as done, if there is one."""
    db.execute(FINISH_KEY, {"key": dedupe_key})


def forget_key(db: Connection, dedupe_key: str) -> None:
    """Delete the row with the key, if there is one, so that its effect can be asked for again."""
    db.execute(FORGET_KEY, {"key": dedupe_key})


def forget_done(db: Connection, dedupe_keys: Sequence[str]) -> None:
    """Delete the rows with these keys that are handled, so that their effects can be asked for once more."""
    db.execute(FORGET_DONE, {"keys": list(dedupe_keys)})


def fail(db: Connection, row_id: int, error: str) -> None:
    """Note why the last attempt failed; the text must hold nothing hidden."""
    db.execute(FAIL, {"id": row_id, "error": error})


def later(db: Connection, row_id: int, wait: timedelta, most: int = MAX_ATTEMPTS) -> None:
    """Have another attempt made after a time; as if there had been at most so many before."""
    db.execute(LATER, {"id": row_id, "wait": wait, "most": most})


def put_off(db: Connection, row_id: int, at: datetime) -> None:
    """Have the effect happen at a moment of the database's clock: its player wishes so, and nothing has failed."""
    db.execute(PUT_OFF, {"id": row_id, "at": at})


def remember(db: Connection, row_id: int, more: Mapping[str, Any]) -> None:
    """Add to the payload of a row how far its effect has come."""
    db.execute(REMEMBER, {"id": row_id, "more": to_json(more).decode()})


def forget(db: Connection, row_id: int) -> None:
    """Take a pending row away, so that its effect can be asked for again under the same key."""
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
