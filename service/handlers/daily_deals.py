"""Daily deals: begin the one try, count its result."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.lobby import Plan, notify, set_up
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.players.solo import result_of
from service.shared.refusal import NotFound
from service.store import daily_deals
from service.store.daily_deals import Try, today
from service.store.game_row import Terms
from service.store.games import Games, Position

_WHO = text("select owner is not null as bot, handle is not null as named from player where id = :player")
_ENDED: Final = text("select at from event where game_id = :game and seq = :seq")


def begin_try(games: Games, player: UUID, now: datetime, nonce: str | None = None) -> Try:
    """Open the game of the player's try at today's deal, or return the try of before (D-03).

    NotFound without a deal today.
    """
    day = today(now)
    with transaction(games.engine) as db:
        # The second of two concurrent requests finds the first one's game.
        hold(db, player)
        found = daily_deals.try_of(db, day, player)
        if found is not None:
            return found
        deal = daily_deals.find(db, day)
        if deal is None or deal.ruleset not in games.rulesets:
            raise NotFound("deal")
        plan = Plan(deal.ruleset, deal.seats, deal.options, Terms(spectators=False, start="full"), nonce)
        position = set_up(db, games, player, plan, now, {"deal": day})
        who = db.execute(_WHO, {"player": player}).one()
        begun = Try(day, player, position.game.id, who.bot, who.named, now)
        daily_deals.begin(db, begun)
    notify(games, position)
    return begun


def count(db: Connection, position: Position, seq: int) -> bool:
    """Count the result of a finished try by its last event `seq`; return whether the try was uncounted.

    A try that was resigned, or ended after its day, has no result (D-05, D-06).
    """
    outcome = position.outcome
    found = daily_deals.lock_try(db, position.game.id)
    if found is None or found.ended_at is not None or outcome is None:
        return False
    at: datetime = db.execute(_ENDED, {"game": position.game.id, "seq": seq}).scalar_one()
    result = result_of(outcome) if today(at) == found.day else None
    if result is None:
        daily_deals.end(db, found.game, at, None, None, None)
    else:
        daily_deals.end(db, found.game, at, *result)
    return True
