"""Fold the log of a game: the ruleset's state, acts outside the rules, clocks, and the state after each event.

Events are only folded, never decided anew: a log can be folded however the rules have changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from service.log.clocks import Clocks, acted, awaiting, noted, started
from service.log.recorded import Recorded, milliseconds
from service.rules.kernel import AnyRuleset, GameStarted
from service.rules.outcome import Outcome
from service.rules.shared_events import (
    ActionTakenBack,
    BudgetCut,
    ComputerSeated,
    PaceSet,
    SeatHandedOver,
    SeatResigned,
    SharedEvent,
    TimeLapsed,
)

_NO_SEATS = frozenset[int]()


class Folded(Struct, frozen=True):
    """Fold of a log; `state` is None before the first event.

    `ended` is true if a resignation ended the game, `void` if the game ended without a result because a seat's time
    lapsed. `revision` is that of the rules at the game's beginning, 0 before.

    `passed` is how far decision numbers are ahead of the ruleset's: decisions undone by a take-back keep their numbers.

    `clocks` are those after the append of the last event, None in a game without a clock.

    `computers` maps the seats of computer players to the events that seated them; `cuts` maps those with a cut budget
    to the last such event.
    """

    state: Any = None
    resigned: tuple[int, ...] = ()
    ended: bool = False
    passed: int = 0
    revision: int = 0
    void: bool = False
    clocks: Clocks | None = None
    computers: Mapping[int, ComputerSeated] = {}
    cuts: Mapping[int, BudgetCut] = {}

    @property
    def stood_in(self) -> frozenset[int]:
        """Return the seats that the service plays: computer players', resigned, absent, or with a lapsed wait."""
        resigned, clocks = self.silent, self.clocks
        # Usually no seat is absent or lapsed, so skip the union.
        return resigned | clocks.absent | clocks.lapsed if clocks and (clocks.absent or clocks.lapsed) else resigned

    @property
    def silent(self) -> frozenset[int]:
        """Return the seats that are never awaited, asked or notified: resigned, or a computer player's."""
        # In most games there are none.
        return frozenset(self.resigned).union(self.computers) if self.resigned or self.computers else _NO_SEATS

    def tables(self, seat: int, decision: int) -> int | None:
        """Return the budget of the seat's computer player for a decision; None for its level's default."""
        cut = self.cuts.get(seat)
        return cut.tables if cut is not None and cut.decision == decision else None


NOTHING = Folded()


class LooksBack(Exception):
    """Take-back of an action before the given fold: fold the whole log instead."""


def fold_log(ruleset: AnyRuleset, facts: Iterable[Any], folded: Folded = NOTHING) -> Folded:
    """Fold the events, starting from an earlier fold; LooksBack."""
    log, then = list(facts), folded
    evolve, state = ruleset.evolve, folded.state
    for event in log:
        if not isinstance(event, SharedEvent):
            state = evolve(state, event)
        elif isinstance(event, ActionTakenBack):
            # Taken-back actions are found step by step.
            *_, last = folds(ruleset, log, folded)
            return last
        else:
            then = _noted(then, event)
    if not log:
        return then
    revision, seated = then.revision or log[0].revision, (then.computers, then.cuts)
    return Folded(state, then.resigned, then.ended, then.passed, revision, then.void, then.clocks, *seated)


def folds(ruleset: AnyRuleset, facts: Iterable[Any], folded: Folded = NOTHING) -> Iterator[Folded]:
    """Yield the fold after each event; LooksBack."""
    evolve, trail = ruleset.evolve, [folded]
    for event in facts:
        if not isinstance(event, SharedEvent):
            folded = replace(folded, state=evolve(folded.state, event), revision=folded.revision or event.revision)
        elif isinstance(event, ActionTakenBack):
            folded = _back(ruleset, event, trail)
        else:
            folded = _noted(folded, event)
        trail.append(folded)
        yield folded


