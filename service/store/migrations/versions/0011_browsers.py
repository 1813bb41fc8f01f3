"""A browser stays signed in by a token of its own kind."""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0009"
branch_labels = None
depends_on = None

_COLUMN = "alter table token add column browser boolean not null default false"


def upgrade() -> None:
    """Create the column."""
    op.execute(_COLUMN)
