"""Apps of other people: registered and changed by their owners, and revoked by the players who granted them access."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final
from uuid import UUID, uuid4

from sqlalchemy import func, insert, select, text

from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import TooMany, UnknownApp, UnknownGrant
from service.handlers.tell_owner import tell_owner
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.store.games import Games
from service.store.tables import app

MOST: Final = 20
"""The most apps of one account."""
SECRET_PREFIX: Final = "brs_"  # noqa: S105 - the beginning of every secret, and none itself
"""How the secret of a confidential app begins, so that scanners of public places for secrets can tell one."""

_LOCK = text("select redirect_uris from app where id = :id and owner = :owner for no key update")
_CHANGE = text("""
update app set name = coalesce(:name, name), redirect_uris = coalesce(:redirect_uris, redirect_uris) where id = :id
""")
_END_CODES = text("""
delete from app_code using app_grant g where g.id = app_code.grant_id and g.app_id = :id and app_code.used_at is null
""")
_DELETE = text("delete from app where id = :id and owner = :owner")
_REVOKE = text("delete from app_grant where id = :id and player_id = :player")


@dataclass(frozen=True, slots=True)
class AppTerms:
    """The terms of a new app: its name, where it may be sent answers, and whether it can keep a secret."""

    name: str
    redirect_uris: Sequence[str]
    confidential: bool


@dataclass(frozen=True, slots=True)
class AppMade:
    """A new app; its `secret` is shown this once, and None for a public client."""

    id: UUID
    secret: str | None


def register(
    games: Games, owner: UUID, wanted: AppTerms, now: datetime, receipt: Receipt[AppMade] | None = None
) -> AppMade:
    """Register an app of the owner's; its secret is stored as its SHA-256 only. TooMany, Repeated, KeyReused."""
    made = AppMade(uuid4(), SECRET_PREFIX + secrets.token_urlsafe(32) if wanted.confidential else None)
    values = {"id": made.id, "owner": owner, "name": wanted.name, "redirect_uris": list(wanted.redirect_uris)}
    hashed = None if made.secret is None else digest_of_secret(made.secret)
    with transaction(games.engine) as db:
        claim(db, receipt)
        hold(db, owner)
        if db.execute(select(func.count()).where(app.c.owner == owner)).scalar_one() >= MOST:
            raise TooMany(MOST)
        db.execute(insert(app).values(**values, secret_hash=hashed, created_at=now))
        tell_owner(db, owner, "app-registered", made.id)
        keep(db, receipt, made)
    return made


def change(
    games: Games, owner: UUID, app_id: UUID, name: str | None = None, redirect_uris: Sequence[str] | None = None
) -> None:
    """Give an app of the owner's another name, or other addresses; what is None stays. UnknownApp.

    With other addresses the codes that have not been exchanged end: none is good any more at an address that has gone.
    What players have granted stays.
    """
    addresses = None if redirect_uris is None else list(redirect_uris)
    with transaction(games.engine) as db:
        kept: list[str] | None = db.execute(_LOCK, {"id": app_id, "owner": owner}).scalar()
        if kept is None:
            raise UnknownApp
        db.execute(_CHANGE, {"id": app_id, "name": name, "redirect_uris": addresses})
        if addresses not in (None, kept):
            db.execute(_END_CODES, {"id": app_id})
            tell_owner(db, owner, "app-registered", uuid4())


def delete(games: Games, owner: UUID, app_id: UUID) -> None:
    """Delete an app of the owner's, and with it all that players granted it; UnknownApp."""
    with transaction(games.engine) as db:
        if not db.execute(_DELETE, {"id": app_id, "owner": owner}).rowcount:
            raise UnknownApp


def revoke(games: Games, player: UUID, grant_id: UUID) -> None:
    """End at once what the player granted an app: its codes and all of its tokens are good no more; UnknownGrant."""
    with transaction(games.engine) as db:
        if not db.execute(_REVOKE, {"id": grant_id, "player": player}).rowcount:
            raise UnknownGrant


def digest_of_secret(secret: str) -> bytes:
    """Return the SHA-256 as which a secret of an app is stored; it has 256 random bits, so it needs no salt."""
    return sha256(secret.encode()).digest()
