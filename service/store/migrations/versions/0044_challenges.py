"""Challenges between accounts, bots that are ready to play, and tickets for streams of an account."""

from __future__ import annotations

from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


_CHALLENGES = """
create table challenge (
  id uuid primary key,
  sender uuid not null references player,
  recipient uuid not null references player,
  ruleset text not null,
  seats integer not null,
  options jsonb not null,
  terms jsonb not null,
  state text not null default 'open',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  answered_at timestamptz,
  game_id uuid references game,
  constraint challenge_state_check check (state in ('open', 'accepted', 'declined', 'withdrawn'))
);
create index challenge_sender on challenge (sender, created_at, id);
create index challenge_recipient on challenge (recipient, created_at, id);
create index challenge_expires on challenge (expires_at);
create table challenge_link (
  hash bytea primary key,
  challenge_id uuid not null references challenge on delete cascade
);
create index challenge_link_challenge on challenge_link (challenge_id);
"""
_READY = """
create table ready_bot (
  player_id uuid primary key references player,
  rulesets text[] not null,
  seats integer[] not null,
  since timestamptz not null,
  seen_at timestamptz not null
);
create index ready_bot_seen on ready_bot (seen_at);
create table account_ticket (
  hash bytea primary key,
  token_id uuid not null references token (id) on delete cascade,
  expires_at timestamptz not null
);
create index account_ticket_token on account_ticket (token_id);
"""


def upgrade() -> None:
    """Create the tables."""
    op.execute(_CHALLENGES)
    op.execute(_READY)
