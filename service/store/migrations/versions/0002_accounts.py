"""Accounts: verified addresses, sign-in by mailed link, bots with an owner, and tokens with scopes."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_ACCOUNTS = """
alter table player
  add column email_verified boolean not null default false,
  add column time_zone text not null default 'UTC',
  add column owner uuid references player,
  add column deleted_at timestamptz,
  add constraint player_bot_check check (owner is null or email is null);
create unique index player_verified_email on player (email) where email_verified;
create index player_owner on player (owner) where owner is not null;
create table sign_in (
  id uuid primary key,
  email text not null,
  name text not null,
  language text not null,
  asked_at timestamptz not null
);
create table sign_in_link (
  hash bytea primary key,
  sign_in_id uuid not null references sign_in on delete cascade,
  expires_at timestamptz not null
);
create index sign_in_link_sign_in on sign_in_link (sign_in_id);
alter table outbox alter column game_id drop not null;
"""
# Tokens that were given out before may go on doing everything.
_TOKENS = """
alter table token
  add column id uuid not null default gen_random_uuid() unique,
  add column label text not null default '',
  add column scopes text not null
    default 'games:read games:play games:create profile:read profile:write webhooks:manage',
  add column last_four text not null default '',
  add column last_used_at timestamptz,
  add column expires_at timestamptz,
  add column revoked_at timestamptz;
alter table token
  alter column id drop default,
  alter column label drop default,
  alter column scopes drop default,
  alter column last_four drop default;
create index token_player on token (player_id);
"""


def upgrade() -> None:
    """Add the accounts, and give the tokens there are every scope."""
    op.execute(_ACCOUNTS)
    op.execute(_TOKENS)
