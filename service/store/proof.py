"""Seals and their trees, analyses, and archived logs of finished games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import structlog
from msgspec.json import encode as to_json
from sqlalchemy import Connection, Engine, text

from service.archive.archive import Archive, Damaged
from service.record.record import LoggedRow, NoLog, log_of
from service.shared.clock import to_the_millisecond
from service.shared.lru import LRU
from service.shared.refusal import Unavailable
from service.store.fast_path import hand_of

# Seals: one for each game, by keys that succeed each other, and one tree a day over them.

SEAL_GRACE = timedelta(hours=1)
"""Time from a day's end to its root: clocks of several machines may differ."""

_KNOWN = "select until from seal_key where id = %s"
_HELD = "select since, until from seal_key where id = %s for share"
_LAST = """
select greatest((select max(at) from seal), (select max(at) from deal), (select max(since) from seal_key)) as last
"""
# A sealing transaction holds a row of the table: this lock waits for running seals, and later seals wait for the lock.
_ALONE = "lock table seal_key in exclusive mode"
_END_SPAN = "update seal_key set until = %s where until is null"
_BEGIN_SPAN = "insert into seal_key (id, public, since) values (%s, %s, %s)"
_KEYS = "select id, public, since, until from seal_key order by since, id"
_ADD = """
insert into seal (game_id, head, at, key, signature) values (%s, %s, %s, %s, %s) on conflict (game_id) do nothing
"""
_OF = """
select s.head, s.at, s.key, k.public, s.signature from seal s join seal_key k on k.id = s.key where s.game_id = %s
"""
_ON = "select game_id, signature from seal where at >= %s and at < %s order by at, game_id"
# Deals follow the seals, as leaves of the same tree.
_DEALS_ON = "select day, signature from deal where rooted = %s order by day"
_ROOT_DEALS = "update deal set rooted = %s where rooted is null and at < %s"
_BETWEEN = """
select at, game_id from seal s where (at, game_id) > (%s, %s) and at < %s
   and not exists (select from archived where game_id = s.game_id)
order by at, game_id limit %s
"""
# A root is final: one clock that is ahead must not be enough to close a day that has not ended.
_OPEN_DAYS = """
select distinct (at at time zone 'UTC')::date as day
from (select at from seal union all select at from deal where rooted is null) sealed
where at < least(%(before)s, date_trunc('day', clock_timestamp(), 'UTC'))
  and at >= coalesce((select (max(day) + 1)::timestamp at time zone 'UTC' from seal_day), '-infinity')
order by day
"""
# Days are closed in order, so none before a closed day is open. Days are few, and seals are many.
_ROOTLESS = """
select day::date from generate_series(
  (select min(at) at time zone 'UTC' from seal)::date, (select max(day) from seal_day) - 1, interval '1 day') day
where day::date not in (select day from seal_day)
  and exists (select from seal where at >= day at time zone 'UTC' and at < (day + interval '1 day') at time zone 'UTC')
order by day
"""
_CLOSE = "insert into seal_day (day, root, count, at) values (%s, %s, %s, %s) on conflict (day) do nothing"
_SOME_DAYS = """
(select day, root, count as leaves, at from seal_day order by day desc limit %(last)s)
union (select day, root, count, at from seal_day order by random() limit %(others)s) order by day desc
"""
_DAY = "select day, root, count as leaves, at from seal_day where day = %s"
_DAYS = """
select day, root, count as leaves, at from seal_day where %(after)s::date is null or day < %(after)s
order by day desc limit %(limit)s
"""


