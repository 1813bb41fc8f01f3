"""Whether a player is asked once more before an action that shows something hidden: theirs in every browser."""

from __future__ import annotations

from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.execute("alter table player add column asked_twice boolean not null default true")
