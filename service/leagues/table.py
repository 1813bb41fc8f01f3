"""What a game brings, and the table that follows from the games."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic

from service.leagues.grouping import P
from service.rules.outcome import Outcome

FULL: Final = 12
"""The points of a first place that nobody shares; so all points of games for two, three and four are whole."""


@dataclass(frozen=True, slots=True)
class GameResult(Generic[P]):
    """What a game, or a bye, has brought to its players, in the same order."""

    players: tuple[P, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing(Generic[P]):
    """A player's line in a table: `met` are the points of the opponents, one meeting with another."""

    player: P
    points: int
    met: Fraction
    wins: int


def game_points(outcome: Outcome, seats: int, finished: Collection[int]) -> tuple[int, ...]:
    """Return the points of each seat: a share of FULL for each seat behind it, and half of that for each beside (L-09).

    A seat that has not `finished` gets none, and is behind all that have (L-10).
    """
    scores = outcome["scores"] or [0] * seats
    merit = [(seat in finished, seat in outcome["winners"], scores[seat]) for seat in range(seats)]
    shares = [2 * sum(each < own for each in merit) + merit.count(own) - 1 for own in merit]
    return tuple(FULL * share // (2 * (seats - 1)) if seat in finished else 0 for seat, share in enumerate(shares))


def without_game(players: int) -> tuple[int, ...]:
    """Return the points of those for whom no game could be made: all of them for one alone, else shared (L-12)."""
    return (FULL if players == 1 else FULL // 2,) * players


def table(players: Sequence[P], results: Collection[GameResult[P]]) -> list[Standing[P]]:
    """Return the table, the best first: by points, the points of the opponents, games won, and the order given (L-13).

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
    # The sort is stable, so that the order given decides at last.
    return sorted(lines, key=lambda line: (-line.points, -line.met, -line.wins))


def _mean(points: dict[P, int], met: Sequence[P]) -> Fraction:
    return Fraction(sum(points[player] for player in met), len(met)) if met else Fraction(0)
