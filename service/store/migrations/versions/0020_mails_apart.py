"""Players may wish that the mails of a game stand apart, and are no thread."""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the wish, which nobody has had so far."""
    op.execute("alter table mail_wishes add column mails_apart boolean not null default false")
