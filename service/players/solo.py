"""The result of a game for one player, and of a computer player in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from service.players.levels import VERSIONS, Level, levels_of
from service.players.match import Chair, play_on
from service.players.player import player
from service.rules.kernel import AnyRuleset, Dice, begin, fold
from service.rules.outcome import Outcome

TRIES: Final = 8
"""So often each level plays a deal, each time with other dice where several moves are equally good."""


class SoloResult(NamedTuple):
    """Result of a player: the points ahead of the automaton, whether the game was won, and the own points."""

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


def tries_of(ruleset: AnyRuleset) -> list[tuple[Level, int]]:
    """Return the games that make a best result, in order: each of the two strongest levels plays TRIES."""
    strongest, *weaker = [each for each in reversed(levels_of(ruleset, 1)) if each != "random"]
    return [(level, number) for level in (strongest, *weaker[:1]) for number in range(TRIES)]


def first_state(ruleset: AnyRuleset, options: Mapping[str, Any], chance: Dice) -> Any:
    """Return the state that a game for one player begins with."""
    return fold(ruleset, begin(ruleset, 1, options, chance, "", ()))


def try_of(ruleset: AnyRuleset, state: Any, chance: Dice, name: str, level: Level, number: int) -> SoloResult | None:
    """Return what a level comes to in one game from its first state on: the same for the same name and number."""
    chairs = [Chair(level, player(ruleset, 1, level).choose)]
    return result_of(play_on(ruleset, chairs, f"{name}-{number}", state, chance)[1])


def best_of(results: Iterable[tuple[Level, SoloResult | None]]) -> Best:
    """Return the best of the results, by the level that came to it; what several come to is the first one's.

    Like anybody levels do not see what their seat may not know.
    """
    level, result = max(((by, each) for by, each in results if each is not None), key=lambda tried: tried[1])
    return Best(level, VERSIONS[level], result)


def best_alone(ruleset: AnyRuleset, options: Mapping[str, Any], chance: Dice, name: str, level: Level) -> Best:
    """Return the best result of a level in a game whose chance is given."""
    state = first_state(ruleset, options, chance)
    return best_of((level, try_of(ruleset, state, chance, name, level, number)) for number in range(TRIES))
