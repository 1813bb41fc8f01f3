"""What is pruned, has failed or was checked is found in the outbox without reading all of it."""

from __future__ import annotations

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

_INDEXES = {
    "outbox_settled": "(done_at) where state in ('done', 'skipped')",
    "outbox_dead": "(kind) where state = 'dead'",
    "outbox_checks": "(kind, state, game_id) where kind in ('audit', 'canary', 'night')",
}


def upgrade() -> None:
    """Add the indexes while the outbox is written to."""
    with op.get_context().autocommit_block():
        for name, what in _INDEXES.items():
            # An attempt that was broken off leaves an index that is not used.
            op.execute(f"drop index concurrently if exists {name}")
            op.execute(f"create index concurrently {name} on outbox {what}")
