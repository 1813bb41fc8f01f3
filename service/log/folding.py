"""What a game's log adds up to: the ruleset's state, and what the players did outside the rules.

The clocks need the moments of the events besides; `clocked.py` adds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from service.log.clocks import Clocks
from service.rules.kernel import AnyRuleset
from service.rules.outcome import Outcome
from service.rules.shared_events import (
    ActionTakenBack,
    BudgetCut,
    ComputerSeated,
    SeatHandedOver,
    SeatResigned,
    SharedEvent,
    TimeLapsed,
)

_NO_SEATS = frozenset[int]()


class Folded(Struct, frozen=True):
    """A fold: `state` is None before the first event.

    `ended` tells that a resignation ended the game, `void` that it ended without a result since a seat's time lapsed.
    `revision` is that of the rules which the game began with, 0 before it began.

    `passed` is by how much the numbers of decisions are ahead of the ruleset's: what an action had led to before it was
    taken back keeps its number for itself.

    `clocks` are those after the append that the last event belongs to, None in a game without a clock.

    `computers` are the seats of computer players, each with the event that seated it; `cuts` are those whose budget was
    cut, each with the last event that did so.
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
        """The seats that the service plays: computer players', resigned, absent, or with a wait that has lapsed."""
        resigned, clocks = self.silent, self.clocks
        # Most of the time all of them are there, and then nothing has to be put together.
        return resigned | clocks.absent | clocks.lapsed if clocks and (clocks.absent or clocks.lapsed) else resigned

    @property
    def silent(self) -> frozenset[int]:
        """The seats that nobody waits for, asks or tells of anything: resigned, or a computer player's."""
        # In most games there are none.
        return frozenset(self.resigned).union(self.computers) if self.resigned or self.computers else _NO_SEATS

    def tables(self, seat: int, decision: int) -> int | None:
        """Return the budget that the seat's computer player has for a decision; None if that is its level's own."""
        cut = self.cuts.get(seat)
        return cut.tables if cut is not None and cut.decision == decision else None


NOTHING = Folded()


class LooksBack(Exception):
    """An action is taken back that lies before the fold that was to be gone on from: fold the whole log."""


def fold_log(ruleset: AnyRuleset, facts: Iterable[Any], folded: Folded = NOTHING) -> Folded:
    """Return what the events add up to, going on from an earlier fold; LooksBack."""
    log, then = list(facts), folded
    evolve, state = ruleset.evolve, folded.state
    for event in log:
        if not isinstance(event, SharedEvent):
            state = evolve(state, event)
        elif isinstance(event, ActionTakenBack):
            # What has been taken back is found step by step.
            *_, last = folds(ruleset, log, folded)
            return last
        else:
            then = _noted(then, event)
    if not log:
        return then
    revision, seated = then.revision or log[0].revision, (then.computers, then.cuts)
    return Folded(state, then.resigned, then.ended, then.passed, revision, then.void, then.clocks, *seated)


def folds(ruleset: AnyRuleset, facts: Iterable[Any], folded: Folded = NOTHING) -> Iterator[Folded]:
    """Yield what the log adds up to after each of the events; LooksBack."""
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
    """Return the fold before the action, which faces a decision of a new number unless others still face the old."""
    if trail[0] is not NOTHING:
        raise LooksBack
    then, now = trail[event.first - 1], trail[-1]
    used = ruleset.decision(now.state) - ruleset.decision(then.state)
    # Who has resigned, and whose seat another person has taken over, does not depend on the action.
    return replace(
        then, resigned=now.resigned, computers=now.computers, passed=now.passed + used + 1 if used else now.passed
    )


def outcome(ruleset: AnyRuleset, seats: int, folded: Folded) -> Outcome | None:
    """Return None while the game runs; then how it has ended, be it by a resignation or a lapse."""
    if folded.void:
        return {"winners": [], "scores": None, "reason": "time"}
    if folded.state is None or not folded.ended:
        return None if folded.state is None else ruleset.outcome(folded.state)
    # An automaton's seat follows those of the players, and it never resigns.
    everybody = range(seats + (seats in ruleset.meta.automata))
    winners = [seat for seat in everybody if seat not in folded.resigned]
    return {"winners": winners, "scores": None, "reason": "resignation"}
