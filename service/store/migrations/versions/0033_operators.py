"""Operators: the log of their acts, blocked accounts and addresses, the mode of the service, and reports by players."""

from __future__ import annotations

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables; the log of operators is append-only for every role, as the game log is."""
    op.execute("""
create table operator_event (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  act text not null,
  subject_kind text not null,
  subject text not null,
  reason text not null,
  details jsonb not null
);
create index operator_event_subject on operator_event (subject_kind, subject);
create trigger operator_event_is_append_only before update or delete or truncate on operator_event
  for each statement execute function refuse_change();
create table operator (
  player_id uuid primary key references player,
  since timestamptz not null
);
create table blocked_address (
  address_hash bytea primary key,
  reason text not null,
  blocked_at timestamptz not null
);
create table mode (
  what text primary key,
  begins timestamptz not null,
  ends timestamptz,
  texts jsonb not null,
  constraint mode_what_check check (what in ('read-only', 'maintenance'))
);
create table report (
  id uuid primary key,
  reporter uuid not null references player,
  reported uuid not null references player,
  about text not null,
  game_id uuid not null references game,
  number integer,
  quoted text not null,
  words text not null,
  created_at timestamptz not null,
  answer text,
  answered_at timestamptz,
  constraint report_about_check check (about in ('talk', 'name'))
);
create index report_open on report (created_at) where answer is null;
create index report_reporter on report (reporter);
create index report_reported on report (reported);
alter table player add column blocked text;
""")
