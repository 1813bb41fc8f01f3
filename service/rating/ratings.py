"""The ratings of all players of one ruleset and number of players: each result changes those of its players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from service.rating.skill import NEWCOMER, SETTLED, Skill, rate


class Rating(NamedTuple):
    """A player's skill after so many rated games."""

    skill: Skill
    games: int

    @property
    def provisional(self) -> bool:
        """Whether too few games are rated for the number to say much (P-14)."""
        return self.games < SETTLED


UNRATED: Final = Rating(NEWCOMER, 0)


class RatedResult(NamedTuple):
    """A game that counts: its number in the log of results, its players by seat, and the places that they came in."""

    number: int
    ruleset: str
    seats: int
    players: tuple[UUID, ...]
    places: tuple[int, ...]


class RatingChange(NamedTuple):
    """What a result did to a player's rating."""

    player: UUID
    before: Skill
    after: Rating


def steps(result: RatedResult, ratings: Mapping[UUID, Rating]) -> Sequence[RatingChange]:
    """Return what a result does to its players, given the ratings of those who have one."""
    before = [ratings.get(player, UNRATED) for player in result.players]
    after = rate([each.skill for each in before], result.places)
    return [
        RatingChange(player, was.skill, Rating(skill, was.games + 1))
        for player, was, skill in zip(result.players, before, after, strict=True)
    ]
