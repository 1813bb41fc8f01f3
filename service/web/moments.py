"""The moments of a finished game: the actions with which players gained most, in chances to win or in points."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from service.log.timeline import Timeline, TimelineStep
from service.players.analysis import Point
from service.rules.shared_events import ActionTakenBack
from service.web.points import points_measure

MOST: Final = 4


class ActionGain(NamedTuple):
    """What an action gained its seat: the number of its last event, its turn, and points or per cent of the chance."""

    seq: int
    turn: int
    seat: int
    gain: int


class Moment(NamedTuple):
    """An action that gained its player much, and whether it decided the game."""

    gained: ActionGain
    deciding: bool


def moments(gains: Iterable[ActionGain], winners: Collection[int], deciding: int | None) -> list[Moment]:
    """Return at most four moments in their order: the one that decided the game, and those of the largest gains.

    `deciding` is the turn that decided it. Of a player's actions in a turn the one that gained most is a moment.
    """
    best: dict[tuple[int, int], ActionGain] = {}
    for each in gains:
        known = best.get((each.turn, each.seat))
        if each.gain > 0 and (known is None or each.gain > known.gain):
            best[each.turn, each.seat] = each
    found = [Moment(each, each.turn == deciding and each.seat in winners) for each in best.values()]
    found.sort(key=lambda each: (not each.deciding, -each.gained.gain, each.gained.turn))
    return sorted(found[:MOST])


def gains_in_points(timeline: Timeline) -> Iterator[ActionGain]:
    """Yield what each action that was not taken back gained its seat in points; nothing in a game without points."""
    measure = points_measure(timeline.ruleset)
    if measure is None:
        return
    before = measure.count(timeline.after(timeline.steps[0]).state)
    for step in timeline.steps[1:]:
        if step.undone or isinstance(step.facts[0].event, ActionTakenBack):
            continue
        after = measure.count(timeline.after(step).state)
        if (seat := _player(step, len(after))) is not None:
            yield ActionGain(step.last, step.turn, seat, after[seat] - before[seat])
        before = after


def gains_in_chances(timeline: Timeline, points: Sequence[Point]) -> Iterator[ActionGain]:
    """Yield what each analysed action gained its seat, in per cent of the chance to win as all could know it."""
    for before, after in pairwise(points):
        step = timeline.steps[timeline.place(after.seq)]
        if (seat := _player(step, len(after.public))) is not None:
            yield ActionGain(step.last, step.turn, seat, round(100 * (after.public[seat] - before.public[seat])))


def _player(step: TimelineStep, seats: int) -> int | None:
    """Return the seat of the player who acted, None if that was nobody or an automaton."""
    acted = step.seat is not None and step.seat < seats and step.facts[0].action is not None
    return step.seat if acted else None
