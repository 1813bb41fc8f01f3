"""Games between computer players: whole games, win rates of levels, facts of a game by self-play.

A game is the same again for the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from statistics import fmean, median, quantiles, stdev
from typing import Any, Final, NamedTuple

from service.players.levels import Level, dice_for
from service.players.player import Player
from service.rules.chance import Chance, commit, derive_key
from service.rules.guide import Facts
from service.rules.kernel import AnyRuleset, Dice, begin, fold
from service.rules.lookahead import after
from service.rules.outcome import Outcome

Choose = Callable[[Any, int, Dice], Any]
"""(state, seat, dice): the action that a player chooses."""


class Chair(NamedTuple):
    """A level, and how it chooses."""

    level: Level
    choose: Choose


class Moved(NamedTuple):
    """A step of a match: the seat whose action it was, and the state after it."""

    seat: int
    after: Any


def play(ruleset: AnyRuleset, chairs: Sequence[Chair], game: str) -> tuple[list[Moved], Outcome]:
    """Return the steps of a game with options at their defaults, and how it has ended.

    Games of one name have the same deal and the same chance, whoever plays.
    """
    secret = sha256(game.encode()).digest()
    chance = Chance(derive_key(secret, game, ()))
    options = {option.name: option.default for option in ruleset.meta.options}
    state = fold(ruleset, begin(ruleset, len(chairs), options, chance, commit(secret), ()))
    return play_on(ruleset, chairs, game, state, chance)


def play_on(
    ruleset: AnyRuleset, chairs: Sequence[Chair], game: str, state: Any, chance: Dice
) -> tuple[list[Moved], Outcome]:
    """Return the steps of a game from a state of it, and how it has ended; what is drawn on comes from `chance`."""
    moved: list[Moved] = []
    while (outcome := ruleset.outcome(state)) is None:
        seat, action = ruleset.automaton(state) or _answer(ruleset, chairs, state, game)
        state = after(ruleset, state, seat, action, chance)
        moved.append(Moved(seat, state))
    return moved, outcome


def win_share(outcome: Outcome, seat: int) -> float:
    """Return the part of the victory that a seat has: 1, nothing, or a share of it."""
    winners = outcome["winners"]
    return 1 / len(winners) if seat in winners else 0.0


def _answer(ruleset: AnyRuleset, chairs: Sequence[Chair], state: Any, game: str) -> tuple[int, Any]:
    # Who acts simultaneously knows nothing of the others' answers, so that the order makes no difference.
    seat = min(ruleset.to_act(state))
    level, choose = chairs[seat]
    return seat, choose(state, seat, dice_for(game, ruleset.decision(state), seat, level))


# Arena: win rates over the same deals from every seat, with their intervals.

_Z: Final = 1.96
"""Standard deviations on each side of a 95 % interval."""


class Rate(NamedTuple):
    """A win rate, the ends of its 95 % interval, and the number of deals behind it."""

    rate: float
    low: float
    high: float
    deals: int


def play_deal(ruleset: AnyRuleset, one: Chair, others: Chair, seats: int, game: str) -> float:
    """Return the win rate of one player against others of another kind in games of one deal, from each seat once."""
    shares = []
    for seat in range(seats):
        chairs = [one if place == seat else others for place in range(seats)]
        _, outcome = play(ruleset, chairs, game)
        shares.append(win_share(outcome, seat))
    return fmean(shares)


def rate_of(deals: Sequence[float]) -> Rate:
    """Return the rate over the win rates of deals, with Wilson's interval for as many games as they are worth.

    Games of one deal resemble each other, or balance each other: a deal is worth as many games as have its spread.
    """
    rate, games = fmean(deals), float(len(deals))
    if len(deals) > 1 and (spread := stdev(deals)) > 0:
        games = len(deals) * rate * (1 - rate) / spread**2
    middle = (rate + _Z**2 / (2 * games)) / (1 + _Z**2 / games)
    reach = _Z / (1 + _Z**2 / games) * (rate * (1 - rate) / games + _Z**2 / (4 * games**2)) ** 0.5
    return Rate(rate, middle - reach, middle + reach, len(deals))


# Facts by self-play: length, scores, and the worth of beginning.

_HEAD: Final = '''\
"""How games of computer players go, by number of players; written by `boardroom facts {name}`, not by hand."""

from collections.abc import Mapping

from service.rules.guide import Facts

FACTS: Mapping[int, Facts] = {{
'''


def facts_of(ruleset: AnyRuleset, player: Player, games: int, name: str, step: Callable[[], None]) -> Facts:
    """Return what games of a player against itself have shown; `step` is called after each game.

    The same name plays the same games. LookupError if the game has no scores.
    """
    chairs = [Chair(player.level, player.choose)] * player.seats
    turns, scores, winning, first = list[int](), list[int](), list[int](), list[float]()
    for number in range(games):
        moved, outcome = play(ruleset, chairs, f"{name}:{number}")
        made = list(outcome["scores"] or ())
        turns.append(ruleset.turn(moved[-1].after))
        scores += made
        winning += [made[seat] for seat in outcome["winners"]]
        first.append(win_share(outcome, moved[0].seat))
        step()
    if not winning:
        raise LookupError(f"{ruleset.meta.title} has no scores")
    rate = rate_of(first)
    return Facts(
        level=player.level,
        games=games,
        turns=_spread(turns),
        scores=_spread(scores),
        winner=round(median(winning)),
        first=(round(100 * rate.rate), round(100 * rate.low), round(100 * rate.high)),
    )


def module_of_facts(name: str, facts: Mapping[int, Facts]) -> str:
    """Return a Python module with FACTS, by number of players."""
    lines = "".join(f"    {seats}: {_line(facts[seats])},\n" for seats in sorted(facts))
    return f"{_HEAD.format(name=name)}{lines}}}\n"


def _line(facts: Facts) -> str:
    return (
        f'Facts(level="{facts.level}", games={facts.games}, turns={facts.turns}, scores={facts.scores}, '
        f"winner={facts.winner}, first={facts.first})"
    )


def _spread(numbers: Sequence[int]) -> tuple[int, int, int]:
    low, *_, high = quantiles(numbers, n=20, method="inclusive")
    return round(low), round(median(numbers)), round(high)
