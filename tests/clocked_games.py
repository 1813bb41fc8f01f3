"""Games that stand nowhere and have a clock, as a mail sees them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from msgspec import structs

from service.log.clocks import Pause, awaiting, started
from service.log.folding import players_to_act
from service.log.recorded import milliseconds
from service.rules.pace import PACES, Pace
from tests.sample_games import NOW, Sample

DAILY = PACES["daily"]


def at(hours: float, since: datetime = NOW) -> int:
    """An instant of the log, so many hours after a moment."""
    return milliseconds(since + timedelta(hours=hours))


def clocked(found: Sample, hours: float = 30, pace: Pace = DAILY, **changes: Any) -> Sample:
    """Return the sample with a clock, whose seats were asked so many hours ago; `changes` are fields of its Clocks."""
    position = found.position
    folded, seats = position.folded, len(position.seats)
    to_act = players_to_act(position.ruleset, seats, folded)
    clocks = structs.replace(awaiting(started(pace, seats), to_act, None, at(-hours)), **changes)
    game = structs.replace(position.game, terms=replace(position.game.terms, pace=pace))
    return replace(found, position=replace(position, game=game, folded=structs.replace(folded, clocks=clocks)))


def paused(hours: float) -> Pause:
    """Return a pause that is over in so many hours."""
    return Pause(1, at(hours), frozenset({0, 1}))


def unreached(found: Sample, seat: int) -> Sample:
    """Return the sample with a player whose address does not work."""
    seats = [replace(row, unreachable=row.seat == seat) for row in found.position.seats]
    return replace(found, position=replace(found.position, seats=tuple(seats)))
