"""What players have decided about each other: whom they block, and whom they ignore."""

from __future__ import annotations

from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.execute("""
create table block (
  id uuid not null unique,
  blocker uuid not null references player,
  blocked uuid not null references player,
  created_at timestamptz not null,
  primary key (blocker, blocked),
  constraint block_other_check check (blocker <> blocked)
);
create index block_blocked on block (blocked);
create table ignored_player (
  id uuid not null unique,
  player_id uuid not null references player,
  ignored uuid not null references player,
  created_at timestamptz not null,
  primary key (player_id, ignored),
  constraint ignored_player_other_check check (player_id <> ignored)
);
create index ignored_player_ignored on ignored_player (ignored);
""")
