"""Effects that seal, analyse, archive and audit finished games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from time import monotonic
from typing import Any, Final
from uuid import UUID

import structlog
from msgspec.json import decode as from_json
from sqlalchemy import Connection, Engine, text

from service.archive.archive import Archive, Damaged, open_archive
from service.audit.derived_tables import discrepancies
from service.audit.inspect import examine, whole_record
from service.audit.log import Altered, NoChain
from service.audit.seal_roots import altered_days, altered_keys
from service.handlers.results import OTHERWISE, is_kept_otherwise
from service.log.folding import Timeline
from service.log.ids import first_id
from service.players.analysis import Chances, PlayedStep, analyse_step
from service.record.canonical import canonical
from service.record.merkle import leaf, root
from service.record.reading import RulesMissing
from service.record.record import LoggedRow, NoLog, log_of
from service.record.seal import PublicKey, Signer
from service.record.verify import verify
from service.runtime import Runtime
from service.shared import clock
from service.store import events, notices, outbox, proof
from service.store.games import Position
from service.store.outbox import NO_GAME
from service.store.proof import DayRow, SealRow, archive_log, some_days
from service.views.analysis import as_stored, steps_of
from service.views.record import record_text

# Seals of finished games, and one tree a day over the seals.

log = structlog.get_logger()


class DayClosed(Exception):
    """The day already has its root: a clock is wrong."""


def carry_out_seal(runtime: Runtime, row_id: int) -> None:
    """Seal the row's finished game, once; KeyEnded.

    Without a key, or a chain, skip the row. An altered game is never sealed: log an error.
    """
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        if runtime.signer is None:
            outbox.finish(db, row_id, "skipped")
            return
        try:
            record = whole_record(db, runtime.games, row.game_id)
        except NoChain:
            outbox.finish(db, row_id, "skipped")
        except Altered as altered:
            log.error("a game was altered and is not sealed", game=str(row.game_id), seq=altered.seq)
            outbox.finish(db, row_id, "dead")
        else:
            sign(db, runtime.signer, row.game_id, record.head, lambda: max(clock.now(), record.last_at))
            outbox.finish(db, row_id, "done")


def close_days(engine: Engine, now: datetime) -> None:
    """Give every past day its root, unless no game was sealed and no deal committed to on it."""
    with engine.begin() as db:
        if not proof.open_days(db, now):
            return
        proof.stop_sealing(db)
        for day in proof.open_days(db, now):
            proof.root_deals(db, day)
            leaves = [leaf(signature) for _, signature in proof.leaves_on(db, day)]
            proof.close_day(db, DayRow(day, root(leaves), len(leaves), now))


def sign(db: Connection, signer: Signer, game: UUID, head: bytes, now: Callable[[], datetime] = clock.now) -> None:
    """Store the seal of a game over the head of its record; KeyEnded, DayClosed."""
    at = proof.use_key(db, signer.id, signer.public, now)
    if proof.closed_day(db, at.astimezone(UTC).date()) is not None:
        raise DayClosed
    proof.keep_seal(db, game, SealRow(head, at, signer.id, signer.public, signer.sign(head, at)))


# Analyses of finished games, a second at a time, so that the mails of the same queue do not wait longer.

ANALYSIS_SECONDS: Final = 1.0
"""Seconds after which no other step is analysed in one go."""
_AT_ONCE: Final = timedelta(0)


def analyse(runtime: Runtime, row_id: int) -> None:
    """Analyse some more steps of the row's game, and settle the row after the last.

    Results follow from the log and the version alone, so repetition changes nothing.
    """
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
        before = None if row is None else proof.find_analysis(db, row.game_id)
        if row is None:
            return
        if before is None or before.ready:
            outbox.finish(db, row_id, "skipped")
            return
        position = runtime.games.open(db, row.game_id)
        timeline = runtime.games.timeline(db, position)
    steps = steps_of(timeline)
    found = list(_looked(position, timeline, steps[len(before.found) :]))
    ready = len(before.found) + len(found) == len(steps)
    with runtime.engine.begin() as db:
        proof.add_analysis_steps(db, row.game_id, before, found, ready=ready)
        if ready:
            outbox.finish(db, row_id, "done")
        else:
            outbox.later(db, row_id, _AT_ONCE, 0)


def _looked(position: Position, timeline: Timeline, steps: Sequence[PlayedStep]) -> Iterator[Mapping[str, Any]]:
    """Yield the results for the steps, at least for the first, until the time is up."""
    chances, until = Chances(timeline.ruleset, position.game.seats), monotonic() + ANALYSIS_SECONDS
    for step in steps:
        yield as_stored(analyse_step(chances, str(position.game.id), step))
        if monotonic() > until:
            return


# Archive of games that ended some time ago: write their sealed records, and verify them there.
#
# With ARCHIVE_ONLY the log of a game leaves the database once its record is in the archive. The record comes first. The
# transaction that deletes the log reads the record back, verifies it, and compares it with the log. So whenever the
# process is killed, the log is in the database, or in the archive, or in both.

ARCHIVE_PAGE: Final = 1000
"""Limit of seals per step."""
RECORDS: Final = 10
"""Limit of records written or verified per step, for about a second: mails wait meanwhile."""
ARCHIVE_SECONDS: Final = 1.0
"""Seconds after which a step takes no other record: each needs a request to the bucket."""
_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC), NO_GAME


class Archiving:
    """Walk through the seals from the oldest on, once in the life of a process, and continue as games get older.

    Existing records are not written again, so any number of processes may run, and none needs to store its progress.
    """

    def __init__(self, runtime: Runtime) -> None:
        settings = runtime.settings
        self._runtime = runtime
        where, encryption = settings.archive, settings.archive_encryption
        self._archive = None if where is None else open_archive(where, encryption)
        self._removing = settings.archive_only
        self._after = _FIRST

    def go_on(self, now: datetime) -> bool:
        """Archive some of the missing games, if there is an archive; return whether there may be more."""
        if self._archive is None:
            return False
        before = now - timedelta(days=self._runtime.settings.archive_days)
        with self._runtime.engine.connect() as db:
            page = proof.sealed_between(db, self._after, before, ARCHIVE_PAGE)
        try:
            return self._write(self._archive, page)
        except OSError as error:
            # The next hour continues here.
            log.error("a record could not be archived", why=str(error))
            return False

    def _write(self, archive: Archive, page: list[tuple[datetime, UUID]]) -> bool:
        written, until = 0, monotonic() + ARCHIVE_SECONDS
        for sealed in page:
            if written == RECORDS or monotonic() > until:
                break
            missing = not archive.holds(sealed[1])
            if missing or self._removing:
                self._archive_game(archive, sealed[1], missing)
                written += 1
            self._after = sealed
        return bool(page)

    def _archive_game(self, archive: Archive, game: UUID, missing: bool) -> None:
        if missing and not self._keep(archive, game):
            return
        if self._removing and not self._remove(archive, game) and not missing and self._keep(archive, game):
            # The existing record was another one, or damaged.
            self._remove(archive, game)

    def _keep(self, archive: Archive, game: UUID) -> bool:
        """Write the record of a game into the archive; return whether the record holds."""
        with self._runtime.engine.begin() as db:
            try:
                record = record_text(db, self._runtime.games, game)
            except (Altered, NoChain, RulesMissing) as refusal:
                log.error("a game has no record to be archived", game=str(game), why=str(refusal))
                return False
            holds = self._holds(db, game, record)
        if holds:
            archive.keep(game, record)
        return holds

    def _holds(self, db: Connection, game: UUID, record: bytes) -> bool:
        keys = [PublicKey(each.id, each.public, each.since, each.until) for each in proof.seal_keys(db)]
        report = verify(record, self._runtime.games.rulesets, keys)
        if not report.holds:
            log.error("the record of a game does not hold", game=str(game), levels=report.as_json()["levels"])
        return bool(report.holds)

    def _remove(self, archive: Archive, game: UUID) -> bool:
        """Delete the log of a game from the database, if the record in the archive holds and is complete.

        Return whether the record is as it has to be.
        """
        try:
            record = archive.read(game)
            named, rows = log_of(record)
        except (Damaged, NoLog) as error:
            log.error("a record in the archive is damaged", game=str(game), why=str(error))
            return False
        with self._runtime.engine.begin() as db:
            if not self._holds(db, game, record):
                return False
            if named != str(game) or _written(rows) != _written(events.rows(db, game)):
                log.error("the record in the archive is not that of the log", game=str(game))
                return False
            # Refused if another process has archived the game meanwhile.
            archive_log(db, game, len(rows), record)
            return True


def _written(rows: Sequence[LoggedRow]) -> list[LoggedRow]:
    """Return rows in the canonical form that their JSON has in records."""
    return [row._replace(data=canonical(from_json(row.data)).decode()) for row in rows]


# Nightly audit: check the games of the day before, and some others, and report altered ones.

SAMPLE = 100
"""Number of games without new events that are checked."""
STEP = 1000
"""Number of games, from the end of the last night's step on, whose derived tables are compared with their logs."""
DAYS = (7, 10)
"""Numbers of days whose roots are checked: the last ones, and some others."""
_AT_A_TIME = 4
"""Factor by which more rows are drawn than wanted: some have no chain, or are of the day."""

