"""`boardroom train`: weights for what a game knows of good positions, from games of a player against itself."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.arena import chosen_ruleset
from service.commands.refused import WRONG, Refused, in_words
from service.commands.terminal import progress, say
from service.players.levels import VERSIONS
from service.players.train import train
from service.players.weights import module_of
from service.rules.valuation import Weights


@click.command("train", epilog="Exit code: 0, 1 if the game has no features, 2 if it cannot be done.")
@click.argument("name", metavar="RULESET")
@click.option("--seats", type=click.IntRange(min=2), multiple=True, required=True, help="players at the table")
@click.option("--games", type=click.IntRange(min=1), default=400, show_default=True, help="how many games to play")
@click.option("--seed", type=int, default=1, show_default=True, help="the same seed fits the same weights")
@click.option("--version", type=click.IntRange(min=1), help="the version of hard that they are for (default: the next)")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE", help="the module to be written")
def command(name: str, seats: tuple[int, ...], games: int, seed: int, version: int | None, out: Path) -> int:
    """Let normal and the version of hard before play RULESET, fit weights for each table size, and write a module.

    Earlier weights are kept, for the games that began with them.
    """
    ruleset, fitted, today = chosen_ruleset(name), dict[int, Weights](), VERSIONS["normal"]
    wanted = VERSIONS["hard"] + 1 if version is None else version
    valuation = ruleset.valuation
    unknown = [size for size in seats if valuation is None or size not in valuation.seats]
    if valuation is None or unknown:
        raise Refused(f"{ruleset.meta.title} has no features with {unknown[0]} players to be weighed", WRONG)
    for size in seats:
        with progress("playing", games) as step:
            values, positions = train(ruleset, valuation, size, wanted, games, f"train:{seed}", step)
        figures = f"{games} games of normal {today} and hard {wanted - 1}, {positions} positions, seed {seed}"
        fitted[size] = Weights(values=values, version=wanted, figures=figures)
        say(f"weights for {size} players, fitted to {positions} positions, for {out}")
    try:
        out.write_text(module_of(name, valuation.names, fitted))
    except OSError as error:
        raise Refused(in_words(error)) from error
    return 0
