"""Players choose how often a mail reminds them of a deadline, and are not reminded of what they have looked at."""

from __future__ import annotations

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

# A player who wants no turn mails has not asked to be reminded of turns either.
_WISHES = """
alter table mail_wishes add column reminders integer,
  add constraint mail_wishes_reminders_check check (reminders between 0 and 2);
update mail_wishes set reminders = 0 where 'turn' = any(unwanted);
alter table seat add column looked boolean not null default false;
"""


def upgrade() -> None:
    """Add the number of reminders, and whether a player has looked at a table."""
    op.execute(_WISHES)
