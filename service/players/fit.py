"""Linear values fitted to courses of games, by least squares of temporal differences (LSTD).

A value should agree with the value at the seat's next move, and at the end with what came of the game. From few games
this learns far more than a fit to the ends alone, whose chance it averages out (Bradtke and Barto 1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_PULL: Final = 0.005
"""How strongly weights are held at nothing, as a part of the mean square of their feature."""


class Fit:
    """What courses of games have said so far about so many features."""

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
