"""Levels of computer players, what each may spend, and the dice of a computer player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, Literal, get_args

from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, Dice
from service.rules.lookahead import valuation_of
from service.rules.valuation import known_to

Level = Literal["random", "easy", "normal", "hard", "expert"]
"""`random` is what the others are measured against: each legal action is as likely as any other."""

LEVELS: Final[tuple[Level, ...]] = get_args(Level)

VERSIONS: Final[Mapping[Level, int]] = {"random": 1, "easy": 1, "normal": 3, "hard": 3, "expert": 3}
"""By level: rises with every change after which it may choose otherwise; a choice can be computed again by it alone.

Earlier versions are kept, as games go on with the one that they began with: `hard` looked one action ahead in its
first version, and looks at the whole turn since the second one. What weights a version knew tells `Valuation`.
Those of `expert` before the third are not kept: no game was offered them.
"""

BUDGETS: Final[Mapping[Level, int]] = {"random": 1, "easy": 1, "normal": 1, "hard": 1, "expert": 100}
"""By level: the tables that a player thinks about, each of them dealt again. Never seconds, so that machines agree."""

CUT: Final[Mapping[Level, int]] = {"expert": 50}
"""By level: the budget for times at which many computer players have to move; none where a choice takes no time."""


def levels_of(ruleset: AnyRuleset, seats: int) -> tuple[Level, ...]:
    """Return the levels that a game has at a table of so many players, the weakest first.

    Every game has `random` and `easy`, which goes by the standings. Where a game knows good positions
    (`Ruleset.valuation`), `normal` goes by its rules of thumb, and `hard` by weights fitted to tables of this size.
    `expert` searches with these, where that is proven to play better.
    """
    levels: list[Level] = ["random", "easy"]
    valuation = valuation_of(ruleset, seats)
    if valuation is not None:
        levels.append("normal")
        if known_to(None, valuation.weights, seats) is not None:
            levels.append("hard")
            levels += ["expert"] if seats in valuation.expert else []
    return tuple(levels)


def levels_for(ruleset: AnyRuleset, seats: int) -> tuple[Level, ...]:
    """Return the levels that people can choose from at a table of so many players, the weakest first.

    Alone at a table nobody plays against computer players.
    """
    return () if seats == 1 else tuple(each for each in levels_of(ruleset, seats) if each != "random")


# Dice apart from the game's chance, and the same for the same decision.


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
