"""Log of games: read events, and append them by one statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from msgspec import Raw, Struct
from msgspec.json import encode as to_json
from sqlalchemy import Connection, text

from service.log.chain import chain_key
from service.log.codec import Codec
from service.log.recorded import Recorded
from service.record.record import LoggedRow
from service.shared import clock
from service.shared.lru import LRU
from service.store.database_clock import AS_MEASURED, measure
from service.store.engine import all_rows, first_row
from service.store.fast_path import STAMP, Precondition
from service.store.game_row import OPEN_GAME, Opened, UnknownGame, decoded
from service.store.idempotency import IdempotentRequest
from service.store.outbox import Notice, carrying
from service.store.proof import archived_log

# Look the known head up once a statement. Return no row if the log has another head.
_KNOWN = """
game_id = %(game)s and seq > %(after)s and seq <= %(until)s and (%(head)s::bytea is null or %(head)s::bytea = (
  select head from event where game_id = %(game)s and seq <= %(after)s and head is not null order by seq desc limit 1))
"""
_FACTS = f"select name, data::text from event where {_KNOWN} order by seq"  # noqa: S608 - constants
_COLUMNS = "select seq, name, data::text as data, seat, door, decision, action, at from event"
_ROWS = """
select seq, name, data::text as data, seat, door, decision, action,
       greatest('1000-01-01Z', least('9000-01-01Z', at)) as at, head
  from event where game_id = %s and seq <= %s order by seq
"""
_HEADS = "select seq, head from event where game_id = %s and seq <= %s and head is not null order by seq"
_HEAD_AT = "select head from event where game_id = %s and seq <= %s and head is not null order by seq desc limit 1"
_MOMENT = "select at from event where game_id = %s and seq = %s"
_READ = f"{_COLUMNS} where {_KNOWN} order by seq"
_READ_ON = f"""
select 0 as seq, null, ({OPEN_GAME}), null, null, null, null, null
 union all {_COLUMNS} where {_KNOWN} order by seq
"""
_ACTED = text("""
select exists (select from event where game_id = :game and seq > :version and seat = :seat and action is not null)
""")
_SINCE = text(f"{_COLUMNS} where game_id = :game and decision >= :decision and seat is not null order by seq")
_LAST_OF = text(
    "select coalesce(max(seq), 0) as seq, exists (select from archived where game_id = :game) as archived from event"
    " where game_id = :game and seq <= :until and seat = :seat and name <> all(cast(:but as text[]))"
)
_NEWEST = 2**31 - 1

# Facts and notices are one JSON text each, because arrays are slow in the driver. A column of type json gets the very
# text of an object, and every event is an object.
# A timer that fires between now and the first deadline stays (store/pace.py), and the notice of a new timer is left
# out: its row would cost more than all the rest of the clock. If such a timer is known, no notice is sent, since
# sending has a cost too; then the timer has to exist. A timer that is overdue may be lost, and does not count.
_TIMED, _UNTIMED = "%(timed)s::text", "%(untimed)s::text"
_APPEND = f"""
with moved as (
  update game set version = %(last)s, status = %(status)s, awaited = %(awaited)s::text::int[], faces = %(faces)s,
                  deadlines = coalesce(%(deadlines)s::text::timestamptz[], deadlines),
                  timer = case when {_UNTIMED} is null or timer between %(at)s and {_UNTIMED}::timestamptz then timer
                               else {_UNTIMED}::timestamptz end,
                  since = case when faces is distinct from %(faces)s then %(at)s else since end, head = %(head)s
  where id = %(game)s and version = %(version)s and (%(known)s::bytea is null or head = %(known)s::bytea)
    and {AS_MEASURED}
    and (%(stamp)s::text is null or {STAMP} = %(stamp)s)
    and (%(ordered)s::text is null or ordered = %(ordered)s::text::int[])
    and ({_TIMED} is null or timer between %(at)s and {_TIMED}::timestamptz)
  returning id, timer
), written as (
  insert into event (game_id, seq, name, data, seat, door, decision, action, at, head)
  select moved.id, %(version)s + fact.n, fact.name, fact.data, %(seat)s, %(door)s, %(decision)s,
         case when fact.n = 1 then %(action)s::json end, %(at)s, case when fact.n = 1 then %(head)s::bytea end
  from moved, json_to_recordset(%(facts)s::json) as fact(n int, name text, data json)
), told as (
  insert into outbox (dedupe_key, kind, game_id, payload, not_before, due_at)
  select notice.dedupe_key, notice.kind, moved.id, notice.payload, due.at, due.at
  from moved, json_to_recordset(%(notices)s::json)
         as notice(dedupe_key text, kind text, payload jsonb, after int, at bigint),
       lateral (select coalesce(to_timestamp(notice.at / 1000.0),
                                clock_timestamp() + make_interval(secs => notice.after)) as at) as due
  where notice.kind <> 'timer' or due.at = moved.timer
  on conflict (dedupe_key) do nothing
)"""  # noqa: S608 - constants
_ANSWERED = """, answered as (
  insert into idempotency (principal, key, request_hash, game_id, first_seq, last_seq)
  select %(principal)s, %(key)s, %(hash)s, moved.id, %(version)s + 1, %(last)s from moved
)"""
_WHETHER = f" select case when {_UNTIMED} is not null then timer end from moved"  # noqa: S608 - constants
_WITHOUT_KEY, _WITH_KEY = _APPEND + _WHETHER, _APPEND + _ANSWERED + _WHETHER


class StaleVersion(Exception):
    """The game's version, orders or timer are not those of the entry, or its precondition no longer holds."""


