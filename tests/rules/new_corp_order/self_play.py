"""Games that a simple player plays against itself: it looks one action ahead, and at times draws lots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from service.commands.selfplay import draw
from service.rules.chance import Chance, commit
from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import Infiltrate, Plot, SkipAbility, TakeOver
from service.rules.games.new_corp_order.scoring import final_scores
from service.rules.games.new_corp_order.state import State
from service.rules.kernel import begin, fold

LOTS = 0.25
"""How often an action is drawn instead of weighed."""
SAMPLE = 5
"""So many actions of each kind are weighed."""

Shuns = Callable[[State, int, Any], bool]
"""(state, seat, action): whether the seat does without the action."""


class Played(NamedTuple):
    """A game that is over: the winners, and how often each ability and each consultant was used."""

    winners: tuple[int, ...]
    abilities: Counter[str]
    consultants: Counter[str]


def play(seats: int, options: Mapping[str, Any], name: str, shuns: Shuns = lambda *_: False) -> Played:
    """Play a game; the same name plays the same game."""
    lots = Random(name)
    chance = Chance(lots.randbytes(32))
    state = fold(RULESET, begin(RULESET, seats, options, chance, commit(lots.randbytes(32)), ("",) * seats))
    abilities: Counter[str] = Counter()
    consultants: Counter[str] = Counter()
    while state.result is None:
        seat = state.active
        action = _chosen(state, [each for each in RULESET.legal(state, seat) if not shuns(state, seat, each)], lots)
        if state.phase == "ability" and not isinstance(action, SkipAbility):
            abilities[state.companies[state.taken_over].type] += 1
        if isinstance(action, Infiltrate | TakeOver) and action.use is not None:
            consultants[action.use] += 1
        state = fold(RULESET, RULESET.decide(state, seat, action, chance), state)
    return Played(state.result.winners, abilities, consultants)


def _chosen(state: State, legal: Sequence[Any], lots: Random) -> Any:
    if lots.random() < LOTS:
        return draw(legal, lots)
    kinds: dict[type[Any], list[Any]] = {}
    for action in legal:
        kinds.setdefault(type(action), []).append(action)
    weighed = [each for one in kinds.values() for each in lots.sample(one, min(SAMPLE, len(one)))]
    return max(weighed, key=lambda action: (_lead(state, action), lots.random()))


def _lead(state: State, action: Any) -> int:
    """How far ahead of the best other player the action leaves its seat; a Plot changes nothing yet."""
    if not isinstance(action, Plot):
        state_after = fold(RULESET, RULESET.decide(state, state.active, action, None), state)
    else:
        state_after = state
    scores = final_scores(state_after)
    return scores[state.active] - max(score for seat, score in enumerate(scores) if seat != state.active)