def _noted(folded: Folded, event: Any) -> Folded:
    if isinstance(event, SeatResigned):
        return replace(folded, resigned=(*folded.resigned, event.seat), ended=event.ends)
    if isinstance(event, SeatHandedOver):
        return replace(folded, resigned=tuple(seat for seat in folded.resigned if seat != event.seat))
    if isinstance(event, ComputerSeated):
        return replace(folded, computers={**folded.computers, event.seat: event})
    if isinstance(event, BudgetCut):
        return replace(folded, cuts={**folded.cuts, event.seat: event})
    if isinstance(event, TimeLapsed) and event.ends:
        return replace(folded, void=True)
    return folded


def _back(ruleset: AnyRuleset, event: ActionTakenBack, trail: Sequence[Folded]) -> Folded:
    """Return the fold before the action; its decision gets a new number unless others still face the old one."""
    if trail[0] is not NOTHING:
        raise LooksBack
    then, now = trail[event.first - 1], trail[-1]
    used = ruleset.decision(now.state) - ruleset.decision(then.state)
    # Resignations and handovers do not depend on the action.
    return replace(
        then, resigned=now.resigned, computers=now.computers, passed=now.passed + used + 1 if used else now.passed
    )


def outcome(ruleset: AnyRuleset, seats: int, folded: Folded) -> Outcome | None:
    """Return the outcome, also by a resignation or a lapse; None while the game runs."""
    if folded.void:
        return {"winners": [], "scores": None, "reason": "time"}
    if folded.state is None or not folded.ended:
        return None if folded.state is None else ruleset.outcome(folded.state)
    # An automaton's seat follows those of the players, and it never resigns.
    everybody = range(seats + (seats in ruleset.meta.automata))
    winners = [seat for seat in everybody if seat not in folded.resigned]
    return {"winners": winners, "scores": None, "reason": "resignation"}


# Folding with clocks, which need the instant and the author of each append.


def appends(log: Sequence[Recorded]) -> Iterator[Sequence[Recorded]]:
    """Split a log into its appends; the log has to begin with the first event of an append."""
    begins = [place for place, each in enumerate(log) if not place or _begins(each)]
    for begin, end in pairwise([*begins, len(log)]):
        yield log[begin:end]


def clocked_folds(ruleset: AnyRuleset, log: Sequence[Recorded], folded: Folded = NOTHING) -> Iterator[Folded]:
    """Yield the fold after each event, with its clocks; LooksBack.

    Only the last event of an append has the clocks after the append; the others have those before.
    """
    bare, clocks = iter(folds(ruleset, (each.event for each in log), folded)), folded.clocks
    past: list[tuple[Clocks | None, Sequence[Recorded]]] = []
    for made in appends(log):
        for _ in made[:-1]:
            yield _with(next(bare), clocks)
        last = next(bare)
        past.append((clocks, made))
        if isinstance(made[0].event, ActionTakenBack):
            clocks = clocks_before(past, made[0].event.first)
        if clocks is not None or isinstance(made[-1].event, PaceSet):
            seats = made[0].event.seats if clocks is None else len(clocks.banks)
            clocks = after_append(clocks, made, players_to_act(ruleset, seats, last))
        yield _with(last, clocks)


def fold_clocked(ruleset: AnyRuleset, log: Sequence[Recorded], folded: Folded = NOTHING) -> Folded:
    """Fold a log with its clocks, starting from an earlier fold; LooksBack."""
    if folded.clocks is None and not any(isinstance(each.event, PaceSet) for each in log):
        return fold_log(ruleset, (each.event for each in log), folded)
    for each in clocked_folds(ruleset, log, folded):
        folded = each
    return folded


def after_append(clocks: Clocks | None, made: Sequence[Recorded], to_act: frozenset[int]) -> Clocks | None:
    """Return the clocks after an append, given those before; None in a game without a clock.

    `to_act` are the seats of players who have to act afterwards and have not resigned.
    """
    cause = made[0]
    if clocks is not None and cause.action is not None and _goes_on(clocks, to_act):
        return clocks
    event, at = made[-1].event, milliseconds(cause.at)
    if isinstance(event, PaceSet):
        clocks = started(event.pace, cause.event.seats)
    if clocks is None:
        return None
    if cause.action is None:
        clocks = noted(clocks, event, at)
    elif cause.seat is not None and cause.seat < len(clocks.banks):
        clocks = acted(clocks, cause.seat, cause.door)
    return awaiting(clocks, to_act, None if cause.action is None else cause.seat, at)


