"""Every night the games of the day before are checked again, and some others: what was altered is told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

import structlog
from sqlalchemy import Connection, Engine, text

from service.audit.derived_tables import discrepancies
from service.audit.inspect import examine
from service.audit.log import Altered, NoChain
from service.audit.seal_roots import altered_days, altered_keys
from service.handlers.played import OTHERWISE, is_kept_otherwise
from service.log.ids import first_id
from service.record.reading import RulesMissing
from service.runtime import Runtime
from service.store import notices, outbox
from service.store.outbox import NO_GAME
from service.store.proof import some_days

SAMPLE = 100
"""The number of games without new events that are checked."""
STEP = 1000
"""The number of games, from where the last night ended, whose derived tables are compared with their logs."""
DAYS = (7, 10)
"""Of how many days, the last ones and some others, the roots are checked."""
_AT_A_TIME = 4
"""The factor by which more rows are drawn than wanted: some have no chain, or are of the day."""

# Each game is looked up by its key. A planner that sees a thousand of them, or does not know how few rows are as new as
# the day, would rather read all there are.
_BY_KEYS = text("""
select set_config('plan_cache_mode', 'force_custom_plan', true),
       set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true)
""")
# Whatever was written since, even if the game's own row is no longer there.
_TOUCHED = text("""
select game_id from event where at >= :since
union select game_id from archived where ended_at >= :since
union select game_id from lobby_event where at >= :since
union select id from game where id >= :first
""")
# Nobody may have counted them yet; none takes a kilobyte.
_ROWS = text("select greatest(reltuples, pg_relation_size(oid) / 1024.0, 1) from pg_class where oid = 'game'::regclass")
# Whole blocks are drawn, so that the others need not be read.
_DRAWN = text("""
select id from game tablesample system (cast(:percent as real))
 where id <> all(cast(:day as uuid[])) order by random() limit :most
""")
# The first game whose lobby was noted: what came after it and has no chain has lost it.
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
log = structlog.get_logger()


def begin_night(engine: Engine, now: datetime) -> None:
    """Have the games of the day before checked, once a day."""
    with engine.begin() as db:
        outbox.add(db, notices.night(now.astimezone(UTC).date()))


def plan(runtime: Runtime, row_id: int) -> None:
    """Note each game to be checked, those of the day before the row's and some others; check the roots of days.

    It costs as much as there was on that day, however many games there are. The derived tables of the other games are
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
    """Return the games that follow those of the last night, by their ids; after the last game the first ones again."""
    nights = [notices.night(day - timedelta(days=ago)).dedupe_key for ago in range(1, DAYS[0] + 1)]
    after = db.execute(_ENDED, {"nights": nights}).scalar()
    games: list[UUID] = list(db.execute(_NEXT, {"after": UUID(after) if after else NO_GAME, "step": STEP}).scalars())
    outbox.remember(db, row_id, {"until": str(games[-1] if len(games) == STEP else NO_GAME)})
    return games


def check(runtime: Runtime, row_id: int) -> None:
    """Check the game of a row; the row of an altered game stays (`dead`), and an error is logged."""
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
