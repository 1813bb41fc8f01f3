"""`boardroom arena`: two levels of computer players, how often each wins and how long it thinks."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles
from time import process_time
from typing import Any

import click

from service.commands.installed import installed_rulesets
from service.commands.refused import WRONG, Refused
from service.commands.terminal import progress, say
from service.players.arena import Rate, play_deal, rate_of
from service.players.levels import BUDGETS, LEVELS, Level, levels_of
from service.players.match import Chair
from service.players.player import Player, player
from service.rules.kernel import AnyRuleset, Dice

_level = click.Choice(LEVELS)


@click.command("arena", epilog="Exit code: 0, 1 if the game has no such level or table, 2 if it cannot be done.")
@click.argument("one", metavar="LEVEL", type=_level)
@click.argument("others", metavar="LEVEL", type=_level)
@click.option("--ruleset", "name", metavar="NAME", help="which game, by its name (default: the first installed)")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="how many games, at least")
@click.option("--seats", type=click.IntRange(min=2), default=2, show_default=True, help="players at the table")
@click.option("--seed", type=int, default=1, show_default=True, help="the same seed plays the same games")
def command(one: Level, others: Level, name: str | None, games: int, seats: int, seed: int) -> int:
    """Play one player of the first LEVEL against others of the second, from each seat of the same deals.

    Levels: random, easy, normal, hard, expert. The win rate of the one has a 95 % interval over the deals.
    """
    ruleset = chosen_ruleset(name)
    clocks = [_Clock(_player(ruleset, seats, level)) for level in (one, others)]
    first, second = (Chair(clock.player.level, clock.choose) for clock in clocks)
    deals = []
    with progress("playing", -(-games // seats)) as step:
        for number in range(-(-games // seats)):
            deals.append(play_deal(ruleset, first, second, seats, f"arena:{seed}:{number}"))
            step()
    say(_told(one, others, seats, rate_of(deals)))
    for clock in clocks:
        say(clock.told())
    return 0


def chosen_ruleset(name: str | None) -> AnyRuleset:
    """Return the ruleset of a name, or the first of those installed; a usage error if there is none of that name."""
    rulesets = installed_rulesets()
    chosen = next(iter(rulesets)) if name is None else name
    if chosen not in rulesets:
        known = ", ".join(rulesets)
        raise click.BadParameter(f"{chosen!r} is none of those installed: {known}.", param_hint="--ruleset")
    return rulesets[chosen]


class _Clock:
    """A player, and the CPU seconds that each of its choices took."""

    def __init__(self, timed: Player) -> None:
        self.player = timed
        self._seconds: list[float] = []

    def choose(self, state: Any, seat: int, dice: Dice) -> Any:
        began = process_time()
        action = self.player.choose(state, seat, dice)
        self._seconds.append(process_time() - began)
        return action

    def told(self) -> str:
        middle, most = 1_000 * median(self._seconds), 1_000 * _percentile_99(self._seconds)
        choices = len(self._seconds)
        return f"{self.player.level:<8} {choices} choices, CPU time of one: median {middle:.1f} ms, p99 {most:.1f} ms"


def _percentile_99(seconds: Sequence[float]) -> float:
    return quantiles(seconds, n=100)[-1] if len(seconds) > 1 else max(seconds)


def _player(ruleset: AnyRuleset, seats: int, level: Level) -> Player:
    if seats not in ruleset.meta.seats:
        allowed = ", ".join(map(str, ruleset.meta.seats))
        raise Refused(f"{ruleset.meta.title} is for {allowed} players, not {seats}", WRONG)
    levels = levels_of(ruleset, seats)
    if level == "expert" and "hard" in levels:
        # Whether it is better has to be tried before it is offered.
        return Player(ruleset, seats, level, BUDGETS[level])
    if level not in levels:
        known = ", ".join(levels)
        raise Refused(f"{ruleset.meta.title} with {seats} players has the levels {known}, not {level}", WRONG)
    return player(ruleset, seats, level)


def _told(one: Level, others: Level, seats: int, rate: Rate) -> str:
    games = rate.deals * seats
    return (
        f"{one} against {seats - 1} {others}: wins {rate.rate:.3f} (95 %: {rate.low:.3f} to {rate.high:.3f}; "
        f"even is {1 / seats:.3f}), {games} games of {rate.deals} deals"
    )
