"""Players may wish that the links of their mails work for nobody who is not signed in as them."""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the wish, which nobody has had so far."""
    op.execute("alter table mail_wishes add column links_need_sign_in boolean not null default false")
