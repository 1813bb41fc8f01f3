"""Links belong to a player, and can be taken out of use."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_LINKS = """
alter table action_link add player_id uuid references player;
alter table action_link add revoked_at timestamptz;
alter table action_link add revoked_for text
  constraint action_link_revoked_for_check check (revoked_for in ('seen', 'address', 'resigned', 'taken-back'));
update action_link l set player_id = s.player_id from seat s where (s.game_id, s.seat) = (l.game_id, l.seat);
delete from action_link where player_id is null;
alter table action_link alter player_id set not null;
create index action_link_player on action_link (player_id, game_id);
"""


def upgrade() -> None:
    """Change the table of links."""
    op.execute(_LINKS)
