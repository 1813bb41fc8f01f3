"""The log, the lobby, and what is written together with the log."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TABLES = """
create table player (
  id uuid primary key,
  name text not null,
  email text,
  language text not null,
  created_at timestamptz not null
);
create table token (
  hash bytea primary key,
  player_id uuid not null references player,
  created_at timestamptz not null
);
create table game (
  id uuid primary key,
  ruleset text not null,
  status text not null check (status in ('open', 'running', 'finished', 'cancelled')),
  seats integer not null,
  options jsonb not null,
  host uuid not null references player,
  version integer not null default 0,
  commitment text not null,
  created_at timestamptz not null
) with (fillfactor = 70);
create table seat (
  game_id uuid not null references game,
  seat integer not null,
  player_id uuid not null references player,
  nonce text not null,
  joined_at timestamptz not null,
  primary key (game_id, seat),
  unique (game_id, player_id)
);
create index seat_player on seat (player_id);
create table seed (
  game_id uuid primary key references game,
  seed bytea not null
);
create table event (
  game_id uuid not null references game,
  seq integer not null check (seq > 0),
  name text not null,
  data json not null,
  seat integer,
  door text not null check (door in ('api', 'web', 'link', 'reply', 'timeout', 'worker')),
  decision integer not null,
  action json,
  at timestamptz not null,
  primary key (game_id, seq)
);
create table outbox (
  id bigint generated always as identity primary key,
  dedupe_key text not null unique,
  kind text not null,
  game_id uuid not null references game,
  payload jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'done', 'skipped', 'dead')),
  attempts integer not null default 0,
  last_error text,
  not_before timestamptz not null default now(),
  done_at timestamptz
);
create index outbox_due on outbox (kind, not_before) where state = 'pending';
create table idempotency (
  principal uuid not null,
  key text not null check (length(key) between 1 and 128),
  request_hash bytea not null,
  game_id uuid not null references game,
  first_seq integer not null,
  last_seq integer not null,
  created_at timestamptz not null default now(),
  primary key (principal, key)
);
create table action_link (
  hash bytea primary key,
  game_id uuid not null references game,
  seat integer not null,
  decision integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
"""
# For every role, the owner included, and for statements that would touch no row as well.
_IMMUTABLE = """
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger event_is_append_only before update or delete or truncate on event
  for each statement execute function refuse_change();
"""


def upgrade() -> None:
    """Create everything."""
    op.execute(_TABLES)
    op.execute(_IMMUTABLE)
