"""A game's log unrolled: what it adds up to after every event, and the steps that it was written in.

It is only folded, never decided anew, so a game can be looked at again whatever the rules have become.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from service.log.clocked import appends, clocked_folds
from service.log.folding import Folded
from service.log.recorded import Recorded
from service.rules.kernel import AnyRuleset, GameStarted
from service.rules.shared_events import ActionTakenBack, SharedEvent

TIMELINES = 32
"""So many games are kept unrolled by each process for those who look at them again; one takes less than a megabyte."""


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """What was put into the log at once: the setup, an action with all that it caused, or an act outside the rules.

    `turn` is the one in which it was done, 0 before the first; `undone` tells that it was taken back later.
    """

    facts: tuple[Recorded, ...]
    turn: int
    undone: bool

    @property
    def first(self) -> int:
        """The number of its first event."""
        return self.facts[0].seq

    @property
    def last(self) -> int:
        """The number of its last event."""
        return self.facts[-1].seq

    @property
    def seat(self) -> int | None:
        """The seat that acted, None for the setup."""
        return self.facts[0].seat

    @property
    def at(self) -> datetime:
        """When it was done."""
        return self.facts[0].at


@dataclass(frozen=True, slots=True)
class Timeline:
    """A whole log: what it adds up to after each event, from number 1, and its steps."""

    ruleset: AnyRuleset
    folds: Sequence[Folded]
    steps: Sequence[TimelineStep]

    def place(self, seq: int) -> int:
        """Return the place among the steps of the one that the event belongs to."""
        return bisect_left(self.steps, seq, key=lambda step: step.last)

    def after(self, step: TimelineStep) -> Folded:
        """Return what the log adds up to after a step."""
        return self.folds[step.last - 1]


def unroll(ruleset: AnyRuleset, log: Sequence[Recorded]) -> Timeline:
    """Return a log, from its first event on, as the steps that it was written in."""
    folded = tuple(clocked_folds(ruleset, log))
    back = [each.event for each in log if isinstance(each.event, ActionTakenBack)]
    steps = []
    for facts in appends(log):
        first = facts[0].seq
        turn = ruleset.turn(folded[first - 2].state) if first > 1 else 0
        undone = any(each.first <= first <= each.last for each in back)
        steps.append(TimelineStep(tuple(facts), turn, undone))
    return Timeline(ruleset, folded, steps)


def counting(timeline: Timeline, until: int) -> list[Recorded]:
    """Return the events of the ruleset up to a number that still counted then, without the start of the game."""
    kept: list[Recorded] = []
    for step in timeline.steps[: timeline.place(until) + 1]:
        first = step.facts[0].event
        if isinstance(first, ActionTakenBack):
            kept = [each for each in kept if not first.first <= each.seq <= first.last]
        kept += [each for each in step.facts if not isinstance(each.event, (GameStarted, SharedEvent))]
    return kept
