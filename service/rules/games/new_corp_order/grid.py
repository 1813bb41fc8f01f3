"""Grid: squares in reading order, neighbours, and the scan order of the ODS marker."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

from service.rules.games.new_corp_order.terms import Square

COLUMNS = "ABCD"


@cache
def squares_of(companies: int) -> tuple[Square, ...]:
    """Return the squares of a grid of 12 or 16 companies, row by row from A1."""
    return tuple(cast("Square", f"{column}{row + 1}") for row in range(companies // 4) for column in COLUMNS)


@cache
def neighbours_of(companies: int) -> Mapping[Square, tuple[Square, ...]]:
    """Return the orthogonally adjacent squares of every square: above, left, right, below."""
    on_grid = squares_of(companies)
    return {square: tuple(other for other in on_grid if _distance(square, other) == 1) for square in on_grid}


@cache
def scan_order(companies: int, column: int) -> tuple[Square, ...]:
    """Return the squares as ODS looks at them: the marker's column downwards, then the columns to its right (R-60)."""
    order = [COLUMNS[(column + step) % 4] for step in range(4)]
    return tuple(cast("Square", f"{name}{row + 1}") for name in order for row in range(companies // 4))


@cache
def edge_distance(companies: int, square: Square) -> int:
    """Return how many squares lie between a square and the nearest edge of the grid (R-62)."""
    column, row = COLUMNS.index(square[0]), int(square[1]) - 1
    return min(column, 3 - column, row, companies // 4 - 1 - row)


def _distance(first: Square, second: Square) -> int:
    return abs(ord(first[0]) - ord(second[0])) + abs(int(first[1]) - int(second[1]))
