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
@click.option("--seats", type=click.IntRange(min=2), required=True, help="players at the table")
@click.option("--games", type=click.IntRange(min=1), default=400, show_default=True, help="how many games to play")
@click.option("--seed", type=int, default=1, show_default=True, help="the same seed fits the same weights")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE", help="the module to be written")
def command(name: str, seats: int, games: int, seed: int, out: Path) -> int:
    """Play RULESET against itself, fit weights for tables of one size, and write all of its weights as a module."""
    ruleset = chosen_ruleset(name)
    valuation = ruleset.valuation
    if valuation is None or seats not in valuation.seats:
        raise Refused(f"{ruleset.meta.title} has no features with {seats} players to be weighed", WRONG)
    with progress("playing", games) as step:
        values, positions = train(ruleset, valuation, seats, games, f"train:{seed}", step)
    figures = f"{games} games of normal against itself, {positions} positions, seed {seed}"
    fitted = Weights(values=values, version=VERSIONS["hard"], figures=figures)
    try:
        out.write_text(module_of(name, valuation.names, {**valuation.weights, seats: fitted}))
    except OSError as error:
        raise Refused(in_words(error)) from error
    say(f"weights for {seats} players, fitted to {positions} positions, in {out}")
    return 0