class KeyEnded(Exception):
    """The key has a successor, and seals no more."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """Key for seals; `until` is None while it is in use."""

    id: str
    public: bytes
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class SealRow:
    """Seal of a game: the signature of the key over the head of the record and the moment."""

    head: bytes
    at: datetime
    key: str
    public: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class DayRow:
    """Closed day of UTC: the root over its seals, and their number."""

    day: date
    root: bytes
    count: int
    at: datetime


def use_key(db: Connection, key_id: str, public: bytes, now: Callable[[], datetime]) -> datetime:
    """Hold the key in use until the end of the transaction, and return the moment for its seals; KeyEnded.

    A new key ends the span of its predecessor. The moment has whole milliseconds. Whatever the clocks of several
    machines say, the moment is within the span of the key, and the predecessor's seals are within its own span.
    """
    if db.exec_driver_sql(_KNOWN, (key_id,)).one_or_none() is None:
        db.exec_driver_sql(_ALONE)
        if db.exec_driver_sql(_KNOWN, (key_id,)).one_or_none() is None:
            # Take the moment while nobody seals: the predecessor has sealed nothing after its end.
            moment, last = now(), db.exec_driver_sql(_LAST).one().last
            moment = to_the_millisecond(moment if last is None else max(moment, last + timedelta(milliseconds=1)))
            db.exec_driver_sql(_END_SPAN, (moment,))
            db.exec_driver_sql(_BEGIN_SPAN, (key_id, public, moment))
    held = db.exec_driver_sql(_HELD, (key_id,)).one()
    if held.until is not None:
        raise KeyEnded(key_id)
    # Old spans, begun by an operator's command, may have no whole milliseconds.
    return max(to_the_millisecond(now()), to_the_millisecond(held.since + timedelta(microseconds=999)))


def seal_keys(db: Connection) -> list[KeyRow]:
    """Return every key ever used, the oldest first."""
    return [KeyRow(row.id, bytes(row.public), row.since, row.until) for row in db.exec_driver_sql(_KEYS)]


def keep_seal(db: Connection, game: UUID, made: SealRow) -> None:
    """Insert the seal of a game, unless it has one."""
    db.exec_driver_sql(_ADD, (game, made.head, made.at, made.key, made.signature))


def seal_of(db: Connection, game: UUID) -> SealRow | None:
    row = db.exec_driver_sql(_OF, (game,)).one_or_none()
    return None if row is None else SealRow(bytes(row.head), row.at, row.key, bytes(row.public), bytes(row.signature))


def open_days(db: Connection, now: datetime) -> Sequence[date]:
    """Return the past days with seals or deals and without a root."""
    before = _begin((now - SEAL_GRACE).astimezone(UTC).date())
    return list(db.exec_driver_sql(_OPEN_DAYS, {"before": before}).scalars())


def days_without_root(db: Connection) -> Sequence[date]:
    """Return the days that have lost their root: they have seals, and later days are closed."""
    return list(db.exec_driver_sql(_ROOTLESS).scalars())


def sealed_on(db: Connection, day: date) -> list[tuple[UUID, bytes]]:
    """Return the games sealed on a day, with the signatures, in the order of the leaves of its tree."""
    span = (_begin(day), _begin(day + timedelta(days=1)))
    return [(row.game_id, bytes(row.signature)) for row in db.exec_driver_sql(_ON, span)]


def leaves_on(db: Connection, day: date) -> list[tuple[UUID | date, bytes]]:
    """Return the leaves of a day's tree in order: its seals by their games, then its deals by their days.

    Each comes with its signature. Deals are included once they are rooted.
    """
    deals = [(row.day, bytes(row.signature)) for row in db.exec_driver_sql(_DEALS_ON, (day,))]
    return [*sealed_on(db, day), *deals]


def root_deals(db: Connection, day: date) -> None:
    """Assign to a past day's tree the deals committed to by then that are in no tree yet."""
    db.exec_driver_sql(_ROOT_DEALS, (day, _begin(day + timedelta(days=1))))


def sealed_between(
    db: Connection, after: tuple[datetime, UUID], before: datetime, limit: int
) -> list[tuple[datetime, UUID]]:
    """Return the moments and games of the seals after a place in their order, up to a moment.

    Leave out games whose log is in the archive.
    """
    return [(row.at, row.game_id) for row in db.exec_driver_sql(_BETWEEN, (*after, before, limit))]


