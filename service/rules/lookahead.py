"""What a computer player asks of a game: how it values positions, which actions to try, and what comes after.

A game may have a quicker way for the last two; without it they follow from what every game has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.rules.kernel import AnyRuleset, Dice, fold
from service.rules.valuation import Valuation


def valuation_of(ruleset: AnyRuleset, seats: int) -> Valuation | None:
    """Return how a game values positions at tables of one size; None if it does not."""
    valuation = ruleset.valuation
    if valuation is not None and seats == 1:
        valuation = valuation.alone
    return valuation if valuation is not None and seats in valuation.seats else None


def worth_trying(ruleset: AnyRuleset, state: Any, seat: int) -> Sequence[Any]:
    """Return the legal actions that a computer player thinks about; at least one if the seat has to act."""
    return (ruleset.candidates or ruleset.legal)(state, seat)


def after(ruleset: AnyRuleset, state: Any, seat: int, action: Any, dice: Dice) -> Any:
    """Return the state after an action; raises Illegal."""
    if ruleset.advance is not None:
        return ruleset.advance(state, seat, action, dice)
    return fold(ruleset, ruleset.decide(state, seat, action, dice), state)
