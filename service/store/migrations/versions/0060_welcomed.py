"""An account knows whether its person was asked for a name, and whether a browser has said its time zone."""

from __future__ import annotations

from alembic import op

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column: true for accounts that have a name already, false for all others, the new ones among them."""
    # A default of a new column is not written into the rows; so only those without a name are.
    op.execute("alter table player add column welcomed boolean not null default true")
    op.execute("alter table player alter column welcomed set default false")
    op.execute(
        "update player set welcomed = false"
        " where name in ('New player', 'Neuer Spieler', 'Nouveau joueur') and deleted_at is null"
    )
