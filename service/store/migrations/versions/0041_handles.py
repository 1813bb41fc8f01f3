"""Handles: names that lead to one account, the former ones, and who may see the profile of an account."""

from __future__ import annotations

from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

_INDEXES = {
    "player_handle": "player (handle) where handle is not null",
    "player_handle_skeleton": "player (handle_skeleton) where handle_skeleton is not null",
}


def upgrade() -> None:
    """Add the columns and the table, and the indexes while the tables are written to."""
    op.execute("""
alter table player
  add column handle text,
  add column handle_skeleton text,
  add column visibility text not null default 'public';
create table former_handle (
  id bigint generated always as identity primary key,
  skeleton text not null,
  player_id uuid references player,
  released_at timestamptz not null
);
create index former_handle_skeleton on former_handle (skeleton);
create index former_handle_player on former_handle (player_id) where player_id is not null;
create index former_handle_released on former_handle (released_at);
""")
    with op.get_context().autocommit_block():
        for name, what in _INDEXES.items():
            # An attempt that was broken off leaves an index that is not used.
            op.execute(f"drop index concurrently if exists {name}")
            op.execute(f"create unique index concurrently {name} on {what}")
