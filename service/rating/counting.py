"""Which finished games count for ratings, by docs/ratings.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final, Literal, NamedTuple

from service.rating.ratings import LEAST_OPPONENTS
from service.rating.skill import SETTLED

Reason = Literal["unconfirmed", "one-address", "one-browser", "nobody-stayed", "left-early", "often", "house-rules"]
"""Why a game whose terms say that it is rated does not count."""

FIRST_TURN: Final = 5
"""The turn from which on a game counts that a player leaves (P-11)."""
MOST_OF_PAIR: Final = 3
"""The most games that count of any two players together within WEEK (P-12)."""
WEEK: Final = timedelta(days=7)


class Finished(NamedTuple):
    """What has to be known of a finished game: who began in its seats, and how it was played.

    `addresses` are the digests of the addresses that these players have confirmed, None for one without. `left` has the
    turn in which each of them left who did; `shared` tells that two have signed in at one browser, `met` how many games
    of the last week count for the two who have met most often, `house_rules` that it was not the game of the book.
    """

    addresses: tuple[bytes | None, ...]
    left: Mapping[int, int]
    shared: bool
    met: int
    house_rules: bool = False


class Opponent(NamedTuple):
    """What is known of a player when a game ends: so many rated `games` before, against so many `others`.

    `others` are different opponents who do not sit at this table. `domain` is that of the confirmed mail address; None
    where it is a provider's, at which anybody has an address.
    """

    games: int
    others: int
    domain: str | None


def doubtful(places: Sequence[int], left: Mapping[int, int], standings: Sequence[Opponent]) -> tuple[bool, ...]:
    """Return for each seat whether the points that it gains are capped (P-19)."""
    seats = range(len(places))
    return tuple(
        any(
            seat in left
            or standings[seat].games < SETTLED
            or standings[seat].others < LEAST_OPPONENTS
            or (standings[seat].domain is not None and standings[seat].domain == standings[own].domain)
            for seat in seats
            if seat != own and places[seat] >= places[own]
        )
        for own in seats
    )


def why_not(game: Finished) -> Reason | None:
    """Return why a game does not count, the first reason that holds (P-04 to P-12); None if it counts."""
    addresses = game.addresses
    held: tuple[tuple[Reason, bool], ...] = (
        ("unconfirmed", None in addresses),
        ("one-address", len(set(addresses)) < len(addresses)),
        ("one-browser", game.shared),
        ("nobody-stayed", len(game.left) == len(addresses)),
        ("left-early", any(turn < FIRST_TURN for turn in game.left.values())),
        ("often", game.met >= MOST_OF_PAIR),
        ("house-rules", game.house_rules),
    )
    return next((reason for reason, holds in held if holds), None)