# Look each game up by its key. A planner that sees a thousand of them, or does not know how few rows are as new as the
# day, would rather read all rows.
_BY_KEYS = text("""
select set_config('plan_cache_mode', 'force_custom_plan', true),
       set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true)
""")
# All games written since, even if the game's own row is gone.
_TOUCHED = text("""
select game_id from event where at >= :since
union select game_id from archived where ended_at >= :since
union select game_id from lobby_event where at >= :since
union select id from game where id >= :first
""")
# The table may have no statistics yet; no row takes a kilobyte.
_ROWS = text("select greatest(reltuples, pg_relation_size(oid) / 1024.0, 1) from pg_class where oid = 'game'::regclass")
# Draw whole blocks, so that the others need not be read.
_DRAWN = text("""
select id from game tablesample system (cast(:percent as real))
 where id <> all(cast(:day as uuid[])) order by random() limit :most
""")
# The first game with a lobby log: a later game without a chain has lost it.
_CHAINED = text("""
select id from game g where id = any(cast(:ids as uuid[])) and (
  head is not null or lobby is not null or exists (select from seal where game_id = g.id)
    or exists (select from event e where (e.game_id, e.seq) = (g.id, 1) and e.head is not null)
    or exists (select from archived where game_id = g.id)
    or (origin = 'here' and id > (
      select l.game_id from lobby_event l join game noted on noted.id = l.game_id
       where l.seq = 1 and noted.lobby is not null and noted.origin = 'here' order by l.game_id limit 1)))
""")
_NEXT = text("""
select distinct id from (
  (select id from game where id > :after order by id limit :step)
  union all (select game_id from seed where game_id > :after order by game_id limit :step)
  union all (select game_id from seat where seat = 0 and game_id > :after order by game_id limit :step)
  union all (select game_id from seal where game_id > :after order by game_id limit :step)
  union all (select game_id from lobby_event where seq = 1 and game_id > :after order by game_id limit :step)
  union all (select game_id from event where seq = 1 and game_id > :after order by game_id limit :step)
  union all (select game_id from archived where game_id > :after order by game_id limit :step)
) kept order by id limit :step
""")
_ENDED = text("""
select payload ->> 'until' from outbox where dedupe_key = any(:nights) and payload ? 'until' order by id desc limit 1
""")
_PLAN = text("""
insert into outbox (dedupe_key, kind, game_id, payload)
select 'audit:' || :day || ':' || id, 'audit', id, '{}' from unnest(cast(:ids as uuid[])) id
on conflict (dedupe_key) do nothing
""")
_STRAYS = text("""
insert into outbox (dedupe_key, kind, game_id, payload)
values ('audit:' || :day || ':' || :game, 'audit', :game, jsonb_build_object('seq', cast(:seq as integer)))
on conflict (dedupe_key) do nothing
""")


