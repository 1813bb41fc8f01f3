"""Accounts: guests, profiles, bots."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import Connection, func, insert, select, update

from service.handlers import handles
from service.handlers.browsers import let_in
from service.handlers.consent import ask
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import BotsMayNot, TooMany
from service.handlers.tell_owner import tell_owner
from service.handlers.tokens import hold, issue
from service.handlers.transaction import transaction
from service.store.budget import UNCOUNTED, Budget, spend
from service.store.games import Games
from service.store.identity import SCOPES, Identity
from service.store.tables import player

MOST_BOTS = 20
_BOTS = select(func.count()).where(player.c.deleted_at.is_(None))


def register(
    games: Games, name: str, email: str | None, language: str, now: datetime, budget: Budget = UNCOUNTED
) -> tuple[UUID, str]:
    """Create a guest; return the id, and a token of every scope, shown this once; MailsSpent.

    Nobody has checked the address: a mail asks there, and nothing else goes there before the answer.
    """
    player_id = uuid4()
    with transaction(games.engine) as db:
        db.execute(insert(player).values(id=player_id, name=name, email=email, language=language, created_at=now))
        _, text = issue(db, player_id, "first token", SCOPES, None, now)
        if email is not None:
            spend(db, budget, None, 1, now)
            ask(db, player_id, email, now)
    if email is not None:
        games.wake()
    return player_id, text


def newly_met(games: Games, name: str, language: str, now: datetime) -> tuple[UUID, str]:
    """Create a guest at a browser, which is signed in with it; return the id, and what the browser has to keep."""
    with transaction(games.engine) as db:
        return meet(db, name, None, language, now)


def meet(db: Connection, name: str, email: str | None, language: str, now: datetime) -> tuple[UUID, str]:
    """Create a guest at a browser within a transaction, as `newly_met`; an address is one whose mail brought them."""
    player_id, confirmed = uuid4(), email is not None
    profile = {"name": name, "email": email, "email_confirmed": confirmed, "language": language}
    db.execute(insert(player).values(id=player_id, created_at=now, **profile))
    return player_id, let_in(db, player_id, now)


def change(games: Games, player_id: UUID, profile: Mapping[str, Any], now: datetime) -> None:
    """Change what the profile says: `name`, `handle`, `language`, `time_zone`, `visibility` and `asked_twice`, as far
    as they are in it.

    HandleTaken, HandleChangedOften.
    """
    plain = {name: value for name, value in profile.items() if name != "handle"}
    if profile:
        with transaction(games.engine) as db:
            if plain:
                db.execute(update(player).where(player.c.id == player_id).values(**plain))
            if "handle" in profile:
                handles.settle(db, player_id, profile["handle"], now)


def create_bot(
    games: Games, owner: Identity, name: str, now: datetime, receipt: Receipt[tuple[UUID, str]] | None = None
) -> tuple[UUID, str]:
    """Create a bot of the owner's; return its id, and its token, which has the scopes of the one that asked.

    BotsMayNot, TooMany, under a key also Repeated, KeyReused.
    """
    if owner.player.owner is not None:
        raise BotsMayNot
    bot, profile = uuid4(), {"language": owner.player.language, "time_zone": owner.player.time_zone}
    with transaction(games.engine) as db:
        claim(db, receipt)
        hold(db, owner.player.id)
        if db.execute(_BOTS.where(player.c.owner == owner.player.id)).scalar_one() >= MOST_BOTS:
            raise TooMany(MOST_BOTS)
        db.execute(insert(player).values(id=bot, name=name, owner=owner.player.id, created_at=now, **profile))
        _, text = issue(db, bot, "first token", owner.token.scopes, None, now)
        tell_owner(db, bot, "bot-made", bot)
        keep(db, receipt, (bot, text))
    return bot, text
