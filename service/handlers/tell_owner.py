"""Mails to owners about what outlives a session: tokens, apps, passkeys, webhooks."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.transaction import transaction
from service.store import notices, outbox
from service.store.games import Games
from service.store.notices import AccountChange

_OWNER = text("select coalesce(owner, id) from player where id = :player")
_LASTING = text("""
select exists (select from token where player_id = :player and not browser and revoked_at is null)
    or exists (select from player where owner = :player and deleted_at is null)
    or exists (select from app_grant where player_id = :player)
    or exists (select from webhook where player_id = :player)
    or exists (select from channel where player_id = :player)
    or exists (select from calendar where player_id = :player)
""")


def tell_owner(db: Connection, player: UUID, what: AccountChange, about: object) -> None:
    """Enqueue a mail to the player, or to a bot's owner, in the transaction that makes the change."""
    owner: UUID = db.execute(_OWNER, {"player": player}).scalar_one()
    outbox.add(db, notices.account_changed(owner, what, about))


def tell_of_address(db: Connection, player: UUID) -> None:
    """Tell a guest with a new address of credentials made before, if any: the maker may be a thief of the cookie."""
    if db.execute(_LASTING, {"player": player}).scalar_one():
        outbox.add(db, notices.account_changed(player, "address-given", player))


def tell_of_export(games: Games, player: UUID, now: datetime) -> None:
    """Enqueue a mail about an export of the player's data, once a day."""
    with transaction(games.engine) as db:
        tell_owner(db, player, "data-exported", f"{player}:{now.date()}")
