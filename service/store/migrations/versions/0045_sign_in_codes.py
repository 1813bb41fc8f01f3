"""Codes that a signed-in browser shows, with which another device signs in."""

from __future__ import annotations

from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.execute("""
create table sign_in_code (
  player_id uuid primary key references player,
  hash bytea not null unique,
  expires_at timestamptz not null
);
""")
