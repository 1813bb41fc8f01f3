"""A seat that its host has freed is still known, by the order of arrival, to the links of the mail that tells of it."""

from __future__ import annotations

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_TABLE = """
create table vacated_seat (
  arrival bigint primary key,
  game_id uuid not null references game,
  player_id uuid not null references player
);
create index vacated_seat_player on vacated_seat (player_id);
"""
# Whoever wants no mails about games at all wants none of the new kind.
_WISHES = """
update mail_wishes set unwanted = unwanted || '{problem}' where unwanted @> '{turn,started,over,message}'
"""


def upgrade() -> None:
    """Create the table."""
    op.execute(_TABLE)
    op.execute(_WISHES)
