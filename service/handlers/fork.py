"""The fork of a finished game: a new game that goes on from one of its steps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.lobby import notify, set_up
from service.handlers.plans import Plan
from service.handlers.refusals import NoSuchEvent, NotOver, NotRunning, OneTry
from service.handlers.transaction import transaction
from service.store.game_row import Terms
from service.store.games import Games, Position, require_known


@dataclass(frozen=True, slots=True)
class Fork:
    """The request for a fork: the finished game, the event `seq` whose step it follows, and the new game's terms."""

    game: UUID
    seq: int
    terms: Terms


def fork(games: Games, host: UUID, wanted: Fork, now: datetime, receipt: Receipt[Position] | None = None) -> Position:
    """Open a game that goes on from a finished one, with the host, a player, in seat 0, and return it.

    Seats and options are the same. It begins as any other game does, once its seats are taken. UnknownGame, NotOver,
    OneTry, NoSuchEvent, NotRunning where the game was over already; under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        over = games.open(db, wanted.game)
        require_known(db, over, host)
        if over.game.status != "finished":
            raise NotOver
        if over.game.sealed_up(now):
            raise OneTry("day-runs")
        if not 0 < wanted.seq <= over.version:
            raise NoSuchEvent(over.version)
        timeline = games.timeline(db, over)
        step = timeline.steps[timeline.place(wanted.seq)]
        if not over.ruleset.to_act(timeline.after(step).state):
            raise NotRunning("finished")
        row = over.game
        origin = {"fork_of": row.id, "fork_seq": step.last}
        position = set_up(db, games, host, Plan(row.ruleset, row.seats, row.options, wanted.terms), now, origin)
        keep(db, receipt, position)
    notify(games, position)
    return position
