"""Which finished games count for ratings, by docs/ratings.md."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final, Literal, NamedTuple

Reason = Literal["computer", "unconfirmed", "one-address", "one-browser", "nobody-stayed", "left-early", "often"]
"""Why a game whose terms say that it is rated does not count."""

FIRST_TURN: Final = 5
"""The turn from which on a game counts that a player leaves (P-11)."""
MOST_OF_PAIR: Final = 3
"""The most games that count of any two players together within WEEK (P-12)."""
WEEK: Final = timedelta(days=7)


class Account(NamedTuple):
    """An account at the table: whether it is a person's, and the address that it has confirmed, as a digest."""

    person: bool
    address: bytes | None


class Finished(NamedTuple):
    """What has to be known of a finished game: the accounts of its seats' first players, and how it was played.

    `left` has the turn in which each of them left who did; `shared` tells that two have signed in at one browser,
    `met` how many games of the last week count for the two who have met most often.
    """

    accounts: tuple[Account, ...]
    left: Mapping[int, int]
    shared: bool
    met: int


def why_not(game: Finished) -> Reason | None:
    """Return why a game does not count, the first reason that holds (P-03 to P-12); None if it counts."""
    accounts = game.accounts
    held: tuple[tuple[Reason, bool], ...] = (
        ("computer", not all(each.person for each in accounts)),
        ("unconfirmed", any(each.address is None for each in accounts)),
        ("one-address", len({each.address for each in accounts}) < len(accounts)),
        ("one-browser", game.shared),
        ("nobody-stayed", len(game.left) == len(accounts)),
        ("left-early", any(turn < FIRST_TURN for turn in game.left.values())),
        ("often", game.met >= MOST_OF_PAIR),
    )
    return next((reason for reason, holds in held if holds), None)
