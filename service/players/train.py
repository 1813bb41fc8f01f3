"""Train weights by self-play: players by rules of thumb and by earlier weights meet, and features are fitted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from math import tanh
from typing import Any, Final

from service.players.levels import Apart
from service.players.match import Chair, play
from service.players.player import best, lookalike_state
from service.players.values import Value, value_of
from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, Dice
from service.rules.lookahead import worth_trying
from service.rules.outcome import Outcome
from service.rules.valuation import Valuation, Weights, known_to

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
        table = lookalike_state(ruleset, state, seat, Apart(dice, "table 0"))
        actions = dice.shuffle("actions", worth_trying(ruleset, table, seat))
        stray = dice.roll("stray", STRAYS)[0] == 1
        return actions[0] if stray else best(ruleset, [table], seat, actions, value, dice)

    return choose


# Least squares of temporal differences (LSTD, Bradtke and Barto 1996).
#
# A value should agree with the value at the seat's next move, and at the end with the outcome. Few games teach more
# this way than by a fit to the ends alone: chance is averaged out.

_PULL: Final = 0.005
"""Ridge penalty of a weight, as a part of the sum of squares of its feature."""


class Fit:
    """Sums for a fit of so many features, from the courses of games so far."""

    def __init__(self, features: int) -> None:
        self.positions = 0
        self._changes = [[0.0] * features for _ in range(features)]
        self._ends = [0.0] * features
        self._squares = [0.0] * features

    def add(self, course: Sequence[Sequence[float]], end: float) -> None:
        """Take in the features of a seat after each of its moves in a game, and what came of the game for it."""
        after = [*course[1:], [0.0] * len(self._ends)]
        for now, then in zip(course, after, strict=True):
            change = [here - there for here, there in zip(now, then, strict=True)]
            for place, number in enumerate(now):
                if number:
                    row = self._changes[place]
                    self._changes[place] = [sum_ + number * each for sum_, each in zip(row, change, strict=True)]
            self._squares = [sum_ + number * number for sum_, number in zip(self._squares, now, strict=True)]
        for last in course[-1:]:
            self._ends = [sum_ + number * end for sum_, number in zip(self._ends, last, strict=True)]
        self.positions += len(course)

    def weights(self) -> list[float]:
        """Return the weights that fit best; a feature that told nothing has none."""
        rows = [[*row, end] for row, end in zip(self._changes, self._ends, strict=True)]
        for place, (row, square) in enumerate(zip(rows, self._squares, strict=True)):
            row[place] += _PULL * square or 1.0
        return _solved(rows)


def _solved(rows: list[list[float]]) -> list[float]:
    """Return the solution of linear equations, each a row with its right side last (Gauss-Jordan, with pivots)."""
    for column in range(len(rows)):
        pivot = max(range(column, len(rows)), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column]
        head[:] = [number / head[column] for number in head]
        for row in rows:
            if row is not head and row[column]:
                factor = row[column]
                row[:] = [number - factor * other for number, other in zip(row, head, strict=True)]
    return [row[-1] for row in rows]


# Fitted weights as a module's text: a game ships weights as it ships rules.

_HEAD = '''"""What the features are worth, by number of players; written by `boardroom train {name}`, not by hand."""

from collections.abc import Mapping

from service.rules.valuation import Weights

WEIGHTS: Mapping[int, Weights] = {{
'''


def module_of(name: str, features: Sequence[str], weights: Mapping[int, Weights]) -> str:
    """Return a Python module with WEIGHTS of one version: by number of players, each with the name of its feature."""
    tables = "".join(line for seats in sorted(weights) for line in _table(seats, features, weights[seats]))
    return _HEAD.format(name=name) + tables + "}\n"


def _table(seats: int, features: Sequence[str], fitted: Weights) -> Iterator[str]:
    yield f'    {seats}: Weights(\n        version={fitted.version},\n        figures="{fitted.figures}",\n'
    yield "        values=(\n"
    for feature, value in zip(features, fitted.values, strict=True):
        yield f"            {value:.4f},  # {feature}\n"
    yield "        ),\n    ),\n"
