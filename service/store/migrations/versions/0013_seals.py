"""Seals of finished games, the keys they were made with, a tree a day; games that come from records."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_TABLES = """
create table seal_key (
  id text primary key,
  public bytea not null,
  since timestamptz not null,
  until timestamptz
);
create unique index seal_key_in_use on seal_key ((until is null)) where until is null;
create table seal (
  game_id uuid primary key references game,
  head bytea not null,
  at timestamptz not null,
  key text not null references seal_key,
  signature bytea not null
);
create index seal_at on seal (at, game_id);
create table seal_day (
  day date primary key,
  root bytea not null,
  count integer not null,
  at timestamptz not null
);
create trigger seal_is_append_only before update or delete or truncate on seal
  for each statement execute function refuse_change();
create trigger seal_day_is_append_only before update or delete or truncate on seal_day
  for each statement execute function refuse_change();
alter table game add origin text not null default 'here'
  constraint game_origin_check check (origin in ('here', 'import'));
alter table seat add drawn_by text not null default 'server'
  constraint seat_drawn_by_check check (drawn_by in ('client', 'server'));
"""


def upgrade() -> None:
    """Create the tables, and the column."""
    op.execute(_TABLES)
