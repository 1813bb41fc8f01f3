"""What `profile:read` showed beyond the profile has a scope of its own, which no app is granted."""

from __future__ import annotations

from alembic import op

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None

FILL = """
update token set scopes = scopes || ' account:read'
 where code_id is null and scopes like '%profile:read%' and scopes not like '%account:read%'
"""


def upgrade() -> None:
    """Let all tokens but those of apps go on with what they could do."""
    op.execute(FILL)
