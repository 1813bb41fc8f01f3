"""Order of turns, and rounds in which all seats seal their orders before they are opened together."""

from __future__ import annotations

from collections.abc import Collection

from service.rules.kernel import Illegal, Seat


def clockwise(seats: int, first: Seat) -> list[Seat]:
    """Return all seats clockwise, `first` first."""
    return [(first + step) % seats for step in range(seats)]


def following(seats: int, seat: Seat, last: Seat) -> list[Seat]:
    """Return the seats after a seat, clockwise, up to the last one; none if that is the same seat."""
    return clockwise(seats, seat + 1)[: (last - seat) % seats]


def waiting(seats: int, sealed: Collection[Seat]) -> frozenset[Seat]:
    """Return the seats that have not yet sealed their orders."""
    return frozenset(range(seats)) - frozenset(sealed)


def last_to_seal(seat: Seat, waits: frozenset[Seat]) -> bool:
    """Return whether this seat's order is the last one; Illegal `already-sealed` if it has given one before."""
    if seat not in waits:
        raise Illegal("already-sealed")
    return waits == {seat}
