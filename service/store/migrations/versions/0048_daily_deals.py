"""Daily deals: what is committed to for a day, the tries of players, and what they come to in a week and a month."""

from __future__ import annotations

from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables, and the column that says of which day's deal a game is."""
    op.execute("""
alter table game add column deal date;
create table deal (
  day date primary key,
  ruleset text not null,
  seats integer not null,
  options jsonb not null,
  commitment text not null,
  at timestamptz not null,
  public bytea not null,
  signature bytea not null,
  rooted date,
  best jsonb
);
create index deal_unrooted on deal (at) where rooted is null;
create index deal_rooted on deal (rooted) where rooted is not null;
create table deal_seed (
  day date primary key references deal,
  seed bytea not null
);
create table deal_try (
  day date not null references deal,
  player_id uuid not null references player,
  game_id uuid not null unique references game,
  bot boolean not null,
  named boolean not null,
  begun_at timestamptz not null,
  ended_at timestamptz,
  margin integer,
  won boolean,
  points integer,
  settled boolean not null default false,
  primary key (day, player_id)
);
create index deal_try_player on deal_try (player_id, day desc);
create index deal_try_place on deal_try (day, bot, margin, won, player_id)
  where named and margin is not null;
create index deal_try_unsettled on deal_try (day) where not settled and margin is not null;
create table deal_tally (
  day date not null references deal,
  bot boolean not null,
  margin integer not null,
  won boolean not null,
  named integer not null,
  others integer not null,
  primary key (day, bot, margin, won)
);
create table deal_standing (
  period text not null check (period in ('week', 'month')),
  since date not null,
  player_id uuid not null references player,
  total integer not null,
  days integer not null,
  named boolean not null,
  primary key (period, since, player_id)
);
create index deal_standing_player on deal_standing (player_id);
create index deal_standing_place on deal_standing (period, since, total, player_id) where named;
""")