def _goes_on(clocks: Clocks, to_act: frozenset[int]) -> bool:
    """Return whether an action followed by these seats leaves all clocks unchanged, as most actions do."""
    return to_act == clocks.waits.keys() and not clocks.lapsed and not any(clocks.lapses)


def _with(folded: Folded, clocks: Clocks | None) -> Folded:
    return folded if folded.clocks is clocks else replace(folded, clocks=clocks)


def players_to_act(ruleset: AnyRuleset, seats: int, folded: Folded) -> frozenset[int]:
    """Return the seats of people who have to act and have not resigned."""
    if folded.state is None or folded.ended or folded.void:
        return frozenset()
    # The rules let nobody act in a finished game.
    to_act = ruleset.to_act(folded.state) & every_player(seats)
    return to_act - folded.silent if folded.resigned or folded.computers else to_act


@cache
def every_player(seats: int) -> frozenset[int]:
    return frozenset(range(seats))


def clocks_before(past: Sequence[tuple[Clocks | None, Sequence[Recorded]]], first: int) -> Clocks | None:
    """Return the clocks as if the append of the event `first`, and play since, had not happened (T-06).

    Players' own facts of time since then stay.
    """
    place = next(place for place, (_, made) in enumerate(past) if made[0].seq == first)
    clocks = past[place][0]
    for _, made in past[place:]:
        event = made[0].event
        if clocks is not None and made[0].action is None and not isinstance(event, TimeLapsed):
            clocks = noted(clocks, event, milliseconds(made[0].at))
    return clocks


def _begins(recorded: Recorded) -> bool:
    # The setup has no seat; it includes all events that a fork begins with.
    return recorded.seat is not None and (recorded.action is not None or isinstance(recorded.event, SharedEvent))


# Timelines: the state after each event, and the steps of the log.

TIMELINES = 32
"""Number of unrolled games that a process caches; each takes less than a megabyte."""


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """Append in a timeline: the setup, an action with all its effects, or an act outside the rules.

    `turn` is the turn of the append, 0 before the first; `undone` is true if it was taken back later.
    """

    facts: tuple[Recorded, ...]
    turn: int
    undone: bool

    @property
    def first(self) -> int:
        """Return the number of the first event."""
        return self.facts[0].seq

    @property
    def last(self) -> int:
        """Return the number of the last event."""
        return self.facts[-1].seq

    @property
    def seat(self) -> int | None:
        """Return the seat that acted, None for the setup."""
        return self.facts[0].seat

    @property
    def at(self) -> datetime:
        """Return the time of the append."""
        return self.facts[0].at


@dataclass(frozen=True, slots=True)
class Timeline:
    """Whole log: the fold after each event, from number 1, and its steps."""

    ruleset: AnyRuleset
    folds: Sequence[Folded]
    steps: Sequence[TimelineStep]

    def place(self, seq: int) -> int:
        """Return the index of the step with the event."""
        return bisect_left(self.steps, seq, key=lambda step: step.last)

    def after(self, step: TimelineStep) -> Folded:
        """Return the fold after a step."""
        return self.folds[step.last - 1]


def unroll(ruleset: AnyRuleset, log: Sequence[Recorded]) -> Timeline:
    """Unroll a log, from its first event on, into its steps."""
    folded = tuple(clocked_folds(ruleset, log))
    back = [each.event for each in log if isinstance(each.event, ActionTakenBack)]
    steps = []
    for facts in appends(log):
        first = facts[0].seq
        turn = ruleset.turn(folded[first - 2].state) if first > 1 else 0
        undone = any(each.first <= first <= each.last for each in back)
        steps.append(TimelineStep(tuple(facts), turn, undone))
    return Timeline(ruleset, folded, steps)


def counted_events(timeline: Timeline, until: int) -> list[Recorded]:
    """Return the ruleset's events up to a number that still counted then, without the start of the game."""
    kept: list[Recorded] = []
    for step in timeline.steps[: timeline.place(until) + 1]:
        first = step.facts[0].event
        if isinstance(first, ActionTakenBack):
            kept = [each for each in kept if not first.first <= each.seq <= first.last]
        kept += [each for each in step.facts if not isinstance(each.event, (GameStarted, SharedEvent))]
    return kept
