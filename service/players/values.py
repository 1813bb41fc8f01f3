"""What a position is worth to a seat, in points of lead over the best of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import mul
from typing import Any, Final

from service.players.levels import Level
from service.rules.kernel import AnyRuleset
from service.rules.lookahead import valuation_of
from service.rules.valuation import Valuation

Value = Callable[[Any, int], float]
"""(state, seat): the worth of a position."""

WON: Final = 1_000.0
"""A victory is worth more than any lead."""


def value_of(ruleset: AnyRuleset, seats: int, level: Level) -> Value:
    """Return how a level values positions; LookupError if the game has no such level at a table of this size."""
    if level == "easy":
        return until_over(ruleset, by_standings(ruleset))
    valuation = valuation_of(ruleset, seats)
    if valuation is not None and level == "normal":
        return until_over(ruleset, by_weights(valuation, valuation.rules_of_thumb))
    if valuation is not None and level in ("hard", "expert") and seats in valuation.weights:
        return until_over(ruleset, by_weights(valuation, valuation.weights[seats].values))
    raise LookupError(f"{ruleset.meta.title} has no level {level} with {seats} players")


def by_standings(ruleset: AnyRuleset) -> Value:
    """Return the value by the standings that the seat may know: its score less the best other one."""

    def lead(state: Any, seat: int) -> float:
        scores = scores_at(ruleset, state, seat)
        return scores.pop(seat) - max(scores, default=0) if seat < len(scores) else 0

    return lead


def by_weights(valuation: Valuation, weights: Sequence[float]) -> Value:
    """Return the value by the game's features."""
    features = valuation.features
    return lambda state, seat: sum(map(mul, features(state, seat), weights))


def until_over(ruleset: AnyRuleset, value: Value) -> Value:
    """Return the value of positions in which a game that is over is worth its end, and nothing else."""

    def worth(state: Any, seat: int) -> float:
        outcome = ruleset.outcome(state)
        if outcome is None:
            return value(state, seat)
        return WON / len(outcome["winners"]) if seat in outcome["winners"] else -WON

    return worth


def scores_at(ruleset: AnyRuleset, state: Any, seat: int) -> list[float]:
    """Return the scores by seat if the game ended now, as far as the seat may know.

    Its standings tell them as `scores`, or as the `total` of each entry in `seats`. Where they do not, they are what
    the game measures first, which may follow from what is hidden: such a state has to be dealt again before.
    """
    standings = ruleset.standings(state, seat)
    if "scores" in standings:
        return list(standings["scores"])
    if "seats" in standings:
        return [each["total"] for each in standings["seats"]]
    return list(ruleset.measures[0].count(state))