def stop_sealing(db: Connection) -> None:
    """Lock out seals for the transaction, after waiting for those under way."""
    db.exec_driver_sql(_ALONE)


def close_day(db: Connection, closed: DayRow) -> None:
    """Insert the root of a day, unless it has one."""
    db.exec_driver_sql(_CLOSE, (closed.day, closed.root, closed.count, closed.at))


def closed_day(db: Connection, day: date) -> DayRow | None:
    """Return the root of a day, or None."""
    row = db.exec_driver_sql(_DAY, (day,)).one_or_none()
    return None if row is None else _closed(row)


def closed_days(db: Connection, after: date | None, limit: int) -> list[DayRow]:
    """Return up to `limit` days with their roots, the newest first, before the day `after` if given."""
    rows = db.exec_driver_sql(_DAYS, {"after": after, "limit": limit})
    return [_closed(row) for row in rows]


def some_days(db: Connection, last: int, others: int) -> list[DayRow]:
    """Return the last days with their roots, and so many random others, the newest first."""
    return [_closed(row) for row in db.exec_driver_sql(_SOME_DAYS, {"last": last, "others": others})]


def _closed(row: Any) -> DayRow:
    return DayRow(row.day, bytes(row.root), row.leaves, row.at)


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


# Analyses of finished games: one for each game, which grows until it is ready.

_ASK = text("""
insert into analysis (game_id, head, version) values (:game, :head, :version)
on conflict (game_id) do update
   set head = excluded.head, version = excluded.version, asked_at = now(), ready_at = null, found = '[]'
 where (analysis.head, analysis.version) is distinct from (excluded.head, excluded.version)
""")
_FIND = text("select head, version, ready_at is not null as ready, found from analysis where game_id = :game")
_ADD_ANALYSES = text("""
update analysis set found = found || cast(:found as jsonb), ready_at = case when :ready then now() end
 where game_id = :game and version = :version and ready_at is null and jsonb_array_length(found) = :before
""")


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    """Results for a game's first steps, in order, by a `version` of the analysis at a head of the log."""

    head: str | None
    version: int
    ready: bool
    found: Sequence[Any]


def ask_analysis(db: Connection, game: UUID, head: str | None, version: int) -> bool:
    """Request an analysis; return whether it has to be made, because none of this head and version exists."""
    values = {"game": game, "head": None if head is None else bytes.fromhex(head), "version": version}
    return bool(db.execute(_ASK, values).rowcount)


def find_analysis(db: Connection, game: UUID) -> StoredAnalysis | None:
    """Return the analysis of a game, ready or not; None if never requested."""
    row = db.execute(_FIND, {"game": game}).one_or_none()
    if row is None:
        return None
    return StoredAnalysis(None if row.head is None else bytes(row.head).hex(), row.version, row.ready, row.found)


def add_analysis_steps(
    db: Connection, game: UUID, before: StoredAnalysis, found: Sequence[Any], *, ready: bool
) -> None:
    """Add the results for the next steps, unless another process has added them."""
    values = {"game": game, "version": before.version, "before": len(before.found), "ready": ready}
    db.execute(_ADD_ANALYSES, {**values, "found": to_json(found).decode()})


# Archived games: look them up, and read their log from the record in the archive.
#
# Look a game up only where no event of it was found: a running game is never archived.

REMEMBERED: Final = 32
"""Number of logs cached by a process, of some hundred kilobytes each."""
_OPTION: Final = "archived_logs"
"""Execution option of our engines that holds their ArchivedLogs."""
_ROW: Final = "select sha256 from archived where game_id = %s"
_REMOVE: Final = "select archive_game(%s, %s, %s, %s)"
_RESTORE: Final = """
insert into event (game_id, seq, name, data, seat, door, decision, action, at, head)
values (%s, %s, %s, %s::json, %s, %s, %s, %s::json, %s, %s)
"""
_RESTORED: Final = "select unarchive_game(%s)"
log = structlog.get_logger()


