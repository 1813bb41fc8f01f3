"""The accounts with the role of an operator."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.refusals import UnknownSubject
from service.handlers.transaction import transaction
from service.store.games import Games
from service.store.operation import Operator, note_operator_act

# Operators sign in anew by mail, so that they need an address. A session is kept for a month after its last use.
_ADD = text("""
insert into operator (player_id, since)
select id, :now from player where id = :player and email_verified and deleted_at is null and blocked is null
   and exists (select from token where player_id = :player and browser and kind in ('mail', 'passkey'))
on conflict do nothing
""")
_REMOVE = text("delete from operator where player_id = :player")
_IS = text("select true from operator where player_id = :player")


def add(games: Games, player: UUID, by: Operator, now: datetime) -> None:
    """Give an account the role; UnknownSubject if it has the role, or has not signed in with an address."""
    with transaction(games.engine) as db:
        if not db.execute(_ADD, {"player": player, "now": now}).rowcount:
            raise UnknownSubject
        note_operator_act(db, by, "operator-added", "player", player, now)


def remove(games: Games, player: UUID, by: Operator, now: datetime) -> None:
    """Take the role from an account; UnknownSubject if it does not have it."""
    with transaction(games.engine) as db:
        if not db.execute(_REMOVE, {"player": player}).rowcount:
            raise UnknownSubject
        note_operator_act(db, by, "operator-removed", "player", player, now)


def is_operator(db: Connection, player: UUID) -> bool:
    """Return whether an account has the role."""
    return db.execute(_IS, {"player": player}).first() is not None
