"""Training games: a term of a table by which its players may take hints."""

from __future__ import annotations

from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; no game so far is one."""
    op.execute("alter table game add column training boolean not null default false")
