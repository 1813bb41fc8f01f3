"""Games whose log is in the archive: only for them, and only by two functions, are events removed and restored."""

from __future__ import annotations

from alembic import op
from sqlalchemy import text

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None
relaxes = "event event_is_append_only"
"""A trigger that refuses less than before: older code, which asks for nothing of it, does not notice."""

_TABLE = """
create table archived (
  game_id uuid primary key references game,
  sha256 bytea not null,
  bytes integer not null,
  ended_at timestamptz not null,
  at timestamptz not null default now()
);
create index archived_ended on archived (ended_at);
"""
_REMOVAL = """
create function keep_unarchived() returns trigger language plpgsql as $$
begin
  if exists (select from removed where not exists (select from archived a where a.game_id = removed.game_id)) then
    raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$$;
create or replace trigger event_is_append_only before update or truncate on event
  for each statement execute function refuse_change();
create trigger event_is_kept after delete on event referencing old table as removed
  for each statement execute function keep_unarchived();
"""
# The owner's rights, since the application has none to delete events. A game that is over and sealed never goes on.
_FUNCTIONS = """
create function archive_game(of_game uuid, at_version integer, digest bytea, size integer) returns boolean
language plpgsql security definer set search_path = {schema}, pg_temp as $$
declare
  ended timestamptz;
  removed integer;
begin
  perform from game where id = of_game and version = at_version and status = 'finished' and origin = 'here'
    and exists (select from seal where game_id = of_game) for no key update;
  if not found or exists (select from archived where game_id = of_game) then
    return false;
  end if;
  select at into strict ended from event where game_id = of_game and seq = at_version;
  insert into archived (game_id, sha256, bytes, ended_at) values (of_game, digest, size, ended);
  delete from event where game_id = of_game;
  get diagnostics removed = row_count;
  if removed <> at_version then
    raise exception 'game % has % events, and % were removed', of_game, at_version, removed;
  end if;
  return true;
end
$$;
create function unarchive_game(of_game uuid) returns boolean
language plpgsql security definer set search_path = {schema}, pg_temp as $$
begin
  perform from game g join event e on e.game_id = g.id where g.id = of_game
    group by g.id having count(*) = g.version and max(e.seq) = g.version;
  if not found then
    return false;
  end if;
  delete from archived where game_id = of_game;
  return found;
end
$$;
revoke execute on function archive_game, unarchive_game from public;
"""


def upgrade() -> None:
    """Create the table, the triggers and the functions."""
    quoted: str = op.get_bind().execute(text("select quote_ident(current_schema())")).scalar_one()
    op.execute(_TABLE)
    op.execute(_REMOVAL)
    op.execute(_FUNCTIONS.format(schema=quoted))
