"""Games of players whose strengths are known, and how well ratings recover the order of these.

`python -m tests.competition.simulated` prints the rank correlation (Spearman's rho) after 30 games each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import log
from random import Random
from uuid import UUID

from service.competition.ratings import RatedResult, Rating, steps

PLAYERS, GAMES_EACH = 48, 30
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
SPREAD = 1.5
"""The standard deviation of the strengths; a player who is stronger by 1 beats another in 73 games of 100."""


def strengths(chance: Random, players: int = PLAYERS) -> dict[UUID, float]:
    """Return players with their strengths, drawn from a normal distribution."""
    return {UUID(int=number): chance.gauss(0, SPREAD) for number in range(1, players + 1)}


def rounds(chance: Random, strong: dict[UUID, float], seats: int, games_each: int) -> Iterator[RatedResult]:
    """Yield games in which everybody plays so many times, at tables drawn by lot."""
    number, players = 0, list(strong)
    for _ in range(games_each):
        chance.shuffle(players)
        for first in range(0, len(players) - seats + 1, seats):
            number += 1
            came = played(chance, strong, players[first : first + seats])
            yield RatedResult(number, "new-corp-order", seats, BEGIN, *came)


def played(
    chance: Random, strong: dict[UUID, float], table: Sequence[UUID]
) -> tuple[tuple[UUID, ...], tuple[int, ...]]:
    """Return who sat there, and the places in which they came by their strengths and by luck."""
    shown = [strong[player] - log(-log(chance.random())) for player in table]
    return tuple(table), tuple(1 + sum(other > own for other in shown) for own in shown)


def recovered(seats: int, seed: int = 1) -> float:
    """Return the rank correlation of strengths and ratings after these games."""
    chance = Random(seed)
    strong, ratings = strengths(chance), dict[UUID, Rating]()
    for result in rounds(chance, strong, seats, GAMES_EACH):
        ratings |= {step.player: step.after for step in steps(result, ratings, {}, {})}
    return rank_correlation([strong[player] for player in strong], [ratings[player].skill.mu for player in strong])


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rho of two sequences without ties."""
    ranks = [[sorted(each).index(value) for value in each] for each in (first, second)]
    off = sum((one - other) ** 2 for one, other in zip(*ranks, strict=True))
    return 1 - 6 * off / (len(first) * (len(first) ** 2 - 1))


if __name__ == "__main__":
    for size in (2, 3, 4):
        print(f"{size} players: Spearman {recovered(size):.3f} after {GAMES_EACH} games each")
