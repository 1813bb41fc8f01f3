"""A game knows the last head of its lobby's chain, so that a lobby whose log is gone is no lobby without one."""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

# By the database itself: while machines change over to this, some still write to lobbies and know nothing of it.
_KNOWN = """
alter table game add column lobby bytea;
update game set lobby = (select head from lobby_event where game_id = game.id order by seq desc limit 1)
where exists (select from lobby_event where game_id = game.id);
create function know_lobby() returns trigger language plpgsql as $$
begin
  update game set lobby = new.head where id = new.game_id;
  return null;
end
$$;
create trigger lobby_event_is_known after insert on lobby_event
  for each row execute function know_lobby();
"""


def upgrade() -> None:
    """Add the column, and keep it."""
    op.execute(_KNOWN)
