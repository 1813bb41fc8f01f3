"""Rows of the outbox count the attempts in a row that have failed, or killed their process."""

from __future__ import annotations

from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; attempts that were made before do not count."""
    op.execute("alter table outbox add column failures smallint not null default 0")
