"""Draws: random results in a game, and the proof that they follow from the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.rules.chance import Chance
from service.rules.kernel import Dice


class Witness:
    """Chance that records its results.

    `given` has `{label, items, result}` for a shuffle, and `{label, sides, result}` for a roll, in order.
    """

    def __init__(self, chance: Dice) -> None:
        self._chance = chance
        self.given: list[dict[str, Any]] = []

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return the items in a random order."""
        result = self._chance.shuffle(label, items)
        self.given.append({"label": label, "items": list(items), "result": list(result)})
        return result

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` numbers, each from 1 to `sides`."""
        result = self._chance.roll(label, sides, count)
        self.given.append({"label": label, "sides": sides, "result": list(result)})
        return result

    def taken(self) -> list[dict[str, Any]]:
        """Return the results since the last call."""
        given, self.given = self.given, []
        return given


def follows(chance: Chance, draw: Mapping[str, Any]) -> bool:
    """Return whether a draw recorded by a Witness has the result that this chance gives."""
    label, result = draw["label"], draw["result"]
    given = chance.shuffle(label, draw["items"]) if "items" in draw else chance.roll(label, draw["sides"], len(result))
    return list(given) == list(result)
