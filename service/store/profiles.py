"""Who may see the profile of an account."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.store import friends
from service.store.handles import find

_VISIBILITY: Final = text("select visibility from player where id = :owner and blocked is null and deleted_at is null")


def may_see(db: Connection, viewer: UUID, owner: UUID) -> bool:
    """Return whether the viewer may see the owner's profile: everybody, friends, or the owner alone."""
    if viewer == owner:
        return True
    visibility = db.execute(_VISIBILITY, {"owner": owner}).scalar_one_or_none()
    return visibility == "public" or (visibility == "friends" and friends.are_friends(db, viewer, owner))


def visible(db: Connection, viewer: UUID, handle: str) -> UUID | None:
    """Return the account with the handle, None for a profile that the viewer may not see, as for none."""
    owner = find(db, handle)
    return owner if owner is not None and may_see(db, viewer, owner) else None
