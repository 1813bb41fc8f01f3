"""How often the players of a game are waited for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Waits:
    """The waits of a game so far: `count` of all players together, and the seats that are waited for now.

    A seat that has to act again, without another seat being asked meanwhile, is in the same wait (T-03). Seats that act
    at once are each waited for.
    """

    count: int = 0
    seats: frozenset[int] = frozenset()

    def note(self, actor: int | None, asked: frozenset[int]) -> None:
        """Note whom the game waits for after an action of a seat, or after its setup (None)."""
        over = {actor} if asked - self.seats else set()
        self.count += len(asked - (self.seats - over))
        self.seats = asked