class ClockOff(StaleVersion):
    """The moment of the append differs from the database's clock; this process's clock has been measured anew."""


class AnotherLog(Exception):
    """The log does not continue from the known head, because the database was set back."""


# Structs, since each action makes one of each: a frozen dataclass takes ten times as long.
class Cause(Struct, frozen=True):
    """Cause of events: the seat that acted (None for the setup), its door, the decision, the action as sent.

    `precondition` has to hold when the events are written.
    """

    seat: int | None
    door: str
    decision: int
    action: Mapping[str, Any] | None = None
    precondition: Precondition | None = None


class Entry(Struct, frozen=True, kw_only=True):
    """Append of one action to the log of a game at `version`; `events` are (stored name, JSON text).

    `awaited` are the seats whose players have to act afterwards; `faces` is their decision. `deadlines` are theirs in
    the same order: empty without a clock, None if they stay as they are. `timed`: the game has a timer between `at`
    and the first deadline, and must still have it at the write. Otherwise the `notices` hold the notice of a timer; a
    game that has a timer ignores the notice. `head` is the head of the game's hash chain after the append, stored with
    the first event. `ordered` are the seats whose orders the notices account for; at the write there must be no other
    orders. None skips that check. `known` is the head at `version`: after a database was set back, another log may
    have the same numbers. None skips that check.
    """

    game: UUID
    version: int
    events: Sequence[tuple[str, str]]
    cause: Cause
    at: datetime
    head: bytes | None
    status: str = "running"
    notices: Sequence[Notice] = ()
    request: IdempotentRequest | None = None
    awaited: Sequence[int] = ()
    deadlines: Sequence[datetime | None] | None = ()
    timed: bool = False
    faces: int = 0
    ordered: Iterable[int] | None = None
    known: bytes | None = None


