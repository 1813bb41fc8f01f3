"""Apps of other people, what players have granted them, and the tokens that came of it."""

from __future__ import annotations

from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables, and the index while tokens are written."""
    op.execute("""
create table app (
  id uuid primary key,
  owner uuid not null references player,
  name text not null,
  redirect_uris text[] not null,
  secret_hash bytea,
  created_at timestamptz not null
);
create index app_owner on app (owner, created_at, id);
create table app_grant (
  id uuid primary key,
  app_id uuid not null references app on delete cascade,
  player_id uuid not null references player,
  scopes text[] not null,
  granted_at timestamptz not null,
  unique (app_id, player_id)
);
create index app_grant_player on app_grant (player_id, granted_at, id);
create table app_code (
  id uuid primary key,
  hash bytea not null unique,
  grant_id uuid not null references app_grant on delete cascade,
  redirect_uri text not null,
  scopes text[] not null,
  challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index app_code_grant on app_code (grant_id, expires_at);
create index app_code_expires on app_code (expires_at);
create table app_refresh (
  hash bytea primary key,
  code_id uuid not null references app_code on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index app_refresh_code on app_refresh (code_id);
create index app_refresh_expires on app_refresh (expires_at);
alter table token add column code_id uuid references app_code on delete cascade;
""")
    with op.get_context().autocommit_block():
        # An attempt that was broken off leaves an index that is not used.
        op.execute("drop index concurrently if exists token_code")
        op.execute("create index concurrently token_code on token (code_id) where code_id is not null")
