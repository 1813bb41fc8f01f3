"""Each process says now and then that it lives: when it does not any more, somebody can tell since when."""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, one row for each process; rows are changed in place, so there is room left beside them."""
    op.execute("""
        create table heartbeat (
          process uuid primary key,
          part text not null,
          host text not null,
          pid integer not null,
          parent integer not null,
          started_at timestamptz not null,
          beat_at timestamptz not null,
          patience integer not null check (patience > 0)
        ) with (fillfactor = 50)
    """)
