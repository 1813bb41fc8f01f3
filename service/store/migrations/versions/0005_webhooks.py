"""Webhooks, their secrets, and the log of what they were sent."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

# A test message is about no game, so its effect is not either. `watching` and `watched` say in rows that are read
# anyway whether there is a webhook: a look into another table would cost every move.
_TABLES = """
alter table outbox alter column game_id drop not null;
alter table player add column watching boolean not null default false;
alter table game add column watched boolean not null default false;
create table webhook (
  id uuid primary key,
  player_id uuid not null references player,
  game_id uuid references game,
  url text not null,
  events text[] not null,
  active boolean not null default true,
  disabled text check (disabled in ('gone', 'failing')),
  failing_since timestamptz,
  created_at timestamptz not null
);
create index webhook_player on webhook (player_id);
create index webhook_game on webhook (game_id) where game_id is not null;
create table webhook_secret (
  id bigint generated always as identity primary key,
  webhook_id uuid not null references webhook on delete cascade,
  sealed bytea not null,
  expires_at timestamptz
);
create index webhook_secret_webhook on webhook_secret (webhook_id);
create table webhook_delivery (
  id uuid primary key,
  webhook_id uuid not null references webhook on delete cascade,
  outbox_id bigint not null unique references outbox on delete cascade,
  type text not null,
  body json not null,
  created_at timestamptz not null,
  tried_at timestamptz,
  code integer,
  ms integer,
  error text
);
create index webhook_delivery_webhook on webhook_delivery (webhook_id, id);
"""


def upgrade() -> None:
    """Create the tables."""
    op.execute(_TABLES)
