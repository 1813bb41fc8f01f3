"""A game has a timer: when the outbox row is due that looks at its deadlines."""

from __future__ import annotations

from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; it is null for games whose deadlines have rows of their own, as they had before."""
    op.execute("alter table game add column timer timestamptz")
