"""Rated tables, the log of results, the ratings that follow from it, and the browsers at which sessions began."""

from __future__ import annotations

from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, and create the tables."""
    op.execute("""
alter table game add column rated boolean not null default false;
alter table token add column mark bytea;
create table result (
  number bigint generated always as identity primary key,
  game_id uuid not null unique references game,
  ruleset text not null,
  seats integer not null,
  ended_at timestamptz not null,
  uncounted text
);
create table result_seat (
  number bigint not null references result,
  seat integer not null,
  player_id uuid not null references player,
  place integer not null,
  primary key (number, seat)
);
create index result_seat_player on result_seat (player_id, number);
create table rating_step (
  player_id uuid not null references player,
  ruleset text not null,
  seats integer not null,
  number bigint not null references result,
  before double precision not null,
  mu double precision not null,
  sigma double precision not null,
  primary key (player_id, ruleset, seats, number)
);
create index rating_step_number on rating_step (number);
create table rating (
  id bigint generated always as identity,
  player_id uuid not null references player,
  ruleset text not null,
  seats integer not null,
  mu double precision not null,
  sigma double precision not null,
  games integer not null,
  listed boolean not null default true,
  primary key (player_id, ruleset, seats)
);
create index rating_settled on rating (ruleset, seats, mu desc, id) where listed and games >= 10;
create index rating_provisional on rating (ruleset, seats, mu desc, id) where listed and games < 10;
create trigger result_is_append_only before update or delete or truncate on result
  for each statement execute function refuse_change();
create trigger result_seat_is_append_only before update or delete or truncate on result_seat
  for each statement execute function refuse_change();
""")
