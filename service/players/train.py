"""Weights from self-play: players by rules of thumb and by earlier weights meet, and features are fitted to what came.

Weights fitted to games of the fitted player alone were worse ones: it avoids the positions that would tell it more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from math import tanh
from typing import Any, Final

from service.players.dice import Apart
from service.players.fit import Fit
from service.players.match import Chair, play
from service.players.player import alike, best
from service.players.values import Value, value_of
from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, Dice
from service.rules.lookahead import worth_trying
from service.rules.outcome import Outcome
from service.rules.valuation import Valuation, known_to

STRAYS: Final = 12
"""One action in so many is drawn, so that positions come up that a player would avoid."""
ENOUGH: Final = 10
"""A lead of many more points than these counts little more than these."""


def train(
    ruleset: AnyRuleset, valuation: Valuation, seats: int, version: int, games: int, name: str, step: Callable[[], None]
) -> tuple[list[float], int]:
    """Return fitted weights of a version of `hard`, and the number of positions that they are fitted to.

    `step` is called after each game. The same name gives the same weights.
    """
    fit, kinds = Fit(len(valuation.names)), _kinds(ruleset, valuation, seats, version)
    for game in range(games):
        lots = Chance(sha256(f"{name}:{game}".encode()).digest()).roll("kinds", len(kinds), seats)
        moved, outcome = play(ruleset, [kinds[lot - 1] for lot in lots], f"{name}:{game}")
        for seat in range(seats):
            fit.add([valuation.features(after, seat) for mover, after in moved if mover == seat], end(outcome, seat))
        step()
    return fit.weights(), fit.positions


def _kinds(ruleset: AnyRuleset, valuation: Valuation, seats: int, version: int) -> Sequence[Chair]:
    """Return who may sit at a table: `normal`, and the weights of the version before, where there are any."""
    kinds = [Chair("normal", _straying(ruleset, value_of(ruleset, seats, "normal")))]
    if known_to(version - 1, valuation.weights, seats) is not None:
        kinds.append(Chair("hard", _straying(ruleset, value_of(ruleset, seats, "hard", version - 1))))
    return kinds


def end(outcome: Outcome, seat: int) -> float:
    """Return by how many points the seat was ahead of the best other one at the end, no more than ENOUGH of them."""
    scores = list(outcome["scores"] or ())
    return ENOUGH * tanh((scores.pop(seat) - max(scores)) / ENOUGH)


def _straying(ruleset: AnyRuleset, value: Value) -> Callable[[Any, int, Dice], Any]:
    def choose(state: Any, seat: int, dice: Dice) -> Any:
        table = alike(ruleset, state, seat, Apart(dice, "table 0"))
        actions = dice.shuffle("actions", worth_trying(ruleset, table, seat))
        stray = dice.roll("stray", STRAYS)[0] == 1
        return actions[0] if stray else best(ruleset, [table], seat, actions, value, dice)

    return choose
