"""The moments of a finished game: the actions after which a player's points had risen most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.log.timeline import Timeline, TimelineStep
from service.web.points import Points

MOST: Final = 4


class ScoringTurn(NamedTuple):
    """A turn in which a player gained points: the number of its last event, and the points gained."""

    seq: int
    turn: int
    seat: int
    gain: int


def moments(timeline: Timeline, points: Points, deciding: int | None) -> list[ScoringTurn]:
    """Return at most four moments in their order: the turn that decided the game, and those of the largest gains."""
    ends = _ends(timeline.steps)
    found = [
        ScoringTurn(ends[turn].last, turn, seat, after - before)
        for turn in sorted(ends)
        if 0 < turn < len(points)
        for seat, (before, after) in enumerate(zip(points[turn - 1], points[turn], strict=True))
        if after > before and ends[turn].seat in (seat, None)
    ]
    found.sort(key=lambda each: (each.turn != deciding, -each.gain, each.turn))
    return sorted(found[:MOST], key=lambda each: each.turn)


def _ends(steps: Sequence[TimelineStep]) -> dict[int, TimelineStep]:
    """Return the last action of each turn that was not taken back."""
    return {step.turn: step for step in steps if step.facts[0].action is not None and not step.undone}
