"""Analyses of finished games: what was found so far, and whether that is all."""

from __future__ import annotations

from alembic import op

revision = "0043"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, and the term of a table at which players may take hints."""
    op.execute("""
create table analysis (
  game_id uuid primary key references game,
  head bytea,
  version integer not null,
  asked_at timestamptz not null default now(),
  ready_at timestamptz,
  found jsonb not null default '[]'
);
""")
