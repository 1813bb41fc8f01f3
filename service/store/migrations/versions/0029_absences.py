"""Players announce from when to when they are away."""

from __future__ import annotations

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, one row for each absence; those of a player neither overlap nor touch."""
    op.execute("""
        create table absence (
          id uuid primary key,
          player_id uuid not null references player (id),
          begins timestamptz not null,
          ends timestamptz not null,
          created_at timestamptz not null,
          constraint absence_ends_check check (begins < ends)
        );
        create index absence_player on absence (player_id, ends);
        create index absence_ends on absence (ends);
    """)
