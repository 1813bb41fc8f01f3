"""What a list says of games that run: everybody's points, and what has happened last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import Connection

from service.log.recorded import Recorded
from service.rules.tabletop.table import Table
from service.store.logs import LogStretch, read_stretches, recorded
from service.store.position import Position
from service.web.happened import newest_line
from service.web.panels import colour_of, initial_of
from service.web.session import Visitor
from service.web.sitting import Sitting, sitting_of

LOOKED_AT: Final = 12
"""So many events at the end of a log are read: of some of them there is nothing to tell."""


@dataclass(frozen=True, slots=True)
class SeatPoints:
    """The points of a seat as far as the visitor knows them, and whether it is the visitor's own seat."""

    name: str
    points: int
    own: bool


@dataclass(frozen=True, slots=True)
class LastEvent:
    """What has happened last, in a sentence; `name` is that of who did it, empty if nobody at the table did."""

    sentence: str
    name: str
    colour: str

    @property
    def initial(self) -> str:
        """The first letter of the name."""
        return initial_of(self.name)


@dataclass(frozen=True, slots=True)
class GameSoFar:
    """The points by seat, empty unless those of all are known, and what has happened last."""

    points: tuple[SeatPoints, ...]
    last: LastEvent | None


def games_so_far(db: Connection, positions: Sequence[Position], visitor: Visitor) -> Mapping[UUID, GameSoFar]:
    """Return what is said of games that have begun, as the visitor may know it, by one statement for all of them."""
    wanted = [LogStretch(each.game.id, max(0, each.version - LOOKED_AT), each.version) for each in positions]
    logs = read_stretches(db, wanted)
    return {
        each.game.id: _so_far(sitting_of(db, each, visitor), recorded(each.codec, logs.get(each.game.id, ())))
        for each in positions
    }


def _so_far(sitting: Sitting, happened: Sequence[Recorded]) -> GameSoFar:
    position = sitting.position
    table = Table(
        position.ruleset, position.state, position.game.seats, sitting.seat, sitting.rules_language, sitting.names
    )
    line = newest_line(sitting, table, happened)
    name = "" if line is None or line.seat is None else sitting.everybody[line.seat]
    last = None if line is None else LastEvent(line.sentence, name, colour_of(sitting.seat, line.seat))
    return GameSoFar(_points(sitting, table), last)


def _points(sitting: Sitting, table: Table) -> tuple[SeatPoints, ...]:
    panels = [table.panel(seat) for seat in range(table.panels)]
    found = tuple(
        SeatPoints(sitting.everybody[seat], each.points, seat == sitting.seat)
        for seat, each in enumerate(panels)
        if each.points is not None
    )
    return found if len(found) == len(panels) else ()
