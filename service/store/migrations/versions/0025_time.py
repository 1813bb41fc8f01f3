"""A game may have a clock, and moves that were ordered ahead come through a door of their own."""

from __future__ import annotations

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the pace and the deadlines of a game, and the door."""
    op.execute("""
alter table game
  add column pace jsonb,
  add column deadlines timestamptz[] not null default '{}';
alter domain event_door drop constraint event_door_check;
alter domain event_door add constraint event_door_check
  check (value in ('api', 'web', 'link', 'reply', 'timeout', 'worker', 'order')) not valid;
""")
