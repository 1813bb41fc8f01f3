"""How well a computer player plays, and what it may spend on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from service.rules.kernel import AnyRuleset
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
