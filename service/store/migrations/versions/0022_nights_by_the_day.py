"""An effect counts how often it was handed out in vain, and what happened on a day is found without reading all."""

from __future__ import annotations

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the count, and an index of blocks: it costs an append nothing, and the log lies in the order of time."""
    op.execute("alter table outbox add column handed_out integer not null default 0")
    for table in ("event", "lobby_event"):
        op.execute(
            f"create index {table}_at on {table} using brin (at) with (pages_per_range = 16, autosummarize = on)"
        )
    op.execute("create index action_link_game on action_link (game_id)")
