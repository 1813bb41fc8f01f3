"""`boardroom calibrate`: how good predicted chances are, in games that no weights were fitted to."""

from __future__ import annotations

import click

from service.commands.arena import chosen_ruleset
from service.commands.refused import WRONG, Refused
from service.commands.terminal import progress, say
from service.players.calibration import binned, brier, brier_of_constant, forecasts


@click.command("calibrate", epilog="Exit code: 0, 1 if the game has no such table, 2 if it cannot be done.")
@click.option("--ruleset", "name", metavar="NAME", help="which game, by its name (default: the first installed)")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="how many games")
@click.option("--seats", type=click.IntRange(min=2), default=2, show_default=True, help="players at the table")
@click.option("--seed", type=int, default=1, show_default=True, help="the same seed plays the same games")
def command(name: str | None, games: int, seats: int, seed: int) -> int:
    """Play games of a computer player against itself, and compare the chances that analyses tell with who won.

    The games are others than those of `boardroom train`. The Brier score is the mean square of how far a chance was
    off: 0 is perfect.
    """
    ruleset = chosen_ruleset(name)
    if seats not in ruleset.meta.seats:
        raise Refused(f"{ruleset.meta.title} is not for {seats} players", WRONG)
    with progress("playing", games) as step:
        made = forecasts(ruleset, seats, games, f"held-out:{seed}", step)
    say("predicted    won  forecasts")
    for each in binned(made):
        say(f"{each.predicted:>9.2f} {each.won:>6.2f} {each.number:>10}")
    say(f"Brier {brier(made):.3f}; always the mean: {brier_of_constant(made):.3f}; {games} games, {seats} players")
    return 0
