"""What a computer player asks of a game thousands of times for one choice: which actions to try, and what comes after.

A game may have a quicker way for both; without it they follow from what every game has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.rules.kernel import AnyRuleset, Dice, fold


def worth_trying(ruleset: AnyRuleset, state: Any, seat: int) -> Sequence[Any]:
    """Return the legal actions that a computer player thinks about; at least one if the seat has to act."""
    return (ruleset.candidates or ruleset.legal)(state, seat)


def after(ruleset: AnyRuleset, state: Any, seat: int, action: Any, dice: Dice) -> Any:
    """Return the state after an action; raises Illegal."""
    if ruleset.advance is not None:
        return ruleset.advance(state, seat, action, dice)
    return fold(ruleset, ruleset.decide(state, seat, action, dice), state)
