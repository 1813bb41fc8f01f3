"""Gauges: the outbox by kind and state, the results of audits, and the database server."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, text

OVERDUE = 600
"""Seconds after which an effect counts as late, so that an operator should look at it."""

RECENT = 3600
"""Seconds for which a settled effect is counted: to count all that are kept would take longer with every mail."""

# Each part has an index of its own. An index is not used with clock_timestamp(), which differs from row to row.
_COUNTS = text(f"""
select kind, case when due_at > clock_timestamp() then 'waiting' else 'due' end as stands, count(*) as number,
       extract(epoch from clock_timestamp() - min(due_at)) as overdue
  from outbox where state = 'pending' group by 1, 2
union all
select kind, 'failed', count(*), 0 from outbox where state = 'dead' group by 1
union all
select kind, case when state = 'done' then 'done' when last_error is null then 'gone-by' else 'suppressed' end,
       count(*), 0
  from outbox where state in ('done', 'skipped') and done_at > now() - interval '{RECENT} s' group by 1, 2
order by 1, 2
""")  # noqa: S608 - a constant
# If no canary has arrived for so long that its rows are pruned, the age of the oldest one left counts.
_CANARY = text("""
select extract(epoch from clock_timestamp() - coalesce(max(done_at) filter (where state = 'done'), min(added_at)))
  from outbox where kind = 'canary'
""")
# A dead row without an error means an altered game; a check that has failed again and again has an error.
_AUDITED = text("""
select (select count(distinct game_id) from outbox where kind = 'audit' and state = 'done') as held,
       (select count(distinct game_id) from outbox where kind = 'audit' and state = 'skipped') as unchained,
       count(distinct game_id) filter (where last_error is null) as altered,
       count(distinct game_id) filter (where last_error is not null) as unchecked
  from outbox where state = 'dead' and kind in ('audit', 'seal')
""")
_LAST_NIGHT = text("""
select coalesce(extract(epoch from max(done_at)), 0) from outbox night
 where kind = 'night' and state in ('done', 'dead') and payload ->> 'day' not in (
   select split_part(dedupe_key, ':', 2) from outbox where kind = 'audit' and state = 'pending')
""")

_SIZE = text("select pg_database_size(current_database())")
# A standby that has replayed all there is has no lag. Without the rights of pg_monitor all but the rows is null.
_STANDBYS = text("""
select application_name as name, extract(epoch from coalesce(replay_lag, '0')) as seconds,
       pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) as bytes
  from pg_stat_replication
""")


@dataclass(frozen=True, slots=True)
class Gauges:
    """Counts by (kind, state): due, waiting, done, failed, gone-by, suppressed; and the seconds overdue by kind.

    Rows that are done or skipped are counted for RECENT seconds, failed ones until an operator removes them. `canary`
    is the age in seconds of the last test mail to the operator that the mail server has accepted, None if none was ever
    due.
    """

    counts: Mapping[tuple[str, str], int]
    overdue: Mapping[str, float]
    canary: float | None

    def late(self, kinds: Collection[str] | None = None) -> Mapping[str, float]:
        """Return the kinds, of all or of those given, that are more than OVERDUE seconds overdue, with the seconds."""
        wanted = self.overdue if kinds is None else kinds
        return {kind: seconds for kind, seconds in self.overdue.items() if kind in wanted and seconds > OVERDUE}


def gauges(db: Connection) -> Gauges:
    """Return the gauges of the outbox as it is now."""
    rows = db.execute(_COUNTS).all()
    counts = {(row.kind, row.stands): row.number for row in rows}
    overdue = {row.kind: 0.0 for row in rows} | {row.kind: float(row.overdue) for row in rows if row.stands == "due"}
    canary = db.execute(_CANARY).scalar()
    return Gauges(counts, overdue, None if canary is None else float(canary))


@dataclass(frozen=True, slots=True)
class Audits:
    """Numbers of games by the result of their audit: held, unchained, altered, unchecked; and the last whole night.

    `night` is the time, in seconds since 1970, of the last nightly audit whose games are all checked; 0 for never.
    Games that held or have no chain are counted for a week, altered ones until an operator removes the row.
    """

    games: Mapping[str, int]
    night: float


def audits(db: Connection) -> Audits:
    """Return the results of the audits, including the audit before each seal."""
    return Audits(db.execute(_AUDITED).one()._asdict(), float(db.execute(_LAST_NIGHT).scalar_one()))


@dataclass(frozen=True, slots=True)
class DatabaseGauges:
    """The size of the database in bytes, the number of standbys, and by standby the seconds and bytes it is behind."""

    size: int
    standbys: int
    seconds: Mapping[str, float]
    bytes: Mapping[str, float]


def server(db: Connection) -> DatabaseGauges:
    """Return the gauges of the database server; none of lag where the role may not read them."""
    rows = db.execute(_STANDBYS).all()
    told = [row for row in rows if row.bytes is not None]
    seconds, lag = ({row.name: float(getattr(row, unit)) for row in told} for unit in ("seconds", "bytes"))
    return DatabaseGauges(db.execute(_SIZE).scalar_one(), len(rows), seconds, lag)
