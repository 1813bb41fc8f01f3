"""Players answer mails from further addresses that they have confirmed."""

from __future__ import annotations

from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

TABLE = """
create table reply_address (
  id uuid primary key,
  player_id uuid not null references player (id),
  email text not null,
  hash bytea unique,
  created_at timestamptz not null,
  confirmed_at timestamptz
)
"""


def upgrade() -> None:
    """Add the table."""
    op.execute(TABLE)
    op.execute("create unique index reply_address_player on reply_address (player_id, email)")
