"""A player may ask the others for leave to take an action back."""

from __future__ import annotations

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the requests, at most one for each game."""
    op.execute("""
create table take_back_request (
  game_id uuid constraint take_back_request_pkey primary key
    constraint take_back_request_game_id_fkey references game (id),
  seat integer not null,
  first integer not null,
  version integer not null,
  asked_at timestamptz not null,
  agreed integer[] not null default '{}'
);
""")
