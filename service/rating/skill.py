"""What is known of how well a player plays, by the Plackett-Luce model of `openskill`, and the numbers that are shown.

The model: Weng and Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), algorithm 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

SETTLED: Final = 10
"""The rated games after which a rating is no longer provisional (P-14)."""
BEGIN: Final = 1500
"""The number of a player who has not played yet (P-13)."""
_SCALE: Final = 30
# The model's own defaults, written down: another version of the library must not change ratings.
_MU: Final = 25.0
_MODEL: Final = PlackettLuce(mu=_MU, sigma=_MU / 3, beta=_MU / 6, kappa=0.0001, tau=_MU / 300)


class Skill(NamedTuple):
    """The strength of a player as a normal distribution: its mean and its standard deviation."""

    mu: float
    sigma: float

    @property
    def number(self) -> int:
        """The number that is shown: the mean, of which 400 more win ten games of eleven, as with Elo (P-13)."""
        return round(BEGIN + _SCALE * (self.mu - _MU))

    @property
    def margin(self) -> int:
        """The uncertainty of that number: one standard deviation."""
        return round(_SCALE * self.sigma)


NEWCOMER: Final = Skill(_MU, _MU / 3)


def points(number: float) -> float:
    """Return points of the number that is shown in units of the mean."""
    return number / _SCALE


def in_points(units: float) -> float:
    """Return units of the mean in points of the number that is shown."""
    return units * _SCALE


def rate(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return the skills of two or more players after a game, by the places that they came in; equal places are a tie.

    The same skills and places give the same result, bit for bit.
    """
    teams = [[_MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in skills]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [Skill(after.mu, after.sigma) for (after,) in rated]