def append(db: Connection, entry: Entry) -> datetime | None:
    """Write the events, the game's new version and the rest of the entry in one statement.

    Return when the timer fires, if new deadlines were not `timed`. Raise StaleVersion, with nothing written, if the
    game differs from the entry; ClockOff if the clock differs from the database's; and IntegrityError if the key was
    used elsewhere.
    """
    cause, request, precondition = entry.cause, entry.request, entry.cause.precondition
    moments = entry.deadlines
    deadlines = None if moments is None else ["null" if at is None else at.isoformat() for at in moments]
    # ISO texts sort by time, and "null" sorts last.
    first = None if not deadlines or (least := min(deadlines)) == "null" else least
    parameters = {
        "game": entry.game,
        "version": entry.version,
        "last": entry.version + len(entry.events),
        "status": entry.status,
        "facts": _text([{"n": n, "name": name, "data": Raw(data)} for n, (name, data) in enumerate(entry.events, 1)]),
        "seat": cause.seat,
        "door": cause.door,
        "decision": cause.decision,
        "at": entry.at,
        "clock": clock.database(),
        "head": entry.head,
        "known": entry.known,
        "action": None if cause.action is None else _text(cause.action),
        "notices": _text(carrying(entry.notices)),
        "awaited": _array(entry.awaited),
        "deadlines": None if deadlines is None else f"{{{','.join(deadlines)}}}",
        "timed": first if entry.timed else None,
        "untimed": None if entry.timed else first,
        "faces": entry.faces,
        "ordered": None if entry.ordered is None else _array(entry.ordered),
        "token": None if precondition is None else precondition.token,
        "stamp": None if precondition is None else precondition.stamp,
    }
    if request is not None:
        parameters |= {"principal": request.key.principal, "key": request.key.digest, "hash": request.hash}
    row: tuple[datetime | None] | None = first_row(db, _WITHOUT_KEY if request is None else _WITH_KEY, parameters)
    if row is None:
        was_off = measure(db.connection.driver_connection)
        raise (ClockOff if was_off else StaleVersion)(entry.game, entry.version)
    return row[0]


def facts(db: Connection, codec: Codec, game: UUID, after: int, until: int, head: bytes | None = None) -> Iterator[Any]:
    """Yield events `after` + 1 to `until` of a game, without their causes; AnotherLog as `read`."""
    rows = all_rows(db, _FACTS, {"game": game, "after": after, "until": until, "head": head})
    rows = rows or [(row.name, row.data) for row in _archived(db, game, after, until, head)]
    _require_known(head, rows)
    for name, data in rows:
        yield codec.decode(name, data)


def read(
    db: Connection, codec: Codec, game: UUID, after: int = 0, until: int = _NEWEST, head: bytes | None = None
) -> list[Recorded]:
    """Return events `after` + 1 to `until` of a game with their causes.

    `head` is the known head at `after`. Raise AnotherLog if the log has another head there, or no further event.
    """
    found = db.exec_driver_sql(_READ, {"game": game, "after": after, "until": until, "head": head}).all()
    rows = found or _archived(db, game, after, until, head)
    _require_known(head, rows)
    return recorded(codec, rows)


def read_on(db: Connection, codec: Codec, game: UUID, after: int, head: bytes | None) -> tuple[Opened, list[Recorded]]:
    """Return the current row of a game and its log from `after` + 1 on, by one statement; UnknownGame.

    The log is empty if it is archived, or if its head at `after` is not `head`.
    """
    found = all_rows(db, _READ_ON, {"game": game, "after": after, "until": _NEWEST, "head": head})
    row = found[0][2]
    if row is None:
        raise UnknownGame(game)
    return decoded(row), recorded(codec, found[1:])


def rows(db: Connection, game: UUID, until: int = _NEWEST) -> Sequence[LoggedRow]:
    """Return the stored rows of a game's log up to `until`."""
    found = [LoggedRow._make(row) for row in db.exec_driver_sql(_ROWS, (game, until))]
    return found or _archived(db, game, 0, until)


def heads(db: Connection, game: UUID, until: int) -> dict[int, bytes]:
    """Return the heads of a game's hash chain up to an event, by the number of the first event of each append."""
    found: dict[int, bytes] = {row.seq: bytes(row.head) for row in db.exec_driver_sql(_HEADS, (game, until))}
    return found or {row.seq: row.head for row in _archived(db, game, 0, until) if row.head is not None}


def head_at(db: Connection, game: UUID, seq: int) -> bytes | None:
    """Return the head of a game's hash chain after the append of the event; None without a head."""
    found: bytes | None = db.exec_driver_sql(_HEAD_AT, (game, seq)).scalar()
    if found is not None:
        return bytes(found)
    return _last_head(_archived(db, game, 0, seq))


def moment(db: Connection, game: UUID, seq: int) -> datetime:
    """Return the moment of an event; LookupError without such an event."""
    found: datetime | None = db.exec_driver_sql(_MOMENT, (game, seq)).scalar()
    return found or _archived(db, game, seq - 1, seq)[0].at


def has_acted_since(db: Connection, game: UUID, seat: int, version: int) -> bool:
    """Return whether the log has an action of the seat after the version."""
    return bool(db.execute(_ACTED, {"game": game, "seat": seat, "version": version}).scalar_one())


