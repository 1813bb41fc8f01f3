"""Players and their tokens."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from string import ascii_letters, digits
from uuid import UUID, uuid4
from zlib import crc32

from sqlalchemy import Connection, insert, select

from service.handlers.transaction import transaction
from service.store.games import Games
from service.store.tables import player, token

PREFIX = "brd_"
_BASE62 = digits + ascii_letters
_SECRET, _CHECK = 30, 6
_BY_TOKEN = select(player.c.id, player.c.name, player.c.email, player.c.language).join(token)


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player's account."""

    id: UUID
    name: str
    email: str | None
    language: str


def register(games: Games, name: str, email: str | None, language: str, now: datetime) -> tuple[UUID, str]:
    """Create a player; return the id, and the token, which is shown this once and stored as its SHA-256 only."""
    with transaction(games.engine) as db:
        return enrol(db, name, email, language, now)


def enrol(db: Connection, name: str, email: str | None, language: str, now: datetime) -> tuple[UUID, str]:
    """Create a player within a transaction, as `register`."""
    player_id, text = uuid4(), _new_token()
    db.execute(insert(player).values(id=player_id, name=name, email=email, language=language, created_at=now))
    db.execute(insert(token).values(hash=_digest(text), player_id=player_id, created_at=now))
    return player_id, text


def authenticate(games: Games, text: str) -> PlayerRow | None:
    """Return the player whose token it is; a mistyped token is known by its checksum without asking the database."""
    if not _well_formed(text):
        return None
    with transaction(games.engine) as db:
        row = db.execute(_BY_TOKEN.where(token.c.hash == _digest(text))).one_or_none()
    return None if row is None else PlayerRow(row.id, row.name, row.email, row.language)


def _new_token() -> str:
    body = "".join(secrets.choice(_BASE62) for _ in range(_SECRET))
    return PREFIX + body + _checksum(body)


def _well_formed(text: str) -> bool:
    body, check = text[len(PREFIX) : -_CHECK], text[-_CHECK:]
    return text.startswith(PREFIX) and text.isascii() and len(body) == _SECRET and check == _checksum(body)


def _checksum(body: str) -> str:
    rest, check = crc32(body.encode()), ""
    for _ in range(_CHECK):
        rest, index = divmod(rest, len(_BASE62))
        check = _BASE62[index] + check
    return check


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()
