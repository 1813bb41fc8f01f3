"""Value a position: features, which describe it in numbers, and the weight of each.

Computer players add up the weighted features; `boardroom train` finds weights by self-play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of the features at tables of one size, in points of lead at the end of the game.

    `values` are by feature. `version` is that of the level which was the first to go by them. `figures` say how they
    came about: by hand, or from which games and positions.
    """

    values: Sequence[float]
    version: int
    figures: str


Kept = Sequence[Mapping[int, Weights]]
"""Weights by number of players, for each version of a level that brought new ones, the oldest first.

None is ever taken away: a game goes on with the version of its computer players that it began with.
"""


def known_to(version: int | None, kept: Kept, seats: int) -> Sequence[float] | None:
    """Return the weights that a version of a level goes by at a table, by default the newest; None if it has none."""
    known = [each[seats] for each in kept if seats in each and (version is None or each[seats].version <= version)]
    return known[-1].values if known else None


def by_hand(
    names: Sequence[str], weights: Mapping[str, float], seats: Sequence[int], version: int
) -> Mapping[int, Weights]:
    """Return weights that somebody has thought of, by feature, for tables of these sizes; other features have none."""
    values = tuple(weights.get(name, 0.0) for name in names)
    return dict.fromkeys(seats, Weights(values=values, version=version, figures="by hand"))


class Gain(NamedTuple):
    """Reason for a move that changes a feature: by language, with `{n}` for by how much.

    `rises` tells whether it speaks for the move that the feature rises with it, or that it falls.
    """

    rises: bool
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Valuation:
    """Valuation of a position for a seat: the sum of its features, each times its weight.

    `seats` are the tables it knows. `rules_of_thumb` are the weights of `normal`, by hand; `weights` are those of
    `hard`, fitted. `expert` has the numbers of players with whom a search on the fitted weights is proven to play
    better than they do. `gains` are by feature; hints do not speak of those that have none. `spreads` are by number of
    players: how many points a fitted value is from the lead at the end, so that a chance to win can be told from it.
    `alone` is how a game for one player is valued, which has features of its own.
    """

    seats: Sequence[int]
    names: Sequence[str]
    features: Callable[[Any, int], Sequence[float]]
    """(state, seat): the features, as many as `names`; they may look at nothing that is hidden from the seat."""
    rules_of_thumb: Kept
    weights: Kept
    expert: frozenset[int] = frozenset()
    gains: Mapping[str, Gain] = field(default_factory=dict)
    spreads: Mapping[int, float] = field(default_factory=dict)
    alone: Valuation | None = None