def since_decision(db: Connection, codec: Codec, game: UUID, decision: int) -> list[Recorded]:
    """Return the events that seats caused at the decision and at all later decisions."""
    found = db.execute(_SINCE, {"game": game, "decision": decision}).all()
    if found:
        return recorded(codec, found)
    return recorded(codec, [row for row in _archived(db, game) if row.decision >= decision and row.seat is not None])


def last_of(db: Connection, game: UUID, seat: int, but: Sequence[str], until: int) -> int:
    """Return the number of the seat's last event up to `until`, names in `but` left out; 0 for none."""
    found: Any = db.execute(_LAST_OF, {"game": game, "seat": seat, "but": list(but), "until": until}).one()
    log = _archived(db, game, 0, until) if found.archived else ()
    own = (row.seq for row in log if row.seat == seat and row.name not in but)
    return max(own, default=int(found.seq))


def _archived(
    db: Connection, game: UUID, after: int = 0, until: int = _NEWEST, head: bytes | None = None
) -> list[LoggedRow]:
    """Return a stretch of an archived log; nothing if the game is not archived or the log has another head."""
    log = archived_log(db, game) if after < until else None
    if log is None or (head is not None and _last_head(log[:after]) != head):
        return []
    return list(log[after:until])


def _last_head(log: Sequence[LoggedRow]) -> bytes | None:
    return next((row.head for row in reversed(log) if row.head is not None), None)


def _require_known(head: bytes | None, rows: Sequence[Any]) -> None:
    if head is not None and not rows:
        raise AnotherLog


def _array(numbers: Iterable[int]) -> str:
    return f"{{{','.join(map(str, numbers))}}}"


def _text(value: Any) -> str:
    return to_json(value).decode()


# Rows of several logs by one statement, and the events in rows.

# Each stretch is read along the primary key. A known head has to be that of the log.
_READ_LOGS: Final = """
select wanted.game, e.seq, e.name, e.data, e.seat, e.door, e.decision, e.action, e.at
from json_to_recordset(%(wanted)s::json) as wanted(game uuid, after int, until int, head text)
cross join lateral (
  select seq, name, data::text as data, seat, door, decision, action, at from event
  where game_id = wanted.game and seq > wanted.after and seq <= wanted.until and (
    wanted.head is null or decode(wanted.head, 'hex') = (
      select head from event where game_id = wanted.game and seq <= wanted.after and head is not null
      order by seq desc limit 1))
  order by seq) as e
"""


class LogStretch(NamedTuple):
    """Events `after` + 1 to `until` of a game; with a `head`, only if the log has this head at `after`."""

    game: UUID
    after: int
    until: int
    head: str | None = None


def read_stretches(db: Connection, wanted: Sequence[LogStretch]) -> dict[UUID, list[Any]]:
    """Return the rows of each stretch as `recorded` takes them, by game and in order.

    Leave out logs that are archived or have another head.
    """
    found: dict[UUID, list[Any]] = {}
    asked = to_json([each._asdict() for each in wanted]).decode()
    for game, *row in all_rows(db, _READ_LOGS, {"wanted": asked}) if wanted else ():
        found.setdefault(game, []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: row[0])
    return found


def recorded(codec: Codec, rows: Iterable[Any]) -> list[Recorded]:
    """Decode events from their rows; UnknownEvent."""
    return [
        Recorded(seq, codec.decode(name, data), seat, door, decision, action, at, name)
        for seq, name, data, seat, door, decision, action, at, *_ in rows
    ]


# Keys of hash chains, cached in each process so that an action need not read the seed.

_SEED = "select seed from seed where game_id = %(game)s"


class ChainKeys:
    """LRU cache of chain keys by game; thread-safe."""

    def __init__(self, capacity: int = 4096) -> None:
        self._keys: LRU[int, bytes] = LRU(capacity)

    def of(self, db: Connection, game: UUID) -> bytes:
        """Return the game's key; read the seed on the first call for the game."""
        key = self._keys.get(game.int)
        if key is None:
            ((seed,),) = all_rows(db, _SEED, {"game": game})
            key = chain_key(bytes(seed), str(game))
            self._keys.put(game.int, key)
        return key
