"""How a game ends that the most points win, and what the points are until then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from service.rules.outcome import Outcome

Scores = Callable[[Any], Sequence[int]]


def most(scores: Sequence[int]) -> Outcome:
    """Return the outcome of a game that the seats with the most points win."""
    return {"winners": [seat for seat, score in enumerate(scores) if score == max(scores)], "scores": list(scores)}


def known(scores: Scores, imagined: Sequence[Any]) -> dict[str, Any]:
    """Return the standings: the points that each seat has at least, in all the states that look alike to a viewer."""
    return {"scores": [min(each) for each in zip(*map(scores, imagined), strict=True)]}
