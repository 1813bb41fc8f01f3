"""Leagues and tournaments by docs/leagues.md: table sizes, tiers, groups, pairings, tables, promotion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Final, Generic, TypeVar

from service.rules.outcome import Outcome

P = TypeVar("P", bound=Hashable)
Pair = frozenset[P]
"""Unordered pair of players."""

GROUP_SIZE: Final = 4
"""Number of players of a full group of a league."""
MIN_GROUP_SIZE: Final = 3
"""Number of players of the smallest group of a league."""
FULL_POINTS: Final = 12
"""Points of an unshared first place; with 12, all points of games for two, three and four are whole."""
_APART: Final = 1000
"""Fault of a pair that is to be kept apart; worse than any number of repeated meetings."""


def table_sizes(players: int, most: int, least: int) -> tuple[int, ...]:
    """Return table sizes that seat most players at fewest tables: each has `most` seats or one less.

    No table has less than `least` seats. The remaining players sit out.
    """
    for seated in range(players, 0, -1):
        tables = -(-seated // most)
        short = tables * most - seated
        if short == 0 or (short <= tables and most - 1 >= least):
            return (most,) * (tables - short) + (most - 1,) * short
    return ()


def tier_sizes(players: int) -> tuple[int, ...]:
    """Return the number of players of each tier, the highest first: 4, 8, 16 and so on, and the rest (L-05).

    A rest that cannot be split into groups takes missing players from the tier above.
    """
    left, room, sizes = sum(table_sizes(players, GROUP_SIZE, MIN_GROUP_SIZE)), GROUP_SIZE, list[int]()
    while left:
        sizes.append(min(room, left))
        left, room = left - sizes[-1], 2 * room
    missing = {1: 2, 2: 1, 5: 1}.get(sizes[-1], 0) if sizes else 0
    if missing:
        sizes[-2:] = [sizes[-2] - missing, sizes[-1] + missing]
    return tuple(sizes)


def tiers_of(ladder: Sequence[P]) -> list[list[P]]:
    """Cut the ladder into tiers; its last players may be left over (L-06)."""
    cut, begin = list[list[P]](), 0
    for size in tier_sizes(len(ladder)):
        cut.append(list(ladder[begin : begin + size]))
        begin += size
    return cut


def groups_of(tier: Sequence[P], apart: Collection[Pair[P]] = ()) -> list[list[P]]:
    """Deal a tier into groups to and fro by rank, without chance, then separate pairs `apart` (L-07)."""
    sizes = table_sizes(len(tier), GROUP_SIZE, MIN_GROUP_SIZE)
    groups: list[list[P]] = [[] for _ in sizes]
    waiting, forth = iter(tier), True
    for _ in range(GROUP_SIZE):
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
    """Exchange pairs of players until the faults of those who sit together cannot be lessened; return the tables.

    `fault` weighs a meeting of two players, 0 for no fault. Of equally good exchanges, the one with the least
    difference of `rank` is made. At most `most` exchanges.
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
    """Sum the faults of a player with those at a table, except the player in place `but`."""
    return sum(fault(player, each) for place, each in enumerate(table) if place != but)


