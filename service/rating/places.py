"""In which places the players of a finished game came, by docs/ratings.md."""

from __future__ import annotations

from collections.abc import Collection

from service.rules.outcome import Outcome


def places(seats: int, outcome: Outcome, left: Collection[int]) -> tuple[int, ...]:
    """Return the place of each seat's first player, 1 for the best; players with equal places tie (P-07 to P-10).

    `left` are the seats whose first players did not play to the end.
    """
    worth = [_worth(seat, outcome, left) for seat in range(seats)]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def _worth(seat: int, outcome: Outcome, left: Collection[int]) -> tuple[int, ...]:
    """Return what a seat's first player has come to, to be compared with the others."""
    winners, scores = outcome["winners"], outcome["scores"]
    if seat in left:
        return (0,)
    if not winners:
        return (1,)
    return (2, seat in winners, 0 if scores is None or seat in winners else scores[seat])
