"""What a game for one player comes to, and how well a computer player does in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from service.players.levels import VERSIONS, Level, levels_of
from service.players.match import Chair, play_on
from service.players.player import player
from service.rules.kernel import AnyRuleset, Dice, begin, fold
from service.rules.outcome import Outcome

TRIES: Final = 8
"""So often each level plays a deal, each time with other dice where several moves are equally good."""


class SoloResult(NamedTuple):
    """What a player came to: the points ahead of the automaton, whether the game was won, and the own points."""

    margin: int
    won: bool
    points: int


class Best(NamedTuple):
    """The best result of a computer player: its level, the version of the computer players, and what it came to."""

    level: Level
    version: int
    result: SoloResult


def result_of(outcome: Outcome) -> SoloResult | None:
    """Return the result of the player in seat 0; None where a resignation or a lapse has ended the game."""
    scores = outcome["scores"]
    if scores is None:
        return None
    return SoloResult(scores[0] - max(scores[1:], default=0), 0 in outcome["winners"], scores[0])


def best_of(
    ruleset: AnyRuleset, options: Mapping[str, Any], chance: Dice, name: str, level: Level | None = None
) -> Best:
    """Return the best result of the two strongest levels alone, or of the level named, in a game whose chance is given.

    They play the same again for the same `name`. Like anybody they do not see what their seat may not know.
    """
    dealt = fold(ruleset, begin(ruleset, 1, options, chance, "", ()))

    def tried(by: Level) -> Best:
        chairs = [Chair(by, player(ruleset, 1, by).choose)]
        ends = (play_on(ruleset, chairs, f"{name}-{number}", dealt, chance)[1] for number in range(TRIES))
        return Best(by, VERSIONS[by], max(result for result in map(result_of, ends) if result is not None))

    if level is not None:
        return tried(level)
    strongest, *weaker = [each for each in reversed(levels_of(ruleset, 1)) if each != "random"]
    # What several come to is the strongest one's.
    return max(map(tried, (strongest, *weaker[:1])), key=lambda best: best.result)
