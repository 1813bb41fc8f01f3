"""Rounds in which all seats give their orders in secret, and which are opened together."""

from __future__ import annotations

from collections.abc import Collection

from service.rules.kernel import Illegal, Seat


def waiting(seats: int, sealed: Collection[Seat]) -> frozenset[Seat]:
    """Return the seats that have not yet sealed their orders."""
    return frozenset(range(seats)) - frozenset(sealed)


def last_to_seal(seat: Seat, waits: frozenset[Seat]) -> bool:
    """Return whether this seat's order is the last one; Illegal `already-sealed` if it has given one before."""
    if seat not in waits:
        raise Illegal("already-sealed")
    return waits == {seat}
