"""Further addresses from which a player may answer mails, confirmed by a mailed link.

They sign nobody in, and no game mails go there. An unconfirmed address has no effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import consent as asking
from service.handlers.capability import draw, stored
from service.handlers.refusals import NoAddress, NotConfirmed, TooMany
from service.handlers.tell_owner import tell_owner
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.shared.refusal import NotFound
from service.store import notices, outbox
from service.store.games import Games
from service.store.mail import is_address_of_another

MOST: Final = 5
"""Limit of an account's further addresses, confirmed or not."""

_ACCOUNT = text("select email, email_confirmed as confirmed from player where id = :player and deleted_at is null")
_OTHERS = text("select count(*) from reply_address where player_id = :player and email <> :email")
_ADD = text("""
insert into reply_address (id, player_id, email, created_at) values (:id, :player, :email, :now)
on conflict (player_id, email) do update set email = excluded.email returning id, confirmed_at
""")
_REMOVE = text("delete from reply_address where id = :id and player_id = :player")
_ASKED = text("""
select a.email, p.id as player, p.language from reply_address a join player p on p.id = a.player_id
 where a.id = :id and a.confirmed_at is null
""")
_LINK = text("update reply_address set hash = :hash where id = :id")
_FIND = text("""
select a.id, a.email, a.confirmed_at, p.id as player, p.language
  from reply_address a join player p on p.id = a.player_id where a.hash = :hash
""")
_CONFIRM = text("update reply_address set confirmed_at = :now where id = :id and confirmed_at is null")


@dataclass(frozen=True, slots=True)
class Asked:
    """An unconfirmed address; its mail is in the player's language."""

    email: str
    player: UUID
    language: str


def add(games: Games, player: UUID, email: str, now: datetime) -> UUID:
    """Add an address, enqueue its confirmation mail (once a day for each address), and return its id.

    NoAddress or NotConfirmed if the account has no confirmed address, TooMany.
    """
    address = email.lower()
    with transaction(games.engine) as db:
        hold(db, player)
        account: Any = db.execute(_ACCOUNT, {"player": player}).one()
        if account.email is None:
            raise NoAddress
        if not account.confirmed:
            raise NotConfirmed
        if db.execute(_OTHERS, {"player": player, "email": address}).scalar_one() >= MOST:
            raise TooMany(MOST)
        added: Any = db.execute(_ADD, {"id": new_id(), "player": player, "email": address, "now": now}).one()
        if added.confirmed_at is None:
            outbox.add(db, notices.reply_address(added.id, player, now.date()))
    games.wake()
    return UUID(str(added.id))


def remove(games: Games, player: UUID, address_id: UUID) -> None:
    """Remove an address; NotFound."""
    with transaction(games.engine) as db:
        if not db.execute(_REMOVE, {"id": address_id, "player": player}).rowcount:
            raise NotFound("entry")


def asked(db: Connection, address_id: UUID) -> Asked | None:
    """Return an unconfirmed address; None if it was removed or confirmed meanwhile."""
    found: Any = db.execute(_ASKED, {"id": address_id}).one_or_none()
    return None if found is None else Asked(found.email, found.player, found.language)


def prepare(db: Connection, address_id: UUID, address: Asked, now: datetime) -> tuple[str, str]:
    """Return the secrets of two new links: to confirm the address, and to refuse all requests to it.

    The previous link ends.
    """
    secret = draw()
    db.execute(_LINK, {"id": address_id, "hash": stored(secret)})
    return secret, asking.prepare(db, address.player, address.email, now)


def find(db: Connection, secret: str) -> Any:
    """Return the address behind a link (`email`, `confirmed_at`, `language`), None if unknown; read-only."""
    digest = stored(secret)
    return None if digest is None else db.execute(_FIND, {"hash": digest}).one_or_none()


def confirm(games: Games, secret: str, now: datetime) -> bool:
    """Confirm the address of a link; idempotent. False if unknown, or if another account has the address.

    A mail to the account's address tells the player.
    """
    with transaction(games.engine) as db:
        found = find(db, secret)
        if found is None or is_address_of_another(db, found.email, found.player):
            return False
        if db.execute(_CONFIRM, {"id": found.id, "now": now}).rowcount:
            tell_owner(db, found.player, "reply-address-confirmed", found.id)
    games.wake()
    return True
