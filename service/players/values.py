"""The worth of a position for a seat, in points of lead over the best of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import mul
from typing import Any, Final

from service.players.levels import Level
from service.rules.kernel import AnyRuleset
from service.rules.lookahead import valuation_of
from service.rules.valuation import Valuation, known_to

Value = Callable[[Any, int], float]
"""(state, seat): the worth of a position."""

WON: Final = 1_000.0
"""A victory is worth more than any lead."""


def value_of(ruleset: AnyRuleset, seats: int, level: Level, version: int | None = None) -> Value:
    """Return how a level values positions, in one of its versions, by default today's.

    LookupError if the game has no such level at a table of this size, or has none in that version yet.
    """
    if level == "easy":
        return until_over(ruleset, by_standings(ruleset))
    valuation = valuation_of(ruleset, seats)
    weights = None if valuation is None else weights_of(valuation, seats, level, version)
    if valuation is None or weights is None:
        raise LookupError(f"{ruleset.meta.title} has no level {level} with {seats} players")
    return until_over(ruleset, by_weights(valuation, weights))


def weights_of(valuation: Valuation, seats: int, level: Level, version: int | None = None) -> Sequence[float] | None:
    """Return the weights by which a level goes; None if it has none with so many players, or not in that version."""
    if level == "normal":
        return known_to(version, valuation.rules_of_thumb, seats)
    # The search goes by the newest weights that there are: no game has begun with an earlier version of it.
    return known_to(None if level == "expert" else version, valuation.weights, seats)


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
