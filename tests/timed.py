"""Games with a clock, in the situations that tests begin with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.handlers import lobby
from service.handlers.append import record
from service.log.recorded import milliseconds
from service.rules.pace import PACES, Pace
from service.rules.shared_events import TimeLapsed
from service.shared import clock
from service.store.events import Cause
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.builders import now_at, table_for
from tests.people import Person


def timed(games: Games, people: Sequence[Person], pace: Pace | None = None, ruleset: str = "sealed-bids") -> Position:
    """Return a game at its first decision, at the pace `daily` unless told."""
    game = table_for(games, ruleset, people[0], len(people), Terms(access="public", pace=pace or PACES["daily"]))
    for person in people[1:]:
        lobby.join(games, game, person.id, clock.now())
    return lobby.start(games, game, people[0].id, clock.now())


def noted(games: Games, position: Position, event: Any, door: str = "worker") -> Position:
    """Append a fact of time to a game, and return the game after it."""
    with games.engine.begin() as db:
        now = games.lock(db, position.game.id)
        after, _ = record(db, now, [event], Cause(event.seat, door, now.decision))
    games.committed(after)
    return after


def lapsed(games: Games, position: Position, seat: int) -> Position:
    """Let the time of a seat lapse now, whatever its deadline is."""
    at = milliseconds(clock.now())
    return noted(games, position, TimeLapsed(seat=seat, decision=position.decision, deadline=at, ends=False), "timeout")


def deadline_of(games: Games, position: Position, seat: int) -> int:
    """Return the deadline of a waiting seat, in milliseconds since 1970."""
    clocks = now_at(games, position.game.id).clocks
    deadline = None if clocks is None else clocks.deadline(seat)
    assert deadline is not None
    return deadline
