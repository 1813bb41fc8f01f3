"""Every night the games of the day before are checked again, and some others: what was altered is told."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import structlog
from sqlalchemy import Engine, text

from service.audit.beside import astray
from service.audit.days import altered_days, altered_keys
from service.audit.inspect import examine
from service.audit.log import Altered, NoChain
from service.runtime import Runtime
from service.store import notices, outbox

SAMPLE = 100
"""How many games are checked that nothing happened in."""

_PLAN = text("""
with chained as (
  select id, version, created_at from game g where head is not null or id in (select game_id from seal)
    or exists (select from event e where (e.game_id, e.seq) = (g.id, 1) and e.head is not null)
    or lobby is not null
    or (origin = 'here' and id > (select id from game where lobby is not null and origin = 'here' order by id limit 1))
), day as (
  select id from chained g
   where (select at from event e where (e.game_id, e.seq) = (g.id, g.version)) >= cast(:since as timestamptz)
      or (version = 0 and cast(:since as timestamptz)
                          <= coalesce((select max(at) from lobby_event l where l.game_id = g.id), created_at))
), others as (
  select id from chained where id not in (select id from day) order by random() limit :sample
)
insert into outbox (dedupe_key, kind, game_id, payload)
select 'audit:' || :day || ':' || id, 'audit', id, '{}' from (select id from day union select id from others) wanted
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
    """Note each game to be checked, those of the day before the row's and some others; check the roots of days."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        day = row.payload["day"]
        since = datetime.combine(datetime.fromisoformat(day), time(), UTC) - timedelta(days=1)
        for stray in astray(db).values():
            db.execute(_STRAYS, {"day": day, "game": stray.game, "seq": stray.seq})
        db.execute(_PLAN, {"since": since, "day": day, "sample": SAMPLE})
        days, keys = [each.isoformat() for each in altered_days(db)], list(altered_keys(db))
        if days or keys:
            log.error("the seals of days were altered", days=days, keys=keys)
        outbox.finish(db, row_id, "dead" if days or keys else "done")


def check(runtime: Runtime, row_id: int) -> None:
    """Check the game that the row is about; of what was altered the row stays, and the log says so."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        try:
            if "seq" in row.payload:
                raise Altered(row.payload["seq"], "it went astray")
            examine(db, runtime.games, row.game_id)
        except NoChain:
            outbox.finish(db, row_id, "skipped")
        except Altered as altered:
            log.error("a game was altered", game=str(row.game_id), seq=altered.seq)
            outbox.finish(db, row_id, "dead")
        else:
            outbox.finish(db, row_id, "done")
