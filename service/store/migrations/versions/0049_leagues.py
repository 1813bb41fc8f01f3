"""Leagues and tournaments: competitions, who has entered them, and their games."""

from __future__ import annotations

from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


_COMPETITIONS = """
create table league (
  id uuid primary key,
  slug text not null unique,
  title text not null,
  ruleset text not null,
  options jsonb not null,
  pace jsonb not null,
  rounds integer not null,
  entry_days integer not null,
  created_at timestamptz not null,
  closed_at timestamptz
);
create index league_listed on league (created_at, id);
create table competition (
  id uuid primary key,
  league_id uuid references league,
  number integer,
  host uuid references player,
  title text not null,
  public boolean not null default true,
  ruleset text not null,
  seats integer not null,
  options jsonb not null,
  pace jsonb not null,
  system text not null,
  rounds integer,
  by_itself boolean not null default true,
  state text not null default 'entry',
  round integer not null default 0,
  entry_until timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  over_at timestamptz,
  constraint competition_system_check check (system in ('groups', 'round-robin', 'swiss')),
  constraint competition_state_check check (state in ('entry', 'running', 'over', 'cancelled'))
);
create unique index competition_season on competition (league_id, number) where league_id is not null;
create index competition_tournament on competition (created_at, id) where league_id is null and public;
create index competition_host on competition (host, created_at, id) where host is not null;
"""
_GAMES = """
create table entrant (
  competition_id uuid not null references competition,
  player_id uuid not null references player,
  state text not null,
  entered_at timestamptz not null,
  rank integer,
  tier integer,
  group_number integer,
  place integer,
  points integer not null default 0,
  wins integer not null default 0,
  moves integer,
  ladder integer,
  primary key (competition_id, player_id),
  constraint entrant_state_check check (state in ('invited', 'entered', 'left-out', 'withdrawn'))
);
create index entrant_player on entrant (player_id, entered_at, competition_id);
create index entrant_table on entrant (competition_id, group_number, place);
create table pairing (
  id uuid primary key,
  competition_id uuid not null references competition,
  round integer not null,
  number integer not null,
  group_number integer,
  players uuid[] not null,
  game_id uuid unique references game,
  points integer[]
);
create unique index pairing_round on pairing (competition_id, round, number);
create index pairing_group on pairing (competition_id, group_number, round);
create index pairing_open on pairing (competition_id) where points is null;
alter table game add column competition_id uuid;
"""


def upgrade() -> None:
    """Create the tables, and let a game know of which competition it is."""
    op.execute(_COMPETITIONS)
    op.execute(_GAMES)
