"""The hash chain over the log of each game that begins from now on."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.execute("alter table game add column head bytea; alter table event add column head bytea")
