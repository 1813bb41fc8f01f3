"""What players wish about their mails, what went wrong with them, and until when a mail waits."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

# `due_at` is when an effect is to happen: attempts that failed do not move it, what was put off does.
_WAITING = """
alter table outbox
  add column added_at timestamptz not null default now(),
  add column due_at timestamptz not null default now();
create index outbox_unsent on outbox (game_id) where state in ('skipped', 'dead');
"""
# `unreachable` and `seen` stand in rows that are read anyway. A seat is known to links by the order of its arrival.
_PLAYERS = """
alter table player add column unreachable boolean not null default false;
alter table seat add column seen integer;
create unique index seat_arrival on seat (arrival);
"""
_TABLES = """
create table mail_wishes (
  player_id uuid primary key references player,
  delay integer check (delay between 0 and 60),
  digest integer check (digest between 0 and 23),
  quiet_from integer check (quiet_from between 0 and 23),
  quiet_to integer check (quiet_to between 0 and 23),
  unwanted text[] not null default '{}',
  unseen_only boolean not null default false
);
create table mail_mute (
  game_id uuid not null references game,
  player_id uuid not null references player,
  primary key (game_id, player_id)
);
create index mail_mute_player on mail_mute (player_id);
create table mail_trouble (
  address_hash bytea primary key,
  cause text not null,
  status text not null,
  score double precision not null,
  noted_at timestamptz not null,
  suppressed boolean not null
);
"""


def upgrade() -> None:
    """Create everything."""
    for statements in (_WAITING, _PLAYERS, _TABLES):
        op.execute(statements)
