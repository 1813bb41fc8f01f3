"""How the effects in the outbox stand: how many came to what, and since when the oldest is overdue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, text

_COUNTS = text("""
select kind, case state
         when 'pending' then case when due_at > clock_timestamp() then 'waiting' else 'due' end
         when 'done' then 'done' when 'dead' then 'failed'
         else case when last_error is null then 'gone-by' else 'suppressed' end
       end as stands, count(*) as number,
       coalesce(max(extract(epoch from clock_timestamp() - due_at)) filter (where state = 'pending'), 0) as overdue
  from outbox group by 1, 2 order by 1, 2
""")


@dataclass(frozen=True, slots=True)
class Gauges:
    """Counts by (kind, how it stands): due, waiting, done, failed, gone-by, suppressed; and seconds overdue by kind.

    What is carried out is counted for a week, what has failed until somebody takes it away.
    """

    counts: Mapping[tuple[str, str], int]
    overdue: Mapping[str, float]


def gauges(db: Connection) -> Gauges:
    """Return how the outbox stands."""
    rows = db.execute(_COUNTS).all()
    counts = {(row.kind, row.stands): row.number for row in rows}
    overdue = {row.kind: 0.0 for row in rows} | {row.kind: float(row.overdue) for row in rows if row.stands == "due"}
    return Gauges(counts, overdue)
