"""What a computer player asks of a game: how it values positions, which actions to try, and what comes after.

A game may say which actions are worth trying; without that all legal ones are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.rules.caused import put_on
from service.rules.kernel import AnyRuleset, Dice
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
    return put_on(ruleset, state, ruleset.decide(state, seat, action, dice))
