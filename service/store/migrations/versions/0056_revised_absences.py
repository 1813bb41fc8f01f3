"""How often an absence has changed, and when last: calendars are told."""

from __future__ import annotations

from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; of absences that were announced before nobody knows."""
    op.execute("alter table absence add column revision integer not null default 0, add column changed_at timestamptz")
