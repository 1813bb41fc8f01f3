"""Players give moves ahead, and have some decisions answered for them."""

from __future__ import annotations

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_TABLES = """
alter table game add column ordered integer[] not null default '{}';
alter table seat add column auto_answers text[] not null default '{}';
create table move_order (
  game_id uuid not null references game,
  player_id uuid not null references player,
  place integer not null,
  action json not null,
  conditions jsonb not null,
  named boolean not null,
  given_at timestamptz not null,
  dropped jsonb,
  primary key (game_id, player_id, place)
);
create index move_order_player on move_order (player_id);
"""


def upgrade() -> None:
    """Add the table, and the two columns by which an append and a page know of it."""
    op.execute(_TABLES)
