"""Resignations, who has to act, what is said at a table, and private notes."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_TABLES = """
alter table game add column awaited integer[] not null default '{}';
alter table game add column faces integer;
alter table game add column since timestamptz;
create table talk (
  game_id uuid not null references game,
  number integer not null,
  seat integer not null,
  text text not null check (length(text) between 1 and 500),
  at timestamptz not null,
  primary key (game_id, number)
);
create table note (
  game_id uuid not null references game,
  player_id uuid not null references player,
  text text not null check (length(text) <= 10000),
  at timestamptz not null,
  primary key (game_id, player_id)
);
"""


def upgrade() -> None:
    """Create everything."""
    op.execute(_TABLES)
