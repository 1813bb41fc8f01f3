"""Requests for the analysis of a finished game, made once by a worker."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from service.handlers.refusals import NotOver, OneTry
from service.handlers.transaction import transaction
from service.players.analysis import VERSION
from service.shared import clock
from service.store import notices, outbox, proof
from service.store.games import Games, require_known


def ask_for_analysis(games: Games, game: UUID, player: UUID) -> Literal["asked", "ready"]:
    """Request the analysis of a finished game, unless requested before; return its state.

    Raises UnknownGame, NotOver, OneTry.
    """
    with transaction(games.engine) as db:
        position = games.open(db, game)
        require_known(db, position, player)
        if position.game.status != "finished" or position.state is None:
            raise NotOver
        if position.game.sealed_up(clock.now()):
            raise OneTry("day-runs")
        head = position.game.head
        if proof.ask_analysis(db, game, head, VERSION):
            outbox.post(db, game, [notices.analysis(game, head, VERSION)])
        stored = proof.find_analysis(db, game)
    games.wake()
    return "ready" if stored is not None and stored.ready else "asked"
