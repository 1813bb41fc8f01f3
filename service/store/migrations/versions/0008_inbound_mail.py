"""Mails that have come in, until they are answered and a while longer."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_TABLE = """
create table inbound_mail (
  id bigint generated always as identity primary key,
  digest bytea not null unique,
  link bytea not null,
  player_id uuid not null references player,
  game_id uuid not null references game,
  sealed bytea not null,
  own boolean not null,
  received_at timestamptz not null,
  outcome text,
  answered_at timestamptz
);
create index inbound_mail_player on inbound_mail (player_id, answered_at);
create index inbound_mail_received on inbound_mail (received_at);
"""


def upgrade() -> None:
    """Create the table."""
    op.execute(_TABLE)
