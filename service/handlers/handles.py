"""Handles: an account takes one, changes it, and gives it back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.handlers.refusals import HandleChangedOften, HandleTaken
from service.handlers.transaction import transaction
from service.store import daily_deals, people
from service.store.games import Games
from service.store.people import find_handle as find
from service.texts.names import RESERVED_HANDLES, handle_skeleton

__all__ = ["MOST_CHANGES", "WITHIN", "find", "release", "settle", "take"]

MOST_CHANGES: Final = 3
WITHIN: Final = timedelta(days=30)
"""How often an account may change its handle or give it back, within how long."""


def take(games: Games, player: UUID, handle: str, now: datetime) -> None:
    """Give an account a handle, in place of the one that it may have; HandleTaken, HandleChangedOften."""
    with transaction(games.engine) as db:
        settle(db, player, handle, now)


def release(games: Games, player: UUID, now: datetime) -> None:
    """Take the handle of an account away, if it has one; HandleChangedOften."""
    with transaction(games.engine) as db:
        settle(db, player, None, now)


def settle(db: Connection, player: UUID, handle: str | None, now: datetime) -> None:
    """Give an account a handle, or none, within a transaction; HandleTaken, HandleChangedOften.

    One that looks different from the one before gives that back: for a year nobody else can have it.
    """
    before, looked = people.lock_handle(db, player)
    if handle == before:
        return
    looks = None if handle is None else handle_skeleton(handle)
    if looks is not None and (looks in RESERVED_HANDLES or people.is_handle_taken(db, player, looks)):
        raise HandleTaken
    if looked is not None:
        if people.released_handles(db, player, now - WITHIN) >= MOST_CHANGES:
            raise HandleChangedOften(MOST_CHANGES, WITHIN.days)
        people.release_handle(db, player, looked, now)
    try:
        people.put_handle(db, player, handle, looks)
    except IntegrityError:
        raise HandleTaken from None
    daily_deals.name(db, player, handle is not None)
    # Asked afterwards: a handle that was given back while this one waited for it is held from now on.
    if looks is not None and people.is_handle_held(db, player, looks, now):
        raise HandleTaken
