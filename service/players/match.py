"""Whole games between computer players, each the same again for the same name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from service.players.dice import dice_for
from service.players.levels import Level
from service.rules.chance import Chance, commit, derive_key
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
