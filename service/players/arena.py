"""How one level plays against another: win rates over the same deals from every seat, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Final, NamedTuple

from service.players.match import Chair, play, win_share
from service.rules.kernel import AnyRuleset

_Z: Final = 1.96
"""Standard deviations on each side of a 95 % interval."""


class Rate(NamedTuple):
    """A win rate, the ends of its 95 % interval, and the number of deals behind it."""

    rate: float
    low: float
    high: float
    deals: int


def play_deal(ruleset: AnyRuleset, one: Chair, others: Chair, seats: int, game: str) -> float:
    """Return the win rate of one player against others of another kind in games of one deal, from each seat once."""
    shares = []
    for seat in range(seats):
        chairs = [one if place == seat else others for place in range(seats)]
        _, outcome = play(ruleset, chairs, game)
        shares.append(win_share(outcome, seat))
    return fmean(shares)


def rate_of(deals: Sequence[float]) -> Rate:
    """Return the rate over the win rates of deals, with Wilson's interval for as many games as they are worth.

    Games of one deal resemble each other, or balance each other: a deal is worth as many games as have its spread.
    """
    rate, games = fmean(deals), float(len(deals))
    if len(deals) > 1 and (spread := stdev(deals)) > 0:
        games = len(deals) * rate * (1 - rate) / spread**2
    middle = (rate + _Z**2 / (2 * games)) / (1 + _Z**2 / games)
    reach = _Z / (1 + _Z**2 / games) * (rate * (1 - rate) / games + _Z**2 / (4 * games**2)) ** 0.5
    return Rate(rate, middle - reach, middle + reach, len(deals))
