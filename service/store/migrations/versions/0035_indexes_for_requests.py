"""What a request looks up is found by an index, however many games, accounts and effects there are."""

from __future__ import annotations

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

# An index needs a function that is said to be immutable. This one is: the database's encoding never changes.
_DIGEST = """
create or replace function address_digest(address text) returns bytea language sql immutable strict parallel safe as
$$ select substr(sha256(convert_to(lower(address), 'UTF8')), 1, 16) $$
"""
_INDEXES = {
    "outbox_waiting": "outbox (game_id) where state = 'pending'",
    "player_address_digest": "player (address_digest(email)) where email is not null",
    "player_name": "player (lower(name))",
    "game_name": "game (lower(name)) where name is not null",
    "game_running": "game (created_at, id) where access = 'public' and status = 'running'",
    "game_imported": "game (created_at, id) where access = 'public' and origin = 'import'",
    "game_ruleset": "game (ruleset, created_at, id) where access = 'public'",
    "note_player": "note (player_id)",
    "invitation_inviter": "invitation (inviter)",
    "sign_in_asked": "sign_in (asked_at)",
}


def upgrade() -> None:
    """Add the function, and the indexes while the tables are written to."""
    op.execute(_DIGEST)
    with op.get_context().autocommit_block():
        for name, what in _INDEXES.items():
            # An attempt that was broken off leaves an index that is not used.
            op.execute(f"drop index concurrently if exists {name}")
            op.execute(f"create index concurrently {name} on {what}")