def begin_night(engine: Engine, now: datetime) -> None:
    """Enqueue the check of the games of the day before, once a day."""
    with engine.begin() as db:
        outbox.add(db, notices.night(now.astimezone(UTC).date()))


def plan_audit(runtime: Runtime, row_id: int) -> None:
    """Enqueue the check of each game of the day before the row's, and of some others; check the roots of days.

    The cost depends on the games of that day, not on the number of all games. The derived tables of the other games are
    compared in steps, one a night.
    """
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        db.execute(_BY_KEYS)
        day = date.fromisoformat(row.payload["day"])
        wanted = _of_the_day(db, day - timedelta(days=1))
        wanted += _drawn(db, wanted)
        step = _step(db, row_id, day)
        for discrepancy in discrepancies(db, list({*wanted, *step})).values():
            db.execute(_STRAYS, {"day": str(day), "game": discrepancy.game, "seq": discrepancy.seq})
        chained: list[UUID] = list(db.execute(_CHAINED, {"ids": wanted}).scalars())
        db.execute(_PLAN, {"day": str(day), "ids": chained})
        days, keys = [each.isoformat() for each in altered_days(db, some_days(db, *DAYS))], list(altered_keys(db))
        if days or keys:
            log.error("the seals of days were altered", days=days, keys=keys)
        outbox.finish(db, row_id, "dead" if days or keys else "done")


