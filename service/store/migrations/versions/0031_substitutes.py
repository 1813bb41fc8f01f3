"""A seat of a running game can be taken over by another person, who is invited or asks for it."""

from __future__ import annotations

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of former players and of requests, and let an invitation name a seat."""
    op.execute("""
create table former_player (
  game_id uuid not null references game,
  seat integer not null,
  player_id uuid not null references player,
  joined_at timestamptz not null,
  left_at timestamptz not null,
  until_seq integer not null,
  primary key (game_id, seat, until_seq),
  unique (game_id, player_id)
);
create index former_player_player on former_player (player_id);
create table seat_request (
  id uuid primary key,
  game_id uuid not null references game,
  seat integer not null,
  player_id uuid not null references player,
  created_at timestamptz not null,
  answer text,
  constraint seat_request_answer_check check (answer in ('agreed', 'declined'))
);
create unique index seat_request_open on seat_request (game_id, player_id) where answer is null;
create index seat_request_player on seat_request (player_id);
alter table invitation add column seat integer;
create unique index invitation_address on invitation (game_id, inviter, email) where seat is null;
create unique index invitation_seat on invitation (game_id, inviter, email, seat);
alter table invitation drop constraint invitation_game_id_inviter_email_key;
alter table action_link drop constraint action_link_revoked_for_check;
alter table action_link add constraint action_link_revoked_for_check
  check (revoked_for in ('seen', 'address', 'resigned', 'taken-back', 'handed-over'));
""")
