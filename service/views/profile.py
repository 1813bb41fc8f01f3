"""The profile of an account, as others may see it: built up field by field, and only as far as its owner allows."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.shared.refusal import NotFound
from service.store.handles import find
from service.texts.names import shown

View = dict[str, Any]

_VISIBLE: Final = text("select visibility = 'public' from player where id = :owner and blocked is null")
_PLAYER: Final = text("""
select p.handle, p.name, p.created_at, p.owner is not null as bot from player p where p.id = :player
""")
# Imported games were played by others, and a deal that is over would tell of results before they are shown.
_PLAYED: Final = text("""
select g.ruleset, g.seats, count(*) as games from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.status = 'finished' and g.origin = 'here' and g.deal is null
 group by g.ruleset, g.seats order by g.ruleset, g.seats
""")


def may_see(db: Connection, viewer: UUID, owner: UUID) -> bool:
    """Return whether the viewer may see the owner's profile; what is for friends is, so far, for the owner alone."""
    return viewer == owner or bool(db.execute(_VISIBLE, {"owner": owner}).scalar_one_or_none())


def profile_by_handle(db: Connection, viewer: UUID, handle: str, language: str) -> View:
    """Return the profile of the account with the handle; NotFound for one that is hidden, as for none."""
    player = find(db, handle)
    if player is None or not may_see(db, viewer, player):
        raise NotFound("player")
    row: Any = db.execute(_PLAYER, {"player": player}).one()
    return {
        "handle": row.handle,
        "name": shown(row.name, language),
        "bot": row.bot,
        "since": row.created_at.date().isoformat(),
        "played": [
            {"ruleset": each.ruleset, "seats": each.seats, "games": each.games}
            for each in db.execute(_PLAYED, {"player": player})
        ],
    }
