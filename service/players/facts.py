"""Facts of a game by self-play: how long it is, what is scored, and whether it helps to begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median, quantiles
from typing import Final

from service.players.arena import rate_of
from service.players.match import Chair, play, win_share
from service.players.player import Player
from service.rules.guide import Facts
from service.rules.kernel import AnyRuleset

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
