"""Passkeys: the public keys with which accounts sign in, and the challenges that wait for an answer."""

from __future__ import annotations

from alembic import op

revision = "0037"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.execute("""
create table passkey (
  id uuid primary key,
  player_id uuid not null references player,
  name text not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  transports text[] not null,
  sign_count bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  copied_at timestamptz
);
create index passkey_player on passkey (player_id);
create table passkey_challenge (
  hash bytea primary key,
  ceremony text not null,
  player_id uuid references player,
  expires_at timestamptz not null,
  constraint passkey_challenge_ceremony_check check (ceremony in ('register', 'sign-in'))
);
""")