def _of_the_day(db: Connection, day: date) -> list[UUID]:
    since = datetime.combine(day, time(), UTC)
    return list(db.execute(_TOUCHED, {"since": since, "first": first_id(since)}).scalars())


def _drawn(db: Connection, day: Sequence[UUID]) -> list[UUID]:
    rows: float = db.execute(_ROWS).scalar_one()
    percent = min(100.0, 100 * SAMPLE * _AT_A_TIME / rows)
    return list(db.execute(_DRAWN, {"percent": percent, "day": day, "most": SAMPLE}).scalars())


def _step(db: Connection, row_id: int, day: date) -> list[UUID]:
    """Return the games that follow those of the last night, by their ids; after the last game start over."""
    nights = [notices.night(day - timedelta(days=ago)).dedupe_key for ago in range(1, DAYS[0] + 1)]
    after = db.execute(_ENDED, {"nights": nights}).scalar()
    games: list[UUID] = list(db.execute(_NEXT, {"after": UUID(after) if after else NO_GAME, "step": STEP}).scalars())
    outbox.remember(db, row_id, {"until": str(games[-1] if len(games) == STEP else NO_GAME)})
    return games


def check_game(runtime: Runtime, row_id: int) -> None:
    """Check the game of a row; for an altered game mark the row `dead` and log an error."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        try:
            if "seq" in row.payload:
                raise Altered(row.payload["seq"], "its log and the tables derived from it differ")
            seq = examine(db, runtime.games, row.game_id)
            if is_kept_otherwise(db, runtime.games, row.game_id):
                raise Altered(seq, OTHERWISE)
        except NoChain:
            outbox.finish(db, row_id, "skipped")
        except RulesMissing as missing:
            log.warning("a game was not checked", game=str(row.game_id), why=str(missing))
            outbox.fail(db, row_id, str(missing))
            outbox.finish(db, row_id, "dead")
        except Altered as altered:
            log.error("a game was altered", game=str(row.game_id), seq=altered.seq)
            outbox.finish(db, row_id, "dead")
        else:
            outbox.finish(db, row_id, "done")
