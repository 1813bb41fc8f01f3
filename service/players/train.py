"""Weights from self-play: a player by rules of thumb plays against itself, and features are fitted to what came of it.

Weights fitted to games of the fitted player were worse ones: it avoids the positions that would tell it more.
"""

from __future__ import annotations

from collections.abc import Callable
from math import tanh
from typing import Any, Final

from service.players.dice import Apart
from service.players.fit import Fit
from service.players.match import Chair, play
from service.players.player import alike, best
from service.players.values import by_weights, until_over
from service.rules.kernel import AnyRuleset, Dice
from service.rules.lookahead import worth_trying
from service.rules.outcome import Outcome
from service.rules.valuation import Valuation

STRAYS: Final = 12
"""One action in so many is drawn, so that positions come up that a player would avoid."""
ENOUGH: Final = 10
"""A lead of many more points than these counts little more than these."""


def train(
    ruleset: AnyRuleset, valuation: Valuation, seats: int, games: int, name: str, step: Callable[[], None]
) -> tuple[list[float], int]:
    """Return fitted weights and the number of positions that they are fitted to.

    `step` is called after each game. The same name gives the same weights.
    """
    fit = Fit(len(valuation.names))
    chair = Chair("normal", _straying(ruleset, valuation))
    for game in range(games):
        moved, outcome = play(ruleset, [chair] * seats, f"{name}:{game}")
        for seat in range(seats):
            fit.add([valuation.features(after, seat) for mover, after in moved if mover == seat], end(outcome, seat))
        step()
    return fit.weights(), fit.positions


def end(outcome: Outcome, seat: int) -> float:
    """Return by how many points the seat was ahead of the best other one at the end, no more than ENOUGH of them."""
    scores = list(outcome["scores"] or ())
    return ENOUGH * tanh((scores.pop(seat) - max(scores)) / ENOUGH)


def _straying(ruleset: AnyRuleset, valuation: Valuation) -> Callable[[Any, int, Dice], Any]:
    value = until_over(ruleset, by_weights(valuation, valuation.rules_of_thumb))

    def choose(state: Any, seat: int, dice: Dice) -> Any:
        table = alike(ruleset, state, seat, Apart(dice, "table 0"))
        actions = dice.shuffle("actions", worth_trying(ruleset, table, seat))
        stray = dice.roll("stray", STRAYS)[0] == 1
        return actions[0] if stray else best(ruleset, [table], seat, actions, value, dice)

    return choose
