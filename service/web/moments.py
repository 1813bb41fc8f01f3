"""The moments of a finished game: the actions with which players gained most."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from service.log.timeline import Timeline
from service.rules.shared_events import ActionTakenBack
from service.web.points import points_measure

MOST: Final = 4


class ScoringAction(NamedTuple):
    """An action that gained its player points: the number of its last event, and whether it decided the game."""

    seq: int
    turn: int
    seat: int
    gain: int
    deciding: bool


def moments(timeline: Timeline, winners: Collection[int], deciding: int | None) -> list[ScoringAction]:
    """Return at most four moments in their order: the one that decided the game, and those of the largest gains.

    `deciding` is the turn that decided it. Of a player's actions in a turn the one that gained most is a moment.
    """
    best: dict[tuple[int, int], ScoringAction] = {}
    for seq, turn, seat, gain in _gains(timeline):
        known = best.get((turn, seat))
        if gain > 0 and (known is None or gain > known.gain):
            best[turn, seat] = ScoringAction(seq, turn, seat, gain, deciding=turn == deciding and seat in winners)
    found = sorted(best.values(), key=lambda each: (not each.deciding, -each.gain, each.turn))
    return sorted(found[:MOST], key=lambda each: each.seq)


def _gains(timeline: Timeline) -> Iterator[tuple[int, int, int, int]]:
    """Yield each action that was not taken back: its last event, its turn, its seat, and what the seat gained."""
    measure = points_measure(timeline.ruleset)
    if measure is None:
        return
    before = measure.count(timeline.after(timeline.steps[0]).state)
    for step in timeline.steps[1:]:
        if step.undone or isinstance(step.facts[0].event, ActionTakenBack):
            continue
        after = measure.count(timeline.after(step).state)
        if step.seat is not None and step.seat < len(after) and step.facts[0].action is not None:
            yield step.last, step.turn, step.seat, after[step.seat] - before[step.seat]
        before = after
