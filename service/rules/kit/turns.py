"""The order in which seats take their turns."""

from __future__ import annotations

from service.rules.kernel import Seat


def clockwise(seats: int, first: Seat) -> list[Seat]:
    """Return all seats clockwise, `first` first."""
    return [(first + step) % seats for step in range(seats)]


def following(seats: int, seat: Seat, last: Seat) -> list[Seat]:
    """Return the seats after a seat, clockwise, up to the last one; none if that is the same seat."""
    return clockwise(seats, seat + 1)[: (last - seat) % seats]
