"""How often the players of a game are waited for."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Waits:
    """The waits of a game so far: `count` of all players together, and the seats that are waited for now.

    A seat that has to act again, without another seat being asked meanwhile, is in the same wait (T-03). Seats that act
    at once are each waited for. `in_a_row` are those of them that follow one another: what happens at once counts once.
    """

    count: int = 0
    seats: frozenset[int] = frozenset()
    in_a_row: int = 0
    _before: dict[int, int] = field(default_factory=dict)
    """By the seat that is waited for: the waits in a row that came before."""

    def note(self, actor: int | None, asked: frozenset[int]) -> None:
        """Note whom the game waits for after an action of a seat, or after its setup (None)."""
        over = {actor} if asked - self.seats else set()
        self.count += len(asked - (self.seats - over))
        if actor in self._before and (actor in over or actor not in asked):
            self.in_a_row = max(self.in_a_row, self._before.pop(actor) + 1)
        self._before = {seat: self._before.get(seat, self.in_a_row) for seat in asked}
        self.seats = asked
