"""CPU time in which computer players choose, over games of four that they play against themselves."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from time import process_time
from typing import Any, Final

from service.commands.arena import playing
from service.players.levels import Level, dice_for, levels_of
from service.players.match import Chair, play
from service.rules.kernel import AnyRuleset
from service.rules.registry import find_rulesets
from tests.bench.figures import figure, percentile

SEATS, GAMES = 4, 3
SEARCHED: Final = 8
"""Stride through the decisions of one game for `expert`, which thinks for a second about each."""
MOST: Final[Mapping[Level, tuple[float, float]]] = {
    "easy": (10, 60), "normal": (10, 60), "hard": (30, 150), "expert": (1_500, 3_000),
}  # fmt: skip
"""The most milliseconds that a choice may take: the median, and the 99th percentile."""


def main() -> None:
    """Print how long each level of each game thinks, `expert` also where it is not offered."""
    for ruleset in find_rulesets().values():
        levels = [level for level in levels_of(ruleset, SEATS) if level in MOST]
        found = _decisions(ruleset, levels[-1])
        for level in levels:
            _choices(ruleset, level, found)
        if levels[-1] == "hard":
            _choices(ruleset, "expert", found[: len(found) // GAMES : SEARCHED])


def _decisions(ruleset: AnyRuleset, level: Level) -> list[tuple[Any, int]]:
    """Return the decisions of games of a level against itself: each state, and the seat that chooses."""
    chairs = [Chair(level, playing(ruleset, SEATS, level).choose)] * SEATS
    found = []
    for number in range(GAMES):
        moved, _ = play(ruleset, chairs, f"bench:{number}")
        states = [step.after for step in moved[:-1]]
        found += [(state, min(ruleset.to_act(state))) for state in states if ruleset.automaton(state) is None]
    return found


def _choices(ruleset: AnyRuleset, level: Level, decisions: list[tuple[Any, int]]) -> None:
    chooses = playing(ruleset, SEATS, level)
    taken = []
    for number, (state, seat) in enumerate(decisions):
        dice, start = dice_for("bench", number, seat, level), process_time()
        chooses.choose(state, seat, dice)
        taken.append(1_000 * (process_time() - start))
    most, p99 = MOST[level]
    figure(
        "choice_ms", median(taken), "ms", most, most, p99=percentile(taken, 0.99), p99_at_least=p99,
        game=ruleset.meta.name, level=level, choices=len(taken),
    )  # fmt: skip
