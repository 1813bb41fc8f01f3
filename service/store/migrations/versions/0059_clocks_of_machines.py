"""Heartbeats tell by how much the clock of their machine is ahead of the database's."""

from __future__ import annotations

from alembic import op

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; it is null in the heartbeats of versions that do not measure it."""
    op.execute("alter table heartbeat add column clock_ms bigint")
