"""`boardroom arena`: levels of computer players, how often each wins and how long it thinks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import gt
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import click

from service.commands.compared import Alone, Compared, Timekeeper, compare, compare_alone, playing
from service.commands.installed import installed_rulesets
from service.commands.referee import ApiBot, api_bot, play_pairs
from service.commands.terminal import progress, say
from service.players.arena import Rate, rate_of
from service.players.levels import LEVELS, Level, levels_of
from service.players.solo import TRIES
from service.rules.kernel import AnyRuleset


class _Contestant(click.Choice[str]):
    """A level, or a bot of the API: its handle, `=`, and the file that holds its token."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the level, or the handle and the file."""
        handle, equals, file = str(value).partition("=")
        return (handle, Path(file)) if equals else super().convert(value, param, ctx)


_contestant = _Contestant(LEVELS)
_FEW: Final = 100
"""So many games of `expert`, which thinks for a second, are enough for a table."""


@click.command("arena", epilog="Exit code: 0, 1 if the game has no such level or table, 2 if it cannot be done.")
@click.argument("one", metavar="[ONE", type=_contestant, required=False)
@click.argument("others", metavar="OTHERS]", type=_contestant, required=False)
@click.option("--ruleset", "name", metavar="NAME", help="which game, by its name (default: the first installed)")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="how many games, at least")
@click.option(
    "--seats", type=click.IntRange(min=1), multiple=True, help="players at the table (default: 2, without levels all)"
)
@click.option("--api", "url", metavar="URL", help="the service at which two bots of the API play")
@click.option("--tables", type=click.IntRange(min=1), metavar="N", help="so many tables for expert to think about")
@click.option("--seed", type=int, default=1, show_default=True, help="the same seed plays the same games")
def command(one: Any, others: Any, name: str | None, games: int, url: str | None, **more: Any) -> int:
    """Play one player of a level against others of another level, from each seat of the same deals.

    Levels: random, easy, normal, hard, expert. The win rate of the one has a 95 % interval over the deals. Without
    levels, each level plays the one below it at tables of every size, and the rows of a table are printed. With one
    seat both levels play the same deals alone, and their best results are compared.

    With --api two bots play that run elsewhere, each named HANDLE=FILE, with a token of the bot in the file (scopes
    games:read, games:play, games:create). Each has seat 0 in one game of each pair; the service deals each game anew.
    """
    ruleset = chosen_ruleset(name)
    if isinstance(one, tuple) and isinstance(others, tuple) and url is not None:
        return _referee(api_bot(one[0], one[1], url), api_bot(others[0], others[1], url), ruleset, games)
    if isinstance(one, tuple) or isinstance(others, tuple) or url is not None:
        raise click.UsageError("Two levels play each other here, or two bots, HANDLE=FILE, at the service of --api.")
    return _levels(ruleset, one, others, games, **more)


def _referee(one: ApiBot, other: ApiBot, ruleset: AnyRuleset, games: int) -> int:
    pairs = -(-games // 2)
    with progress("playing", pairs) as step:
        rate = rate_of(play_pairs(one, other, ruleset.meta.name, pairs, step))
    say(
        f"{one.handle} against {other.handle}: wins {rate.rate:.3f} (95 %: {rate.low:.3f} to {rate.high:.3f}; even is "
        f"0.500), {2 * pairs} games in {pairs} pairs"
    )
    return 0


def _levels(
    ruleset: AnyRuleset,
    one: Level | None,
    others: Level | None,
    games: int,
    *,
    seats: tuple[int, ...],
    seed: int,
    tables: int | None,
) -> int:
    if tables is not None and (1 in seats or "expert" not in (one, others)):
        raise click.UsageError("Only expert thinks about more tables than one: name it, and others to play against.")
    if 1 in seats and others is None:
        raise click.UsageError("Name two levels to compare how they play alone.")
    if one is None:
        _table(ruleset, seats or [size for size in ruleset.meta.seats if size > 1], games, seed)
        return 0
    if others is None:
        raise click.UsageError("Name two levels, or none.")
    for size in seats or (2,):
        if size == 1:
            say(*_told_alone((one, others), compare_alone(ruleset, one, others, games, seed)))
            continue
        players = playing(ruleset, size, one, tables), playing(ruleset, size, others, tables)
        found = compare(*players, games, seed)
        say(_told(one, others, size, found.rate), *map(_time, found[1:]))
    return 0


def chosen_ruleset(name: str | None) -> AnyRuleset:
    """Return the ruleset of a name, or the first of those installed; a usage error if there is none of that name."""
    rulesets = installed_rulesets()
    chosen = next(iter(rulesets)) if name is None else name
    if chosen not in rulesets:
        known = ", ".join(rulesets)
        raise click.BadParameter(f"{chosen!r} is none of those installed: {known}.", param_hint="--ruleset")
    return rulesets[chosen]


def _table(ruleset: AnyRuleset, sizes: Sequence[int], games: int, seed: int) -> None:
    say("| Players | Level | wins | 95 % | games | even | better | CPU ms, median and p99 |", "|" + "---|" * 8)
    for seats, weaker, stronger in _pairs(ruleset, sizes):
        number = min(games, _FEW) if stronger == "expert" else games
        found = compare(playing(ruleset, seats, stronger), playing(ruleset, seats, weaker), number, seed)
        say(_row(seats, weaker, stronger, found))


def _pairs(ruleset: AnyRuleset, sizes: Sequence[int]) -> Iterator[tuple[int, Level, Level]]:
    for seats in sizes:
        for weaker, stronger in pairwise(levels_of(ruleset, seats)):
            yield seats, weaker, stronger


def _row(seats: int, weaker: Level, stronger: Level, found: Compared) -> str:
    rate, (middle, most) = found.rate, found.one.milliseconds
    better = "yes" if rate.low > 1 / seats else "not proven"
    return (
        f"| {seats} | `{stronger}` against `{weaker}` | {rate.rate:.3f} | {rate.low:.3f} to {rate.high:.3f} "
        f"| {rate.deals * seats} | {1 / seats:.3f} | {better} | {middle:.1f}, {most:.1f} |"
    )


def _told(one: Level, others: Level, seats: int, rate: Rate) -> str:
    games = rate.deals * seats
    return (
        f"{one} against {seats - 1} {others}: wins {rate.rate:.3f} (95 %: {rate.low:.3f} to {rate.high:.3f}; "
        f"even is {1 / seats:.3f}), {games} games of {rate.deals} deals"
    )


def _told_alone(levels: tuple[Level, Level], found: Alone) -> Iterator[str]:
    for level, results in zip(levels, found, strict=True):
        won, margins = sum(result.won for result in results), [result.margin for result in results]
        yield (
            f"{level} alone: has won {won} of {len(results)} deals, each by its best of {TRIES} tries; "
            f"{fmean(margins):.2f} points ahead, {min(margins)} to {max(margins)}"
        )
    more, less = (sum(map(gt, *pair)) for pair in (found, found[::-1]))
    same = len(found.one) - more - less
    yield f"{levels[0]} came to more in {more} deals, to the same in {same}, to less in {less}"


def _time(clock: Timekeeper) -> str:
    middle, most = clock.milliseconds
    player, choices = clock.player, clock.choices
    return (
        f"{player.level:<8} {choices} choices, tables for one: {player.budget}, "
        f"CPU time of one: median {middle:.1f} ms, p99 {most:.1f} ms"
    )
