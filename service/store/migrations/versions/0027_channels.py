"""Channels beside mail, the messages to them, and the addresses of calendars."""

from __future__ import annotations

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

# `channels` says in a row that is read anyway whether a player has any: a look into another table costs every move.
# `mail_id` names the outbox row of the mail that a message stands beside. It is no foreign key: that row is taken away
# when its time is over, and the message has a time of its own.
_TABLES = """
alter table player add column channels boolean not null default false;
create table calendar (
  player_id uuid primary key references player,
  hash bytea not null unique,
  created_at timestamptz not null
);
create table channel (
  id uuid primary key,
  player_id uuid not null references player,
  kind text not null check (kind in ('web-push', 'discord', 'slack', 'matrix', 'telegram', 'ntfy')),
  label text not null,
  messages text[] not null,
  instead text[] not null default '{}',
  state text not null default 'trying' check (state in ('trying', 'active', 'silenced')),
  cause text check (cause in ('gone', 'failing')),
  failures integer not null default 0,
  tried_at timestamptz,
  code integer,
  error text,
  created_at timestamptz not null
);
create index channel_player on channel (player_id);
create table channel_secret (
  channel_id uuid primary key references channel on delete cascade,
  sealed bytea not null
);
create table channel_message (
  id uuid primary key,
  channel_id uuid not null references channel on delete cascade,
  outbox_id bigint not null unique references outbox on delete cascade,
  mail_id bigint,
  replaces boolean not null,
  message text not null,
  created_at timestamptz not null,
  unique (mail_id, channel_id)
);
create index channel_message_channel on channel_message (channel_id, id);
"""


def upgrade() -> None:
    """Create the tables."""
    op.execute(_TABLES)
