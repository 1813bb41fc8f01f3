"""What a game's log adds up to: the ruleset's state, and what the players did beside the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from service.rules.kernel import HOUSE_EVENTS, AnyRuleset, Json, SeatResigned


@dataclass(frozen=True, slots=True)
class Folded:
    """A fold: `state` is None before the first event; `ended` tells that a resignation ended the game."""

    state: Any = None
    resigned: tuple[int, ...] = ()
    ended: bool = False


NOTHING = Folded()


def fold_log(ruleset: AnyRuleset, facts: Iterable[Any], folded: Folded = NOTHING) -> Folded:
    """Return what the events add up to, going on from an earlier fold."""
    evolve, state = ruleset.evolve, folded.state
    for event in facts:
        if type(event) not in HOUSE_EVENTS:
            state = evolve(state, event)
        elif isinstance(event, SeatResigned):
            folded = replace(folded, resigned=(*folded.resigned, event.seat), ended=event.ends)
    return replace(folded, state=state)


def outcome(ruleset: AnyRuleset, seats: int, folded: Folded) -> Json | None:
    """Return None while the game runs; then at least `winners` (seats) and `scores` (by seat; None after resigning)."""
    if folded.state is None or not folded.ended:
        return None if folded.state is None else ruleset.outcome(folded.state)
    # An automaton's seat follows those of the players, and it never resigns.
    everybody = range(seats + (seats in ruleset.meta.automata))
    winners = [seat for seat in everybody if seat not in folded.resigned]
    return {"winners": winners, "scores": None, "reason": "resignation"}
