"""An append is not asked for what it cannot do wrong: what a column may hold is its type's, and games are kept."""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

# PostgreSQL reads a table's checks anew for each statement that writes to it, also those of columns that are not set. A
# domain is read once, and asked only for values that are set. It gets its check last, because a column of a type
# without one is changed in place.
_DOMAINS = (
    ("game_status", "text", "value in ('open', 'running', 'finished', 'cancelled')"),
    ("game_access", "text", "value in ('public', 'invitation')"),
    ("game_start", "text", "value in ('host', 'full')"),
    ("game_on_resignation", "text", "value in ('play-on', 'end')"),
    ("game_origin", "text", "value in ('here', 'import')"),
    ("event_door", "text", "value in ('api', 'web', 'link', 'reply', 'timeout', 'worker')"),
    ("event_seq", "integer", "value > 0"),
    ("outbox_state", "text", "value in ('pending', 'done', 'skipped', 'dead')"),
    ("idempotency_key", "text", "length(value) between 1 and 128"),
)
_COLUMNS = """
alter table game
  drop constraint game_status_check,
  drop constraint game_access_check,
  drop constraint game_start_check,
  drop constraint game_on_resignation_check,
  drop constraint game_origin_check,
  alter column status type game_status,
  alter column access type game_access,
  alter column start type game_start,
  alter column on_resignation type game_on_resignation,
  alter column origin type game_origin;
alter table event
  drop constraint event_door_check,
  drop constraint event_seq_check,
  alter column door type event_door,
  alter column seq type event_seq;
alter table outbox
  drop constraint outbox_state_check,
  alter column state type outbox_state;
alter table idempotency
  drop constraint idempotency_key_check,
  alter column key type idempotency_key;
"""
# What goes with an append names the game that the same statement moves on, and other notices name one that their
# transaction has read: it is there, and it stays. So nobody has to look for it once more for each row.
_KEPT = """
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'a % is kept, and so is its id', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger game_is_kept before delete or truncate or update of id on game
  for each statement execute function refuse_removal();
alter table event drop constraint event_game_id_fkey;
alter table outbox drop constraint outbox_game_id_fkey;
alter table idempotency drop constraint idempotency_game_id_fkey;
"""


def upgrade() -> None:
    """Make the checks domains, and keep the games."""
    for name, of, _ in _DOMAINS:
        op.execute(f"create domain {name} as {of}")
    op.execute(_COLUMNS)
    for name, _, check in _DOMAINS:
        op.execute(f"alter domain {name} add constraint {name}_check check ({check})")
    op.execute(_KEPT)