class ArchiveUnreadable(Unavailable):
    """The log of a game is in the archive, and cannot be read there."""

    def __init__(self, game: UUID, why: str, *, lost: bool = False) -> None:
        """Mark a record as `lost` if the archive answers, and the record is missing or another one."""
        super().__init__("archive")
        self.game, self.why, self.lost = game, why, lost

    def __str__(self) -> str:
        return f"the log of game {self.game} is in the archive, and {self.why}"


class ArchivedLogs:
    """Logs of archived games, with an LRU cache; thread-safe."""

    def __init__(self, archive: Archive | None) -> None:
        self._archive = archive
        self._known: LRU[tuple[int, bytes], Sequence[LoggedRow]] = LRU(REMEMBERED)

    def of(self, game: UUID, digest: bytes) -> Sequence[LoggedRow]:
        """Return the log of a game whose record has the SHA-256; raise and log ArchiveUnreadable."""
        known = self._known.get((game.int, digest))
        if known is None:
            try:
                known = self._read(game, digest)
            except ArchiveUnreadable as unreadable:
                log.error("the log of an archived game cannot be read", game=str(game), why=unreadable.why)
                raise
            self._known.put((game.int, digest), known)
        return known

    def _read(self, game: UUID, digest: bytes) -> Sequence[LoggedRow]:
        if self._archive is None:
            raise ArchiveUnreadable(game, "ARCHIVE is not set")
        try:
            record = self._archive.read(game)
        except (FileNotFoundError, Damaged) as error:
            raise ArchiveUnreadable(game, str(error), lost=True) from error
        except OSError as error:
            raise ArchiveUnreadable(game, str(error)) from error
        if sha256(record).digest() != digest:
            raise ArchiveUnreadable(game, "the record there is another one", lost=True)
        try:
            return log_of(record)[1]
        except NoLog as error:
            raise ArchiveUnreadable(game, str(error), lost=True) from error


def use_archive(engine: Engine, archive: Archive | None) -> None:
    """Let all connections of one of our engines read the logs of archived games from this archive."""
    logs = {_OPTION: ArchivedLogs(archive)}
    engine.update_execution_options(**logs)
    hand_of(engine).engine.update_execution_options(**logs)


def archived_log(db: Connection, game: UUID) -> Sequence[LoggedRow] | None:
    """Return the log of an archived game, None if the game is not archived; ArchiveUnreadable."""
    digest: bytes | None = db.exec_driver_sql(_ROW, (game,)).scalar()
    if digest is None:
        return None
    logs: ArchivedLogs = db.engine.get_execution_options().get(_OPTION) or ArchivedLogs(None)
    return logs.of(game, bytes(digest))


def archive_log(db: Connection, game: UUID, version: int, record: bytes) -> bool:
    """Note that the record of a game is in the archive, and delete its events.

    Return False if the game is not finished, sealed, at the version and unarchived.
    """
    removed: bool = db.exec_driver_sql(_REMOVE, (game, version, sha256(record).digest(), len(record))).scalar_one()
    return removed


def unarchive_log(db: Connection, game: UUID, rows: Sequence[LoggedRow]) -> bool:
    """Restore the log of an archived game; return whether the log is whole and agrees with the game's row."""
    if not rows:
        return False
    db.exec_driver_sql(_RESTORE, [_values(game, row) for row in rows])
    restored: bool = db.exec_driver_sql(_RESTORED, (game,)).scalar_one()
    return restored


def _values(game: UUID, row: LoggedRow) -> tuple[object, ...]:
    action = None if row.action is None else to_json(row.action).decode()
    return (game, *row[:6], action, *row[7:])
