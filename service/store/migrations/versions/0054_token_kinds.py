"""A session or token says of which kind it is, so that no label has to be believed."""

from __future__ import annotations

from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None

FILL = """
update token set kind = case
    when browser then case label
        when 'browser, by mail' then 'mail' when 'browser, by passkey' then 'passkey'
        when 'browser, by code' then 'code' else 'press' end
    when code_id is not null then 'app'
    when exists (select from player p where p.id = token.player_id and p.owner is not null) then 'bot'
    else 'personal' end
"""


def upgrade() -> None:
    """Add the column, and fill it from what there is: only the service has written labels of sessions.

    It stays null for what the release before makes meanwhile.
    """
    op.execute("alter table token add column kind text")
    op.execute(FILL)
