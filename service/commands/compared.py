"""Two levels of computer players compared by games, and the CPU time that their choices take."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from statistics import median, quantiles
from time import process_time
from typing import Any, Final, NamedTuple

from service.commands.refused import WRONG, Refused
from service.commands.terminal import complain, progress
from service.players.arena import Rate, play_deal, rate_of
from service.players.levels import BUDGETS, VERSIONS, Level, levels_of
from service.players.match import Chair
from service.players.player import Player, player
from service.players.solo import SoloResult, best_alone
from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, Dice

_TELLS: Final = 5
"""After so many deals it is told what they came to, so that a comparison of an hour that is stopped has told it."""


class Timekeeper:
    """A player, and the CPU seconds that each of its choices took."""

    def __init__(self, timed: Player) -> None:
        self.player = timed
        self._seconds: list[float] = []

    def choose(self, state: Any, seat: int, dice: Dice) -> Any:
        """Return what the player chooses."""
        began = process_time()
        action = self.player.choose(state, seat, dice)
        self._seconds.append(process_time() - began)
        return action

    @property
    def choices(self) -> int:
        """The number of choices so far."""
        return len(self._seconds)

    @property
    def milliseconds(self) -> tuple[float, float]:
        """The median and the 99th percentile of the CPU time of a choice."""
        return 1_000 * median(self._seconds), 1_000 * _percentile_99(self._seconds)


class Compared(NamedTuple):
    """How often the one of two levels wins against others of the other, and how long both think."""

    rate: Rate
    one: Timekeeper
    others: Timekeeper


def compare(one: Player, others: Player, games: int, seed: int) -> Compared:
    """Play at least so many games of the one at a table with others of another kind, from each seat of each deal.

    Both are for the same table. What the first deals came to is told on stderr.
    """
    ruleset, seats, clocks = one.ruleset, one.seats, (Timekeeper(one), Timekeeper(others))
    first, second = (Chair(clock.player.level, clock.choose) for clock in clocks)
    deals, number = [], -(-games // seats)
    with progress("playing", number) as step:
        for deal in range(number):
            deals.append(play_deal(ruleset, first, second, seats, f"arena:{seed}:{deal}"))
            step()
            if len(deals) % _TELLS == 0 and len(deals) < number:
                complain(_so_far(rate_of(deals), seats, clocks[0]))
    return Compared(rate_of(deals), *clocks)


def _so_far(rate: Rate, seats: int, clock: Timekeeper) -> str:
    middle, most = clock.milliseconds
    return (
        f"so far {rate.deals * seats} games: wins {rate.rate:.3f} (95 %: {rate.low:.3f} to {rate.high:.3f}), "
        f"CPU time of a choice: median {middle:.1f} ms, p99 {most:.1f} ms"
    )


class Alone(NamedTuple):
    """The best results of two levels that play the same deals alone, deal by deal."""

    one: Sequence[SoloResult]
    other: Sequence[SoloResult]


def compare_alone(ruleset: AnyRuleset, one: Level, other: Level, deals: int, seed: int) -> Alone:
    """Let both levels play so many deals alone, as often as for a deal of the day; Refused as in `playing`."""
    options = {option.name: option.default for option in ruleset.meta.options}
    levels = [playing(ruleset, 1, level).level for level in (one, other)]
    found: list[list[SoloResult]] = [[], []]
    with progress("playing", deals) as step:
        for deal in range(deals):
            name = f"alone:{seed}:{deal}"
            chance = Chance(sha256(name.encode()).digest())
            for level, results in zip(levels, found, strict=True):
                results.append(best_alone(ruleset, options, chance, name, level).result)
            step()
    return Alone(*found)


def playing(ruleset: AnyRuleset, seats: int, level: Level, tables: int | None = None) -> Player:
    """Return a player of a level, `expert` also where it is not offered; Refused if there is no such table or level.

    `expert` thinks about so many `tables`, by default as many as it may.
    """
    if seats not in ruleset.meta.seats:
        allowed = ", ".join(map(str, ruleset.meta.seats))
        raise Refused(f"{ruleset.meta.title} is for {allowed} players, not {seats}", WRONG)
    levels = levels_of(ruleset, seats)
    if level == "expert" and "hard" in levels:
        # Whether it is better has to be tried before it is offered.
        return Player(ruleset, seats, level, BUDGETS[level] if tables is None else tables, VERSIONS[level])
    if level not in levels:
        known = ", ".join(levels)
        raise Refused(f"{ruleset.meta.title} with {seats} players has the levels {known}, not {level}", WRONG)
    return player(ruleset, seats, level)


def _percentile_99(seconds: Sequence[float]) -> float:
    return quantiles(seconds, n=100)[-1] if len(seconds) > 1 else max(seconds)
