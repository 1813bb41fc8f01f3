"""`boardroom arena`: levels of computer players, or two bots of the API, compared by games and CPU time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import pairwise
from operator import gt
from pathlib import Path
from statistics import fmean, median, quantiles
from time import process_time
from typing import Any, Final, NamedTuple

import click

from service.commands.play import Api, GaveUp, ProblemAnswer
from service.commands.rulesets import chosen_ruleset
from service.commands.terminal import WRONG, Refused, complain, in_words, progress, say
from service.players.levels import BUDGETS, LEVELS, VERSIONS, Level, levels_of
from service.players.match import Chair, Rate, play_deal, rate_of, win_share
from service.players.player import Player, player
from service.players.solo import TRIES, SoloResult, best_alone
from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, Dice

_DEALS_PER_NOTICE: Final = 5
"""After so many deals it is told what they came to, so that a comparison of an hour that is stopped has told it."""
EVENT_WAIT_S: Final = 15
"""Seconds for which a request waits for the next event."""
STALLED_GAME_S: Final = 120.0
"""Seconds after which a game in which nothing happens is given up."""
_MAX_EXPERT_GAMES: Final = 100
"""So many games of `expert`, which thinks for a second, are enough for a table."""


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
    """Rate of wins of one level against others of another, and the thinking times of both."""

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
            if len(deals) % _DEALS_PER_NOTICE == 0 and len(deals) < number:
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


@dataclass(frozen=True, slots=True)
class ApiBot:
    """A bot by its handle, and the service as it asks it."""

    handle: str
    api: Api


def api_bot(handle: str, token: Path, url: str) -> ApiBot:
    """Return the bot whose token stands in a file; Refused if it cannot be read."""
    try:
        return ApiBot(handle, Api(url.rstrip("/"), token.read_text(encoding="utf-8").strip()))
    except OSError as error:
        raise Refused(in_words(error)) from error


def play_pairs(one: ApiBot, other: ApiBot, ruleset: str, pairs: int, step: Callable[[], None]) -> list[float]:
    """Return the win rate of one in each pair of games for two, in which each sits in seat 0 once; Refused.

    The service draws a seed for each game, so that the deals of a pair are two.
    """
    rates = []
    for _ in range(pairs):
        first, second = _outcome(one, other, ruleset), _outcome(other, one, ruleset)
        rates.append(fmean((win_share(first, 0), win_share(second, 1))))
        step()
    return rates


def _outcome(host: ApiBot, guest: ApiBot, ruleset: str) -> Any:
    """Return how a game between the two has ended, the host in seat 0."""
    wanted = {"to": guest.handle, "ruleset": ruleset, "seats": 2, "pace": {"name": "none"}}
    sent = _ask_within_limits(lambda: host.api.post("/challenges", wanted))
    # A bot that accepts by itself may have been faster: the answer is the same.
    game = _ask_within_limits(lambda: guest.api.post(f"/challenges/{sent['id']}/acceptance"))["game"]
    version, since = -1, time.monotonic()
    while True:
        table = _ask_within_limits(lambda: host.api.get(f"/games/{game}"))
        if table["outcome"] is not None:
            return table["outcome"]
        if table["version"] != version:
            version, since = table["version"], time.monotonic()
        if time.monotonic() - since > STALLED_GAME_S:
            slow = [(host, guest)[seat].handle for seat in table["to_act"]]
            raise Refused(f"{', '.join(slow)} has not moved for {STALLED_GAME_S:.0f} seconds in the game {game}")
        _ask_within_limits(partial(host.api.get, f"/games/{game}/events", after=version, wait=EVENT_WAIT_S))


def _ask_within_limits(ask: Callable[[], Any]) -> Any:
    """Return an answer, as late as the limits of the service have it."""
    while True:
        try:
            return ask()
        except ProblemAnswer as problem:
            if problem.body.get("type") != "/problems/rate-limited":
                raise Refused(f"The service refuses: {problem}") from problem
            time.sleep(float(problem.body.get("seconds", 1)))
        except GaveUp as reason:
            raise Refused(str(reason)) from reason


class _Contestant(click.Choice[str]):
    """A level, or a bot of the API: its handle, `=`, and the file that holds its token."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the level, or the handle and the file."""
        handle, equals, file = str(value).partition("=")
        return (handle, Path(file)) if equals else super().convert(value, param, ctx)


_contestant = _Contestant(LEVELS)


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


def _table(ruleset: AnyRuleset, sizes: Sequence[int], games: int, seed: int) -> None:
    say("| Players | Level | wins | 95 % | games | even | better | CPU ms, median and p99 |", "|" + "---|" * 8)
    for seats, weaker, stronger in _pairs(ruleset, sizes):
        number = min(games, _MAX_EXPERT_GAMES) if stronger == "expert" else games
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
