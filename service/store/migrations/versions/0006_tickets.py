"""Tickets for streams: a browser's EventSource can show nothing but an address."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_TABLES = """
create table stream_ticket (
  hash bytea primary key,
  token_id uuid not null references token (id) on delete cascade,
  game_id uuid not null references game,
  expires_at timestamptz not null
);
create index stream_ticket_token on stream_ticket (token_id);
"""


def upgrade() -> None:
    """Create the table."""
    op.execute(_TABLES)
