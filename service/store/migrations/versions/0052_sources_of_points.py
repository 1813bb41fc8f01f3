"""What points of a finished game are made of, and the scores of all; which tournament a report is about."""

from __future__ import annotations

from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; they are null for games that were counted before, until `boardroom rebuild`."""
    op.execute("alter table played_game add column scores integer[], add column sources jsonb")
    op.execute("alter table report add column competition_id uuid")
