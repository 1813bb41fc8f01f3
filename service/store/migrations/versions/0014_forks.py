"""A game may go on from an event of a finished one."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.execute("alter table game add column fork_of uuid references game, add column fork_seq integer")
