"""Least squares with a small penalty on large weights: how linear values are fitted to the ends of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_PENALTY: Final = 1e-3
"""Of the mean square of each feature: enough for features that are always alike, too small to bend the others."""


@dataclass(slots=True)
class Fit:
    """Sums over examples; of `features` numbers each, in the order in which they came."""

    features: int
    examples: int = 0
    products: list[list[float]] = field(default_factory=list)
    sums: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.products = [[0.0] * self.features for _ in range(self.features)]
        self.sums = [0.0] * self.features

    def add(self, numbers: Sequence[float], target: float) -> None:
        """Take an example in: its features, and what came of it."""
        self.examples += 1
        for row, (number, products) in enumerate(zip(numbers, self.products, strict=True)):
            if number:
                self.sums[row] += number * target
                products[:] = [product + number * other for product, other in zip(products, numbers, strict=True)]

    def weights(self) -> list[float]:
        """Return the weights under which the sum of the features comes nearest to what came of the examples."""
        rows = [[*products, total] for products, total in zip(self.products, self.sums, strict=True)]
        for place, row in enumerate(rows):
            row[place] += _PENALTY * (row[place] or 1.0)
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
