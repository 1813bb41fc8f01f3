"""How the effects in the outbox stand: what came of them, since when the oldest is overdue, and what audits found."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, text

OVERDUE = 600
"""Seconds after which it is a matter for somebody that an effect has not happened."""

_COUNTS = text("""
select kind, case state
         when 'pending' then case when due_at > clock_timestamp() then 'waiting' else 'due' end
         when 'done' then 'done' when 'dead' then 'failed'
         else case when last_error is null then 'gone-by' else 'suppressed' end
       end as stands, count(*) as number,
       coalesce(max(extract(epoch from clock_timestamp() - due_at)) filter (where state = 'pending'), 0) as overdue
  from outbox group by 1, 2 order by 1, 2
""")
# If none has arrived for so long that nothing is known of it any more, the oldest that has not counts.
_CANARY = text("""
select extract(epoch from clock_timestamp() - coalesce(max(done_at) filter (where state = 'done'), min(added_at)))
  from outbox where kind = 'canary'
""")
# What was altered is told by a row that is dead without an error; a check that failed again and again has one.
_AUDITED = text("""
select count(distinct game_id) filter (where kind = 'audit' and state = 'done') as held,
       count(distinct game_id) filter (where kind = 'audit' and state = 'skipped') as unchained,
       count(distinct game_id) filter (where state = 'dead' and last_error is null) as altered,
       count(distinct game_id) filter (where state = 'dead' and last_error is not null) as unchecked
  from outbox where kind in ('audit', 'seal')
""")
_LAST_NIGHT = text("""
select coalesce(extract(epoch from max(done_at)), 0) from outbox night
 where kind = 'night' and state in ('done', 'dead')
   and not exists (select from outbox a where a.kind = 'audit' and a.state = 'pending'
                      and starts_with(a.dedupe_key, 'audit:' || (night.payload ->> 'day') || ':'))
""")


@dataclass(frozen=True, slots=True)
class Gauges:
    """Counts by (kind, how it stands): due, waiting, done, failed, gone-by, suppressed; and seconds overdue by kind.

    What is carried out is counted for a week, what has failed until somebody takes it away. `canary` is how many
    seconds ago the mail server took the last mail to whoever runs the house, None if there has been none to send.
    """

    counts: Mapping[tuple[str, str], int]
    overdue: Mapping[str, float]
    canary: float | None

    def late(self, kinds: Collection[str] | None = None) -> Mapping[str, float]:
        """Return which kinds, of all or of some, are overdue by more than OVERDUE, and by how many seconds."""
        wanted = self.overdue if kinds is None else kinds
        return {kind: seconds for kind, seconds in self.overdue.items() if kind in wanted and seconds > OVERDUE}


def gauges(db: Connection) -> Gauges:
    """Return how the outbox stands."""
    rows = db.execute(_COUNTS).all()
    counts = {(row.kind, row.stands): row.number for row in rows}
    overdue = {row.kind: 0.0 for row in rows} | {row.kind: float(row.overdue) for row in rows if row.stands == "due"}
    canary = db.execute(_CANARY).scalar()
    return Gauges(counts, overdue, None if canary is None else float(canary))


@dataclass(frozen=True, slots=True)
class Audits:
    """Numbers of games by what their audits came to: held, unchained, altered, unchecked; and the last whole night.

    `night` is when the last night was planned of which nothing is left to check, in seconds since 1970; 0 for never.
    What held or has no chain is counted for a week, what was altered until somebody takes its row away.
    """

    games: Mapping[str, int]
    night: float


def audits(db: Connection) -> Audits:
    """Return what the audits of games have found, those before their seals among them."""
    return Audits(db.execute(_AUDITED).one()._asdict(), float(db.execute(_LAST_NIGHT).scalar_one()))
