"""Weights from self-play: a player plays against itself, and its features are fitted to how the games ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from service.players.dice import Apart
from service.players.fit import Fit
from service.players.match import Chair, play
from service.players.player import alike, best
from service.players.values import by_weights, until_over
from service.rules.kernel import AnyRuleset, Dice
from service.rules.outcome import Outcome
from service.rules.valuation import Valuation

STRAYS: Final = 12
"""One action in so many is drawn, so that positions come up that a player would avoid."""


def train(
    ruleset: AnyRuleset, valuation: Valuation, seats: int, rounds: Sequence[int], name: str, step: Callable[[], None]
) -> tuple[list[float], int]:
    """Return fitted weights and the number of positions that the last round had.

    Each round plays so many games with the weights of the round before, the first one with the rules of thumb, and
    fits new weights to the leads at their ends. `step` is called after each game. The same name gives the same weights.
    """
    weights: Sequence[float] = valuation.rules_of_thumb
    for number, games in enumerate(rounds):
        fit = Fit(len(valuation.names))
        chair = Chair("hard", _straying(ruleset, valuation, weights))
        for game in range(games):
            moved, outcome = play(ruleset, [chair] * seats, f"{name}:{number}:{game}")
            for seat in range(seats):
                course = [valuation.features(after, seat) for mover, after in moved if mover == seat]
                fit.add(course, lead_at_end(outcome, seat))
            step()
        weights = fit.weights(weights)
    return list(weights), fit.positions


def lead_at_end(outcome: Outcome, seat: int) -> float:
    """Return by how much the seat was ahead of the best other one at the end of a game with scores."""
    scores = list(outcome["scores"] or ())
    return scores.pop(seat) - max(scores)


def _straying(ruleset: AnyRuleset, valuation: Valuation, weights: Sequence[float]) -> Callable[[Any, int, Dice], Any]:
    value = until_over(ruleset, by_weights(valuation, weights))

    def choose(state: Any, seat: int, dice: Dice) -> Any:
        table = alike(ruleset, state, seat, Apart(dice, "table 0"))
        actions = dice.shuffle("actions", ruleset.legal(table, seat))
        stray = dice.roll("stray", STRAYS)[0] == 1
        return actions[0] if stray else best(ruleset, [table], seat, actions, value, dice)

    return choose
