"""A seat knows when its player was last seen at the table: no mail tells of a turn that they have before them."""

from __future__ import annotations

from alembic import op

revision = "0063"
down_revision = "0062"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, which is null for players who have not looked since."""
    op.execute("alter table seat add column looked_at timestamptz")
