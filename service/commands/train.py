"""`boardroom train`, `facts` and `calibrate`: weights, statistics and the quality of forecasts, from self-play."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.arena import playing
from service.commands.rulesets import chosen_ruleset
from service.commands.terminal import WRONG, Refused, in_words, progress, say
from service.players.analysis import binned, brier, brier_of_constant, forecasts
from service.players.levels import LEVELS, VERSIONS, Level
from service.players.match import facts_of, module_of_facts
from service.players.train import module_of, train
from service.rules.guide import Facts
from service.rules.kernel import AnyRuleset
from service.rules.valuation import Weights


@click.command("train", epilog="Exit code: 0, 1 if the game has no features, 2 if it cannot be done.")
@click.argument("name", metavar="RULESET")
@click.option("--seats", type=click.IntRange(min=2), multiple=True, required=True, help="players at the table")
@click.option("--games", type=click.IntRange(min=1), default=400, show_default=True, help="how many games to play")
@click.option("--seed", type=int, default=1, show_default=True, help="the same seed fits the same weights")
@click.option("--version", type=click.IntRange(min=1), help="the version of hard that they are for (default: the next)")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE", help="the module to be written")
def train_command(name: str, seats: tuple[int, ...], games: int, seed: int, version: int | None, out: Path) -> int:
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


@click.command("facts", epilog="Exit code: 0, 1 if the game has no such level or table, 2 if it cannot be done.")
@click.argument("name", metavar="RULESET")
@click.option("--level", type=click.Choice(LEVELS), default="hard", show_default=True, help="who plays, in all seats")
@click.option("--seats", type=click.IntRange(min=2), multiple=True, help="players at the table (default: every size)")
@click.option("--games", type=click.IntRange(min=2), default=400, show_default=True, help="how many games of each size")
@click.option("--seed", type=int, default=1, show_default=True, help="the same seed plays the same games")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="the module to be written")
def facts_command(name: str, level: Level, seats: tuple[int, ...], games: int, seed: int, out: Path | None) -> int:
    """Play RULESET with one LEVEL in all seats, and tell how long its games are, what is scored, and who wins.

    Turns and points are the 5th percentile, the median and the 95th.
    """
    ruleset, found = chosen_ruleset(name), dict[int, Facts]()
    for size in seats or [size for size in ruleset.meta.seats if size > 1]:
        found[size] = _play_games(ruleset, size, level, games, f"facts:{seed}:{size}")
        say(_facts_line(size, found[size]))
    if out is not None:
        try:
            out.write_text(module_of_facts(name, found))
        except OSError as error:
            raise Refused(in_words(error)) from error
    return 0


def _play_games(ruleset: AnyRuleset, seats: int, level: Level, games: int, name: str) -> Facts:
    player = playing(ruleset, seats, level)
    with progress("playing", games) as step:
        try:
            return facts_of(ruleset, player, games, name, step)
        except LookupError as error:
            raise Refused(str(error), WRONG) from error


def _facts_line(seats: int, facts: Facts) -> str:
    turns, scores = ("/".join(map(str, spread)) for spread in (facts.turns, facts.scores))
    rate, low, high = facts.first
    return (
        f"{seats} players, {facts.games} games of {facts.level}: {turns} turns, {scores} points, "
        f"winner {facts.winner}, who begins wins {rate} % (95 %: {low} to {high}; even is {100 / seats:.0f})"
    )


@click.command("calibrate", epilog="Exit code: 0, 1 if the game has no such table, 2 if it cannot be done.")
@click.option("--ruleset", "name", metavar="NAME", help="which game, by its name (default: the first installed)")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="how many games")
@click.option("--seats", type=click.IntRange(min=2), default=2, show_default=True, help="players at the table")
@click.option("--seed", type=int, default=1, show_default=True, help="the same seed plays the same games")
def calibrate_command(name: str | None, games: int, seats: int, seed: int) -> int:
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
