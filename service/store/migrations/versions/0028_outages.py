"""It is written down when the relay, the outgoing mail or the web servers were not there (T-15)."""

from __future__ import annotations

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables: when each of the three was last there, and each time in which it was not."""
    op.execute("""
        create table last_seen (
          what text primary key,
          seen_at timestamptz not null
        ) with (fillfactor = 50);
        create table outage (
          id bigint generated always as identity primary key,
          what text not null,
          began_at timestamptz not null,
          ended_at timestamptz not null,
          constraint outage_order_check check (began_at < ended_at)
        );
        create index outage_ended on outage (ended_at);
    """)
