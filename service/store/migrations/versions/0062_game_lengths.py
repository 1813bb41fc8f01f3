"""How long games take is kept for the pages that tell it."""

from __future__ import annotations

from alembic import op

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None

TABLE = """
create table game_length (
  ruleset text not null,
  seats integer not null,
  options text[] not null,
  pace text not null,
  games integer not null,
  seconds bigint not null,
  primary key (ruleset, seats, options, pace)
)
"""
INDEX = "create index concurrently {} on played_game using brin (ended_at) with (pages_per_range=16, autosummarize=on)"


def upgrade() -> None:
    """Add the table, and the index of games by their end while games end."""
    op.execute(TABLE)
    with op.get_context().autocommit_block():
        # An attempt that was broken off leaves an index that is not used.
        op.execute("drop index concurrently if exists played_game_ended")
        op.execute(INDEX.format("played_game_ended"))
