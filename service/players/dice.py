"""The dice of a computer player: apart from the game's chance, and the same again for the same decision."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from service.players.levels import VERSIONS, Level
from service.rules.chance import Chance
from service.rules.kernel import Dice


def dice_for(game: str, decision: int, seat: int, level: Level, version: int | None = None) -> Chance:
    """Return the dice of one choice, by today's version unless told otherwise: a record tells all they follow from."""
    version = VERSIONS[level] if version is None else version
    return Chance(sha256(f"boardroom-player-{version}\0{level}\0{game}\0{decision}\0{seat}".encode()).digest())


class Apart:
    """Dice of which every label begins with a word of one's own, so that the same label can be asked once more."""

    def __init__(self, dice: Dice, word: str) -> None:
        self._dice = dice
        self._word = word

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return the items in a random order."""
        return self._dice.shuffle(f"{self._word}: {label}", items)

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` numbers, each from 1 to `sides`."""
        return self._dice.roll(f"{self._word}: {label}", sides, count)
