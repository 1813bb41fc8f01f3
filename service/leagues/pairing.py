"""The pairings of a round: who meets at which table, in which seats, and who sits out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Final

from service.leagues.grouping import P, Pair, settled, table_sizes
from service.leagues.table import GameResult

_APART: Final = 1000
"""To bring a pair together that is to be kept apart is worse than any number of meetings again."""


def rotated(group: Sequence[P], round_number: int) -> list[P]:
    """Return a group in the order of its seats in a round, from 1: everybody moves on by one seat (L-08)."""
    at = (round_number - 1) % len(group)
    return [*group[at:], *group[:at]]


def rounds_of_round_robin(players: int, seats: int) -> int:
    """Return after how many rounds everybody may have met everybody at tables of so many seats (L-23)."""
    if seats == 2:
        return players - 1 + players % 2
    return -(-(players - 1) // (seats - 1))


def round_robin(players: Sequence[P], round_number: int) -> list[list[P]]:
    """Return the tables for two of a round, from 1: after all rounds each pair has met once (L-23).

    With an odd number of players one sits out in each round. It is the circle method: all but the first move on.
    """
    ring: list[P | None] = [*players, *([None] if len(players) % 2 else [])]
    turn = (round_number - 1) % (len(ring) - 1)
    ring = [ring[0], *ring[len(ring) - turn :], *ring[1 : len(ring) - turn]]
    tables = list[list[P]]()
    for one, other in zip(ring[: len(ring) // 2], reversed(ring), strict=False):
        if one is not None and other is not None:
            tables.append([one, other])
    return tables


def swiss(
    ranked: Sequence[P], results: Collection[GameResult[P]], sizes: tuple[int, int], apart: Collection[Pair[P]] = ()
) -> list[list[P]]:
    """Return the tables of a round among the players, the best first, after the results so far (L-24, L-25).

    Neighbours in rank meet; those who have met already, or are to be kept apart, do so only where it cannot be helped.
    `sizes` are the most and the least seats of a table. Who sits out is the last of those who have done so least.
    """
    met = Counter(frozenset(pair) for result in results for pair in combinations(result.players, 2))
    byes = Counter(result.players[0] for result in results if len(result.players) == 1)
    places = table_sizes(len(ranked), *sizes)
    rank = {player: place for place, player in enumerate(ranked)}
    resting = sorted(ranked, key=lambda player: (byes[player], -rank[player]))[: len(ranked) - sum(places)]
    playing = [player for player in ranked if player not in resting]

    def fault(one: P, other: P) -> int:
        pair = frozenset((one, other))
        return met[pair] ** 2 + _APART * (pair in apart)

    waiting = iter(playing)
    return settled([[next(waiting) for _ in range(size)] for size in places], fault, rank)


def seated(players: Iterable[P], results: Collection[GameResult[P]]) -> list[P]:
    """Return the players of a table in the order of their seats: who has sat later so far sits earlier now (L-24)."""
    sat = Counter[P]()
    for result in results:
        for seat, player in enumerate(result.players):
            sat[player] += 2 * seat - (len(result.players) - 1)
    return sorted(players, key=lambda player: -sat[player])
