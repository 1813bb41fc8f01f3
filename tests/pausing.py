"""Pauses as the tests propose them, agree to them and end them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from service.handlers import pace
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import now_at
from tests.consenting import (
    DAY,
    moment,
    player,
)

ALICE, BOB, CAROL = 0, 1, 2
WEEK = 7 * DAY
PAUSED = ["pause-proposed", "pause-agreed", "pause-agreed", "game-paused"]


def proposed(games: Games, position: Position, seat: int = ALICE, length: timedelta = WEEK, **more: Any) -> Position:
    """Return the game after a seat has proposed a pause."""
    now = clock.now()
    return pace.propose_pause(games, position.game.id, player(position, seat), now + length, "api", now, **more)


def agreed(games: Games, position: Position, *seats: int) -> Position:
    """Return the game after these seats have agreed to the pause that is proposed."""
    for seat in seats:
        clocks = now_at(games, position.game.id).clocks
        assert clocks is not None and clocks.proposed is not None
        until = moment(clocks.proposed.until)
        position = pace.agree_to_pause(games, position.game.id, player(position, seat), until, "web", clock.now())
    return position


def paused(games: Games, position: Position, length: timedelta = WEEK) -> Position:
    """Return the game after Alice has proposed a pause and the others have agreed."""
    return agreed(games, proposed(games, position, length=length), BOB, CAROL)


def resumed(games: Games, position: Position, seat: int) -> Position:
    """Return the game after a seat has ended the pause."""
    return pace.stop_pause(games, position.game.id, player(position, seat), "api", clock.now())


def deadlines(position: Position) -> list[int | None]:
    """Return the deadlines of the seats that have to act, in the order of the seats."""
    assert position.clocks is not None
    return [position.clocks.deadline(seat) for seat in sorted(position.awaited)]
