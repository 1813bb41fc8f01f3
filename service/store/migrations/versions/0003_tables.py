"""Tables with terms of their own, invitations to them, rematches, and the answers to keyed requests in the lobby."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_GAMES = """
alter table game
  add column name text,
  add column access text not null default 'invitation' check (access in ('public', 'invitation')),
  add column spectators boolean not null default true,
  add column start text not null default 'host' check (start in ('host', 'full')),
  add column on_resignation text not null default 'play-on' check (on_resignation in ('play-on', 'end')),
  add column rematch_of uuid references game;
create index game_public on game (created_at, id) where access = 'public';
create index game_open on game (created_at, id) where access = 'public' and status = 'open';
create unique index game_rematch on game (rematch_of) where status <> 'cancelled';
alter table seat add column arrival bigint generated always as identity;
"""
_INVITATIONS = """
create table invitation (
  id uuid primary key,
  game_id uuid not null references game,
  inviter uuid not null references player,
  email text,
  player_id uuid references player,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  unique (game_id, inviter, email),
  unique (game_id, player_id)
);
create index invitation_player on invitation (player_id);
create index invitation_email on invitation (email, created_at);
create table invitation_link (
  hash bytea primary key,
  invitation_id uuid not null references invitation
);
create table mail_refusal (
  address_hash bytea primary key,
  created_at timestamptz not null
);
"""
# Keys are stored as their digests from now on, because answers may follow from them.
_ANSWERS = """
alter table idempotency
  add column operation text not null default 'act',
  add column answer json,
  alter column game_id drop not null,
  alter column first_seq drop not null,
  alter column last_seq drop not null,
  drop constraint idempotency_pkey,
  add primary key (principal, operation, key);
update idempotency set key = encode(sha256(convert_to(key, 'UTF8')), 'hex');
"""


def upgrade() -> None:
    """Add the terms, the invitations and the answers."""
    for statements in (_GAMES, _INVITATIONS, _ANSWERS):
        op.execute(statements)
