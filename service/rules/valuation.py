"""What a game knows of good positions: numbers that describe one, and what each of them is worth.

A computer player adds them up; the weights come from `boardroom train`, which plays the game against itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What the features are worth at tables of one size, in points of lead at the end of the game.

    `values` are by feature. `figures` say how they came about and how they play: games, positions, win rates.
    """

    values: Sequence[float]
    version: int
    figures: str


class Gain(NamedTuple):
    """What speaks for a move that changes a feature: by language, with `{n}` for by how much.

    `rises` tells whether it speaks for the move that the feature rises with it, or that it falls.
    """

    rises: bool
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Valuation:
    """How a game values a position for a seat: the sum of its features, each times its weight.

    `seats` are the tables it knows. `rules_of_thumb` are weights by hand, `weights` fitted ones by number of players.
    `expert` has the numbers of players with whom a search on the fitted weights is proven to play better than they do.
    `gains` are by feature; hints do not speak of those that have none. `spreads` are by number of players: how many
    points a fitted value is from the lead at the end, so that a chance to win can be told from it. `alone` is how a
    game for one player is valued, which has features of its own.
    """

    seats: Sequence[int]
    names: Sequence[str]
    features: Callable[[Any, int], Sequence[float]]
    """(state, seat): the features, as many as `names`; they may look at nothing that is hidden from the seat."""
    rules_of_thumb: Sequence[float]
    weights: Mapping[int, Weights]
    expert: frozenset[int] = frozenset()
    gains: Mapping[str, Gain] = field(default_factory=dict)
    spreads: Mapping[int, float] = field(default_factory=dict)
    alone: Valuation | None = None
