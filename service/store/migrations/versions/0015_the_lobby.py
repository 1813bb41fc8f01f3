"""What happens at a table before its game begins is kept too, for each game that is opened from now on."""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_TABLE = """
create table lobby_event (
  game_id uuid not null references game,
  seq integer not null constraint lobby_event_seq_check check (seq > 0),
  name text not null,
  data json not null,
  seat integer,
  at timestamptz not null,
  head bytea not null,
  primary key (game_id, seq)
);
create trigger lobby_event_is_append_only before update or delete or truncate on lobby_event
  for each statement execute function refuse_change();
"""


def upgrade() -> None:
    """Create the table."""
    op.execute(_TABLE)
