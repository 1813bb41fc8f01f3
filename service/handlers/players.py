"""Accounts: guests, profiles, bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import Connection, func, insert, select, text, update

from service.handlers import handles
from service.handlers.browsers import let_in
from service.handlers.consent import ask
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import BotsMayNot, TooMany
from service.handlers.tell_owner import tell_owner
from service.handlers.tokens import hold, issue
from service.handlers.transaction import transaction
from service.store.access import SCOPES, Identity
from service.store.games import Games
from service.store.quotas import UNCOUNTED, Budget, spend
from service.store.tables import player
from service.texts.names import UNNAMED, UNNAMED_VARIANTS

MOST_BOTS = 20
# What a player has chosen is never overwritten.
_ARRIVE = text("""
update player set welcomed = :asked,
  name = case when name = any(:unnamed) then coalesce(cast(:name as text), name) else name end,
  time_zone = case when time_zone = 'UTC' then coalesce(cast(:zone as text), time_zone) else time_zone end
 where id = :player and not welcomed
""")
_BOTS = select(func.count()).where(player.c.deleted_at.is_(None))


@dataclass(frozen=True, slots=True)
class Arrival:
    """What is known of a person who comes in, by whatever way: the language, and the time zone of a browser.

    `name` is None where nobody was asked for one, and '' where the person did not say it. `email` is the address of a
    new player, and `confirmed` whether a mail to it has brought them.
    """

    language: str
    name: str | None = None
    zone: str | None = None
    email: str | None = None
    confirmed: bool = False


def arrive(db: Connection, player_id: UUID, arrival: Arrival) -> None:
    """Write what an account does not know yet of its person. Every way in comes through here."""
    values = {"name": arrival.name or None, "zone": arrival.zone, "asked": arrival.name is not None}
    db.execute(_ARRIVE, {"player": player_id, "unnamed": list(UNNAMED_VARIANTS), **values})


def register(games: Games, arrival: Arrival, now: datetime, budget: Budget = UNCOUNTED) -> tuple[UUID, str]:
    """Create a guest; return the id, and a token of every scope, shown this once; MailsSpent.

    Nobody has checked the address: a mail asks there, and nothing else goes there before the answer.
    """
    with transaction(games.engine) as db:
        player_id = _create(db, arrival, now)
        _, token = issue(db, player_id, "first token", SCOPES, None, now)
        if arrival.email is not None:
            spend(db, budget, None, 1, now)
            ask(db, player_id, arrival.email, now)
    if arrival.email is not None:
        games.wake()
    return player_id, token


def newly_met(games: Games, arrival: Arrival, now: datetime) -> tuple[UUID, str]:
    """Create a guest at a browser, which is signed in with it; return the id, and what the browser has to keep."""
    with transaction(games.engine) as db:
        return meet(db, arrival, now)


def meet(db: Connection, arrival: Arrival, now: datetime) -> tuple[UUID, str]:
    """Create a guest at a browser within a transaction, as `newly_met`."""
    player_id = _create(db, arrival, now)
    return player_id, let_in(db, player_id, now)


def welcome(games: Games, player_id: UUID, arrival: Arrival) -> None:
    """Write what an account does not know yet of its person, as `arrive`, in a transaction of its own."""
    with transaction(games.engine) as db:
        arrive(db, player_id, arrival)


def _create(db: Connection, arrival: Arrival, now: datetime) -> UUID:
    player_id = uuid4()
    address = {"email": arrival.email, "email_confirmed": arrival.confirmed}
    row = {"id": player_id, "name": UNNAMED, "language": arrival.language, "created_at": now}
    db.execute(insert(player).values(**row, **address))
    arrive(db, player_id, arrival)
    return player_id


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
        _, token = issue(db, bot, "first token", owner.token.scopes, None, now)
        tell_owner(db, bot, "bot-made", bot)
        keep(db, receipt, (bot, token))
    return bot, token
