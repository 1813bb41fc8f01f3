"""Begins and ends the absences of players: in the logs of their games, and in the mails that waited for them."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID

import structlog

from service.handlers.absence import tell
from service.log.recorded import instant
from service.mail.pace import send_held_mails
from service.runtime import Runtime
from service.shared import clock
from service.shared.error_class import error_class
from service.store import outbox, pace
from workers.outage import is_outage

LOOK_AGAIN: Final = timedelta(seconds=15)
"""The longest wait of a process whose clock is behind."""
log = structlog.get_logger()


def carry_out(runtime: Runtime, row_id: int) -> None:
    """Bring the logs of a player's games in line (payload `player`, `at`), and at a return send the mails held back.

    Each game is a transaction of its own, and one that is in line already is left as it is.
    """
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
        if row is None:
            return
        player, at = UUID(row.payload["player"]), instant(row.payload["at"])
        now = clock.now()
        if now < at:
            # The row is due by the database's clock, and facts are dated by this process's.
            outbox.later(db, row_id, min(at - now, LOOK_AGAIN), 0)
            return
        clocked = pace.clocked_games(db, player)
    failed = [error for game in clocked if (error := _failure(runtime, game))]
    if failed:
        # An error of the game itself, if there is one.
        raise min(failed, key=is_outage)
    with runtime.engine.begin() as db:
        if pace.has_absence_ended(db, player, at) and not pace.is_away(db, player, now):
            send_held_mails(db, player, at, now)
        outbox.finish(db, row_id, "done")
    runtime.games.wake()


def _failure(runtime: Runtime, game: UUID) -> Exception | None:
    """Bring the log of a game in line; return the error if it cannot be: it must not hold up the other games."""
    try:
        tell(runtime.games, game)
    except Exception as error:
        # Only the class is noted: a message may quote what is hidden.
        log.warning("absence not told", game=str(game), error=error_class(error))
        return error
    return None
