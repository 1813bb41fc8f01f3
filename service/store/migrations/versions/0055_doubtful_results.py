"""Results say whose gains were capped; ratings count opponents, and leaderboards go by what is almost sure."""

from __future__ import annotations

from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

FILL = """
update rating set opponents = met.opponents from (
  select a.player_id, r.ruleset, r.seats, count(distinct b.player_id) as opponents
    from result_seat a join result_seat b on b.number = a.number and b.player_id <> a.player_id
    join result r on r.number = a.number
   group by a.player_id, r.ruleset, r.seats) met
 where (rating.player_id, rating.ruleset, rating.seats) = (met.player_id, met.ruleset, met.seats)
"""
INDEX = "create index {} on rating (ruleset, seats, (mu - 2 * sigma) desc, id) where {}"
SETTLED = "listed and games >= 10 and opponents >= 5"


def upgrade() -> None:
    """Add the columns, count the opponents of today's ratings, and order leaderboards anew."""
    op.execute("alter table result_seat add column doubtful boolean not null default false")
    op.execute("alter table rating add column opponents integer not null default 0")
    op.execute(FILL)
    op.execute(INDEX.format("rating_listed", SETTLED))
    op.execute(INDEX.format("rating_unsettled", "listed and not (games >= 10 and opponents >= 5)"))
    op.execute("drop index rating_settled, rating_provisional")
