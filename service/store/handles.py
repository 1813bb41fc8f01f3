"""Handles of accounts, and those that accounts had before."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import BigInteger, Column, Connection, ForeignKey, Identity, Index, Table, Text, text

from service.store.tables import instant, metadata
from service.texts.names import HANDLE_PATTERN

VISIBILITIES: Final = ("public", "friends", "hidden")
"""Who may see the profile of an account: everybody, friends, or the account alone."""
HELD: Final = timedelta(days=365)
"""For how long nobody else can have a handle that was given back."""

# The skeleton alone: what the handle was is nobody's business any more.
former_handle = Table(
    "former_handle",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("skeleton", Text, nullable=False),
    # Who had it, and may have it again; null for a deleted account.
    Column("player_id", ForeignKey("player.id")),
    instant("released_at"),
    Index("former_handle_skeleton", "skeleton"),
    Index("former_handle_player", "player_id", postgresql_where=text("player_id is not null")),
    Index("former_handle_released", "released_at"),
)

_FIND = text("select id from player where handle = :handle and deleted_at is null")
_LOCK = text("select handle, handle_skeleton from player where id = :player for no key update")
_SET = text("update player set handle = :handle, handle_skeleton = :skeleton where id = :player")
_TAKEN = text("select exists (select from player where handle_skeleton = :skeleton and id <> :player)")
_HELD = text("""
select exists (select from former_handle
  where skeleton = :skeleton and player_id is distinct from cast(:player as uuid) and released_at > :since)
""")
_RELEASE = text("""
insert into former_handle (skeleton, player_id, released_at) values (:skeleton, :player, :now)
""")
_RELEASED = text("select count(*) from former_handle where player_id = :player and released_at > :since")


def find(db: Connection, handle: str) -> UUID | None:
    """Return the account with the handle, in small letters or capitals; None if there is none."""
    small = handle.lower()
    # PostgreSQL takes no text with a NUL in it.
    if not re.fullmatch(HANDLE_PATTERN, small):
        return None
    found: UUID | None = db.execute(_FIND, {"handle": small}).scalar_one_or_none()
    return found


def lock(db: Connection, player: UUID) -> tuple[str | None, str | None]:
    """Lock the account for a change of its handle; return the handle and its skeleton."""
    row: Any = db.execute(_LOCK, {"player": player}).one()
    return row.handle, row.handle_skeleton


def put(db: Connection, player: UUID, handle: str | None, skeleton: str | None) -> None:
    """Give the account a handle, or none; IntegrityError if another has one that looks like it."""
    db.execute(_SET, {"player": player, "handle": handle, "skeleton": skeleton})


def is_taken(db: Connection, player: UUID, skeleton: str) -> bool:
    """Return whether another account has a handle that looks like it."""
    return bool(db.execute(_TAKEN, {"player": player, "skeleton": skeleton}).scalar_one())


def is_held(db: Connection, player: UUID, skeleton: str, now: datetime) -> bool:
    """Return whether another account had a handle that looks like it within the last year."""
    wanted = {"player": player, "skeleton": skeleton, "since": now - HELD}
    return bool(db.execute(_HELD, wanted).scalar_one())


def release(db: Connection, player: UUID, skeleton: str, now: datetime) -> None:
    """Note that the account has given a handle back."""
    db.execute(_RELEASE, {"player": player, "skeleton": skeleton, "now": now})


def released(db: Connection, player: UUID, since: datetime) -> int:
    """Return how many handles the account has given back since a moment."""
    count: int = db.execute(_RELEASED, {"player": player, "since": since}).scalar_one()
    return count