@dataclass(frozen=True, slots=True)
class GameResult(Generic[P]):
    """Result of a game, or of a bye: players and their points, in the same order."""

    players: tuple[P, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing(Generic[P]):
    """Row of a player in a table: `met` is the mean of the opponents' points, one entry for each meeting."""

    player: P
    points: int
    met: Fraction
    wins: int


def game_points(outcome: Outcome, seats: int, finished: Collection[int]) -> tuple[int, ...]:
    """Return the points by seat: a share of FULL_POINTS for each seat behind, and half a share for each seat level
    (L-09).

    A seat that has not `finished` gets none, and is behind all that have (L-10).
    """
    scores = outcome["scores"] or [0] * seats
    merit = [(seat in finished, seat in outcome["winners"], scores[seat]) for seat in range(seats)]
    shares = [2 * sum(each < own for each in merit) + merit.count(own) - 1 for own in merit]
    return tuple(
        FULL_POINTS * share // (2 * (seats - 1)) if seat in finished else 0 for seat, share in enumerate(shares)
    )


def without_game(players: int) -> tuple[int, ...]:
    """Return the points of players without a game: full for a single player, else half (L-12)."""
    return (FULL_POINTS if players == 1 else FULL_POINTS // 2,) * players


def table(players: Sequence[P], results: Collection[GameResult[P]]) -> list[Standing[P]]:
    """Return the table, best first: by points, opponents' points, games won, and the order given (L-13).

    Players of results who are not among `players` count as opponents only.
    """
    points: dict[P, int] = dict.fromkeys(players, 0)
    wins, met = dict(points), {player: list[P]() for player in players}
    for result in results:
        for player, gained in zip(result.players, result.points, strict=True):
            points[player] = points.get(player, 0) + gained
            if player in met:
                wins[player] += gained > 0 and gained == max(result.points)
                met[player] += [other for other in result.players if other != player]
    lines = [Standing(player, points[player], _mean(points, met[player]), wins[player]) for player in players]
    # The sort is stable, so ties keep the order given.
    return sorted(lines, key=lambda line: (-line.points, -line.met, -line.wins))


def _mean(points: dict[P, int], met: Sequence[P]) -> Fraction:
    return Fraction(sum(points[player] for player in met), len(met)) if met else Fraction(0)


def rotated(group: Sequence[P], round_number: int) -> list[P]:
    """Rotate a group by one seat per round, counted from 1 (L-08)."""
    at = (round_number - 1) % len(group)
    return [*group[at:], *group[:at]]


def rounds_of_round_robin(players: int, seats: int) -> int:
    """Return the number of rounds after which all players may have met, at tables of `seats` seats (L-23)."""
    if seats == 2:
        return players - 1 + players % 2
    return -(-(players - 1) // (seats - 1))


def round_robin(players: Sequence[P], round_number: int) -> list[list[P]]:
    """Return the tables for two of a round, counted from 1: after all rounds each pair has met once (L-23).

    With an odd number of players one sits out in each round. The circle method: all but the first move on.
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
    """Return the tables of a Swiss round for players ranked best first, after the results so far (L-24, L-25).

    Neighbours in rank meet; players who have met, or are to be kept apart, meet only if unavoidable. `sizes` are the
    most and the least seats of a table. The last-ranked of those with the fewest byes sit out.
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
    """Order the players of a table by seat: those with late seats so far get early seats (L-24)."""
    sat = Counter[P]()
    for result in results:
        for seat, player in enumerate(result.players):
            sat[player] += 2 * seat - (len(result.players) - 1)
    return sorted(players, key=lambda player: -sat[player])


Table = Sequence[Standing[P]]
"""Table of a group, best first."""


@dataclass(frozen=True, slots=True)
class Moves(Generic[P]):
    """Ladder after a season, best first, and the players who go up and down."""

    ladder: tuple[P, ...]
    up: frozenset[P]
    down: frozenset[P]


def moves(tiers: Sequence[Sequence[Table[P]]]) -> Moves[P]:
    """Return the promotions and relegations of a season; a tier is the tables of its groups, highest tier first.

    Between two tiers as many go up as go down: up go winners of the lower tier, at most two for each group of the upper
    tier; down go the last of the upper groups first (L-14). So each tier keeps its size.
    """
    up, down = set[P](), set[P]()
    for upper, lower in pairwise(tiers):
        number = min(len(lower), 2 * len(upper))
        up |= set(_by_merit([group[:1] for group in lower])[:number])
        down |= set(_from_below(upper)[:number])
    ordered = [_by_merit(groups) for groups in tiers]
    ladder = list[P]()
    for tier, players in enumerate(ordered):
        above = ordered[tier - 1] if tier else []
        below = ordered[tier + 1] if tier + 1 < len(ordered) else []
        ladder += [player for player in above if player in down]
        ladder += [player for player in players if player not in up | down]
        ladder += [player for player in below if player in up]
    return Moves(tuple(ladder), frozenset(up), frozenset(down))


def next_ladder(before: Sequence[P], entered: Sequence[P]) -> list[P]:
    """Return the entrants: by the ladder so far, then newcomers by order of entry (L-15)."""
    known, here = set(before), set[P](entered)
    return [player for player in before if player in here] + [player for player in entered if player not in known]


def _by_merit(groups: Collection[Table[P]]) -> list[P]:
    """Sort the players of groups: winners first, then the second ones, each by the order of a table."""
    places = [(place, line) for group in groups for place, line in enumerate(group)]
    return [line.player for _, line in sorted(places, key=lambda each: (each[0], *_worth(each[1])))]


def _from_below(groups: Collection[Table[P]]) -> list[P]:
    """Sort the players of groups from below: the last ones first, then those before them, each weakest first."""
    places = [(place, line) for group in groups for place, line in enumerate(reversed(group))]
    ordered = sorted(places, key=lambda each: (-each[0], *_worth(each[1])))
    return [line.player for _, line in reversed(ordered)]


def _worth(line: Standing[P]) -> tuple[object, ...]:
    return -line.points, -line.met, -line.wins
