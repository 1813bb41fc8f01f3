"""Promotion and relegation: the order in which the players of a season go into the next one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic

from service.leagues.grouping import P
from service.leagues.table import Standing

Table = Sequence[Standing[P]]
"""The table of a group, the best first."""


@dataclass(frozen=True, slots=True)
class Moves(Generic[P]):
    """The ladder after a season, the best first, and who goes up and down."""

    ladder: tuple[P, ...]
    up: frozenset[P]
    down: frozenset[P]


def moves(tiers: Sequence[Sequence[Table[P]]]) -> Moves[P]:
    """Return what the tables of a season lead to; a tier is the tables of its groups, the highest tier is the first.

    Between two tiers as many go up as go down: the winners of the lower one, at most two for each group of the upper
    one, and there the last ones of the groups first (L-14). So each tier keeps its size.
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
    """Return those who have entered: by the ladder so far, then the newcomers in the order of their entry (L-15)."""
    known, here = set(before), set[P](entered)
    return [player for player in before if player in here] + [player for player in entered if player not in known]


def _by_merit(groups: Collection[Table[P]]) -> list[P]:
    """Return the players of groups: the winners first, then the second ones; among these as a table orders them."""
    places = [(place, line) for group in groups for place, line in enumerate(group)]
    return [line.player for _, line in sorted(places, key=lambda each: (each[0], *_worth(each[1])))]


def _from_below(groups: Collection[Table[P]]) -> list[P]:
    """Return the players of groups: the last ones first, then those before them; among these the weakest first."""
    places = [(place, line) for group in groups for place, line in enumerate(reversed(group))]
    ordered = sorted(places, key=lambda each: (-each[0], *_worth(each[1])))
    return [line.player for _, line in reversed(ordered)]


def _worth(line: Standing[P]) -> tuple[object, ...]:
    return -line.points, -line.met, -line.wins
