"""After the game: the same people are asked to play it again."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import Connection

from service.handlers.lobby import Plan, set_up, tell
from service.handlers.receipts import Receipt, claim, keep
from service.handlers.refusals import NotOver, NotSeated
from service.handlers.transaction import transaction
from service.store import invitations, notices, outbox
from service.store.games import Games, Position
from service.store.invitations import LIFETIME, Invitation
from service.store.known import require_known

_REMATCH = "select id from game where rematch_of = %s and status <> 'cancelled'"


def rematch(
    games: Games, game: UUID, player: UUID, now: datetime, receipt: Receipt[Position] | None = None
) -> Position:
    """Open the game anew with the player as its host and the others invited; or return the one that was opened before.

    Ruleset, options and terms are the same. A rematch that was cancelled may be followed by another.
    UnknownGame, NotSeated, NotOver, under a key also Repeated, KeyReused.
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
        position = _open_again(db, games, over, player, now) if earlier is None else games.open(db, earlier)
        # It may go on without those who took their time.
        require_known(db, position, player)
        keep(db, receipt, position)
    tell(games, position)
    games.wake()
    return position


def _open_again(db: Connection, games: Games, over: Position, host: UUID, now: datetime) -> Position:
    row = over.game
    position = set_up(
        db, games, host, Plan(row.ruleset, row.seats, row.options, row.terms), now, {"rematch_of": row.id}
    )
    for seat in over.seats:
        if seat.player_id != host:
            given = Invitation(uuid4(), position.game.id, host, None, seat.player_id, now, now + LIFETIME)
            invitations.give(db, given)
            if seat.email and not invitations.is_refused(db, seat.email.lower()):
                outbox.post(db, position.game.id, [notices.invitation(given.id)])
    return position
