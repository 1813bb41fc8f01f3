"""Acquaintances: blocks, ignored players, friends; reports of profiles; what finished games count for players."""

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
create table friendship (
  id uuid primary key,
  sender uuid not null references player,
  recipient uuid not null references player,
  state text not null default 'open',
  created_at timestamptz not null,
  answered_at timestamptz,
  link bytea unique,
  constraint friendship_state_check check (state in ('open', 'accepted', 'declined', 'withdrawn', 'ended')),
  constraint friendship_other_check check (sender <> recipient)
);
create unique index friendship_pair on friendship (least(sender, recipient), greatest(sender, recipient))
  where state in ('open', 'accepted');
create index friendship_sender on friendship (sender, created_at, id);
create index friendship_recipient on friendship (recipient, created_at, id);
create index friendship_over on friendship (answered_at) where state in ('declined', 'withdrawn', 'ended');
create table played_game (
  game_id uuid not null references game,
  player_id uuid not null references player,
  ruleset text not null,
  seats integer not null,
  people integer not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  place integer,
  won boolean not null,
  "left" boolean not null,
  points integer,
  moves integer not null,
  asked integer not null,
  lapsed integer not null,
  waits integer[] not null,
  primary key (game_id, player_id)
);
create index played_game_player on played_game (player_id, ended_at, game_id);
alter table report alter column game_id drop not null;
alter table report drop constraint report_about_check;
""")
