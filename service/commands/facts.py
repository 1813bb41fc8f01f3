"""`boardroom facts`: how games of computer players go, for the page of the rules."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.arena import chosen_ruleset
from service.commands.compared import playing
from service.commands.refused import WRONG, Refused, in_words
from service.commands.terminal import progress, say
from service.players.facts import facts_of, module_of_facts
from service.players.levels import LEVELS, Level
from service.rules.facts import Facts
from service.rules.kernel import AnyRuleset


@click.command("facts", epilog="Exit code: 0, 1 if the game has no such level or table, 2 if it cannot be done.")
@click.argument("name", metavar="RULESET")
@click.option("--level", type=click.Choice(LEVELS), default="hard", show_default=True, help="who plays, in all seats")
@click.option("--seats", type=click.IntRange(min=2), multiple=True, help="players at the table (default: every size)")
@click.option("--games", type=click.IntRange(min=2), default=400, show_default=True, help="how many games of each size")
@click.option("--seed", type=int, default=1, show_default=True, help="the same seed plays the same games")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="the module to be written")
def command(name: str, level: Level, seats: tuple[int, ...], games: int, seed: int, out: Path | None) -> int:
    """Play RULESET with one LEVEL in all seats, and tell how long its games are, what is scored, and who wins.

    Turns and points are the 5th percentile, the median and the 95th.
    """
    ruleset, found = chosen_ruleset(name), dict[int, Facts]()
    for size in seats or [size for size in ruleset.meta.seats if size > 1]:
        found[size] = _played(ruleset, size, level, games, f"facts:{seed}:{size}")
        say(_told(size, found[size]))
    if out is not None:
        try:
            out.write_text(module_of_facts(name, found))
        except OSError as error:
            raise Refused(in_words(error)) from error
    return 0


def _played(ruleset: AnyRuleset, seats: int, level: Level, games: int, name: str) -> Facts:
    player = playing(ruleset, seats, level)
    with progress("playing", games) as step:
        try:
            return facts_of(ruleset, player, games, name, step)
        except LookupError as error:
            raise Refused(str(error), WRONG) from error


def _told(seats: int, facts: Facts) -> str:
    turns, scores = ("/".join(map(str, spread)) for spread in (facts.turns, facts.scores))
    rate, low, high = facts.first
    return (
        f"{seats} players, {facts.games} games of {facts.level}: {turns} turns, {scores} points, "
        f"winner {facts.winner}, who begins wins {rate} % (95 %: {low} to {high}; even is {100 / seats:.0f})"
    )
