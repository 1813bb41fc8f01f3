"""The rematch of a finished game, to which its other players are invited."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import Connection

from service.handlers.gate import REMATCH, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.invitations import may_be_mailed
from service.handlers.lobby import notify, set_up
from service.handlers.plans import Plan
from service.handlers.refusals import NotOver, NotSeated
from service.handlers.transaction import transaction
from service.players.levels import levels_for
from service.store import lobby, notices, outbox
from service.store.games import Games, Position, require_known
from service.store.lobby import INVITATION_LIFETIME, Invitation
from service.store.quotas import UNCOUNTED, Budget

_REMATCH = "select id from game where rematch_of = %s and status <> 'cancelled'"


def rematch(
    games: Games,
    game: UUID,
    player: UUID,
    now: datetime,
    receipt: Receipt[Position] | None = None,
    budget: Budget = UNCOUNTED,
) -> Position:
    """Open the game anew with the player as its host and the others invited; or return the one that was opened before.

    Ruleset, options, terms and computer players are the same. A rematch that was cancelled may be followed by another.
    A mail tells those of it whom an invitation by mail may go to, and who have confirmed their address; the others see
    it on the site. UnknownGame, NotSeated, NotOver, MailsSpent, under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        over = games.lock(db, game)
        require_known(db, over, player)
        if over.seat_of(player) is None:
            raise NotSeated
        if over.game.status != "finished":
            raise NotOver
        earlier: UUID | None = db.exec_driver_sql(_REMATCH, (game,)).scalar()
        if earlier is None:
            position = _open_again(db, games, over, player, now)
            reach(db, budget, REMATCH, player, _invite(db, position, over, now), now)
        else:
            position = games.open(db, earlier)
        # It may go on without those who took their time.
        require_known(db, position, player)
        keep(db, receipt, position)
    notify(games, position)
    games.wake()
    return position


def _open_again(db: Connection, games: Games, over: Position, host: UUID, now: datetime) -> Position:
    row = over.game
    # A level that the game has no more is no reason to have no rematch: its seat is left free.
    offered = levels_for(over.ruleset, row.seats)
    computers = [seat.computer for seat in over.seats if seat.computer is not None and seat.computer in offered]
    plan = Plan(row.ruleset, row.seats, row.options, row.terms, computers=computers)
    return set_up(db, games, host, plan, now, {"rematch_of": row.id})


def _invite(db: Connection, position: Position, over: Position, now: datetime) -> list[UUID]:
    """Invite those who sat there, and return the players who get a mail."""
    mailed_to = []
    # In this order, so that two who ask the same people do not wait for each other.
    for seat in sorted(over.seats, key=lambda seat: (seat.email or "").lower()):
        if seat.player_id == position.game.host or seat.computer is not None:
            continue
        given = Invitation(
            uuid4(), position.game.id, position.game.host, None, seat.player_id, now, now + INVITATION_LIFETIME
        )
        mailed = seat.confirmed and seat.email is not None and may_be_mailed(db, given, seat.email.lower())
        lobby.add_invitation(db, replace(given, mailed=mailed))
        if mailed:
            outbox.post(db, position.game.id, [notices.invitation(given.id)])
            mailed_to.append(seat.player_id)
    return mailed_to
