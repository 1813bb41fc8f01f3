"""The ratings of all players of one ruleset and number of players: each result changes those of its players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from service.rating.skill import NEWCOMER, SETTLED, Skill, points, rate

LEAST_OPPONENTS: Final = 5
"""The different opponents after which a rating is no longer provisional (P-14)."""
MOST_DOUBTFUL_POINTS: Final = 60
"""The most points that a player gains by doubtful results within a week (P-20)."""


class Rating(NamedTuple):
    """A player's skill after so many rated games against so many different opponents."""

    skill: Skill
    games: int
    opponents: int = 0

    @property
    def provisional(self) -> bool:
        """Whether too few games are rated, or against too few people, for the number to say much (P-14)."""
        return self.games < SETTLED or self.opponents < LEAST_OPPONENTS


UNRATED: Final = Rating(NEWCOMER, 0)


class RatedResult(NamedTuple):
    """A game that counts: its number in the log of results, its players by seat, and the places that they came in.

    `doubtful` tells of each seat whether the points that it gains are capped (P-19); empty if none is.
    """

    number: int
    ruleset: str
    seats: int
    at: datetime
    players: tuple[UUID, ...]
    places: tuple[int, ...]
    doubtful: tuple[bool, ...] = ()


class RatingChange(NamedTuple):
    """What a result did to a player's rating."""

    player: UUID
    before: Skill
    after: Rating


def steps(
    result: RatedResult,
    ratings: Mapping[UUID, Rating],
    opponents: Mapping[UUID, int],
    gained: Mapping[UUID, float],
) -> Sequence[RatingChange]:
    """Return what a result does to its players, given the ratings of those who have one.

    `opponents` counts the different opponents of each player with this result. `gained` is what each player has gained
    by doubtful results in the week before, in units of the mean.
    """
    before = [ratings.get(player, UNRATED) for player in result.players]
    after = rate([each.skill for each in before], result.places)
    doubtful = result.doubtful or (False,) * len(after)
    return [
        RatingChange(
            player,
            was.skill,
            Rating(
                _capped(was.skill, skill, gained.get(player, 0.0)) if capped else skill,
                was.games + 1,
                opponents.get(player, was.opponents),
            ),
        )
        for player, was, skill, capped in zip(result.players, before, after, doubtful, strict=True)
    ]


def _capped(before: Skill, after: Skill, gained: float) -> Skill:
    """Return the skill after a doubtful result: as much of the change as the cap of the week leaves (P-20)."""
    gain, left = after.mu - before.mu, max(0.0, points(MOST_DOUBTFUL_POINTS) - gained)
    if gain <= left:
        return after
    share = left / gain
    return Skill(before.mu + left, before.sigma + share * (after.sigma - before.sigma))
