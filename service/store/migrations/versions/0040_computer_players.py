"""Computer players: rows of players that belong to nobody, each of a level."""

from __future__ import annotations

from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.execute("alter table player add column computer text")
