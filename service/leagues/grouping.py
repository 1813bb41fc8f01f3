"""Who plays with whom: sizes of tables, tiers and groups of a league."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import combinations
from typing import Final, TypeVar

P = TypeVar("P", bound=Hashable)
Pair = frozenset[P]
"""Two players, in no order."""

GROUP: Final = 4
"""The players of a full group of a league."""
SMALLEST: Final = 3
"""The players of the smallest group of a league."""


def table_sizes(players: int, most: int, least: int) -> tuple[int, ...]:
    """Return the sizes of as few tables as seat as many players as possible: each has `most` seats or one less.

    No table has less than `least` seats. Those for whom no table is left sit out.
    """
    for seated in range(players, 0, -1):
        tables = -(-seated // most)
        short = tables * most - seated
        if short == 0 or (short <= tables and most - 1 >= least):
            return (most,) * (tables - short) + (most - 1,) * short
    return ()


def tier_sizes(players: int) -> tuple[int, ...]:
    """Return how many players each tier of a league has, the highest first: 4, 8, 16 and so on, and the rest (L-05).

    A rest of which no groups can be made takes what is missing from the tier above.
    """
    left, room, sizes = sum(table_sizes(players, GROUP, SMALLEST)), GROUP, list[int]()
    while left:
        sizes.append(min(room, left))
        left, room = left - sizes[-1], 2 * room
    missing = {1: 2, 2: 1, 5: 1}.get(sizes[-1], 0) if sizes else 0
    if missing:
        sizes[-2:] = [sizes[-2] - missing, sizes[-1] + missing]
    return tuple(sizes)


def tiers_of(ladder: Sequence[P]) -> list[list[P]]:
    """Return the players of each tier, cut from the ladder; the last of the ladder may be left over (L-06)."""
    cut, begin = list[list[P]](), 0
    for size in tier_sizes(len(ladder)):
        cut.append(list(ladder[begin : begin + size]))
        begin += size
    return cut


def groups_of(tier: Sequence[P], apart: Collection[Pair[P]] = ()) -> list[list[P]]:
    """Return the groups of a tier: dealt to and fro by rank, without chance, and pairs `apart` separated (L-07)."""
    sizes = table_sizes(len(tier), GROUP, SMALLEST)
    groups: list[list[P]] = [[] for _ in sizes]
    waiting, forth = iter(tier), True
    for _ in range(GROUP):
        order = range(len(groups)) if forth else reversed(range(len(groups)))
        for number in order:
            if len(groups[number]) < sizes[number]:
                groups[number].append(next(waiting))
        forth = not forth
    rank = {player: place for place, player in enumerate(tier)}
    return settled(groups, lambda one, other: int(frozenset((one, other)) in apart), rank)


def settled(
    tables: Sequence[Sequence[P]], fault: Callable[[P, P], int], rank: dict[P, int], most: int = 1000
) -> list[list[P]]:
    """Return the tables after the exchanges of two players that lessen the faults of those who sit together.

    `fault` says how bad it is that two players meet, 0 for not at all. Of the exchanges that help equally the one of
    players whose `rank` differs least is made. At most `most` exchanges.
    """
    made = [list(table) for table in tables]
    for _ in range(most):
        best = _best_exchange(made, fault, rank)
        if best is None:
            break
        (one, at), (other, there) = best
        made[one][at], made[other][there] = made[other][there], made[one][at]
    return made


Place = tuple[int, int]


def _best_exchange(
    tables: Sequence[Sequence[P]], fault: Callable[[P, P], int], rank: dict[P, int]
) -> tuple[Place, Place] | None:
    bad = [number for number, table in enumerate(tables) if any(fault(a, b) for a, b in combinations(table, 2))]
    best: tuple[int, int, Place, Place] | None = None
    for one in bad:
        for at, player in enumerate(tables[one]):
            if not _faults(player, tables[one], at, fault):
                continue
            for other, table in enumerate(tables):
                for there, partner in enumerate(table if other != one else ()):
                    before = _faults(player, tables[one], at, fault) + _faults(partner, table, there, fault)
                    after = _faults(partner, tables[one], at, fault) + _faults(player, table, there, fault)
                    found = (after - before, abs(rank[player] - rank[partner]), (one, at), (other, there))
                    if after < before and (best is None or found < best):
                        best = found
    return None if best is None else best[2:]


def _faults(player: P, table: Sequence[P], but: int, fault: Callable[[P, P], int]) -> int:
    """Return the faults of a player with those at a table, except the one in a place."""
    return sum(fault(player, each) for place, each in enumerate(table) if place != but)
