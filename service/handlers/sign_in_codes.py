"""Codes that a signed-in browser shows, with which its player signs in on another device."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import UUID, uuid4

from sqlalchemy import text

from service.handlers.browsers import let_in
from service.handlers.tell_owner import tell_owner
from service.handlers.transaction import transaction
from service.store.games import Games

MINUTES: Final = 5
"""How long a code works."""
LENGTH: Final = 10
LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""What a code is made of: nothing that is read as something else. Ten of them are 50 bits."""
_KEEP = text(
    "insert into sign_in_code (player_id, hash, expires_at) values (:player, :hash, :expires_at)"
    " on conflict (player_id) do update set hash = excluded.hash, expires_at = excluded.expires_at"
)
_USE = text(
    "delete from sign_in_code using player p where p.id = sign_in_code.player_id and sign_in_code.hash = :hash"
    " and sign_in_code.expires_at > :now and p.deleted_at is null returning p.id"
)


def give(games: Games, player: UUID, now: datetime) -> str:
    """Return a new code of the player's, in two halves; the one before it does not work any more."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    with transaction(games.engine) as db:
        values = {"player": player, "hash": _hash(code), "expires_at": now + timedelta(minutes=MINUTES)}
        db.execute(_KEEP, values)
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def enter(games: Games, written: str, now: datetime) -> str | None:
    """Use a code up to sign a browser in; return the token for its cookie, None if the code does not work.

    Small letters, spaces and hyphens do not matter. AccountBlocked, and then the code is not used up.
    """
    code = "".join(each for each in written.upper() if each.isalnum())
    if len(code) != LENGTH:
        return None
    with transaction(games.engine) as db:
        player = db.execute(_USE, {"hash": _hash(code), "now": now}).scalar()
        if player is None:
            return None
        tell_owner(db, player, "code-used", uuid4())
        return let_in(db, player, now, "code")


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()
