"""Permutations of hidden things, for tables that a viewer cannot tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

Thing = TypeVar("Thing")
FEWEST_PERMUTATIONS: Final = 8


def sample_permutations(hidden: Sequence[Thing]) -> list[list[Thing]]:
    """Return several orders of hidden things, such that no place holds the same thing in all of them.

    Equal things have to stand side by side. If all are equal there is one order: everybody knows what lies where.
    """
    commonest = max((hidden.count(thing) for thing in hidden), default=0)
    # Things of other kinds than the commonest lie in one stretch of the circle; no step is longer than that stretch.
    step = max(1, min(len(hidden) - commonest, len(hidden) // FEWEST_PERMUTATIONS))
    return [[*hidden[shift:], *hidden[:shift]] for shift in range(0, len(hidden), step)] or [[]]
