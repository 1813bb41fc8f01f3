"""Hints: the moves that a computer player would choose from, and the reasons for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, Final, NamedTuple

from service.players.levels import Apart, Level, levels_of
from service.players.player import lookalike_state
from service.players.values import WON, scores_at, value_of, weights_of
from service.rules.kernel import AnyRuleset, Dice
from service.rules.lookahead import after, valuation_of
from service.rules.valuation import Gain

MOST: Final = 3
"""So many moves are named at most, and so many features for each of them."""
TABLES: Final = 3
"""So many tables are dealt again; what speaks for a move has to hold on all of them."""
_NOTICED: Final = 0.5
"""A feature that changes by less is not worth a word."""
_TOLD: Final = 0.05
"""An estimate is told with one digit behind the point."""


class Reason(NamedTuple):
    """Reason for a move: it `wins`, own `points`, or `others` for points that the best other one loses.

    Or a feature; or `better`, the estimated points above those of the average move, where nothing else is known to
    speak for it. `change` is by how much, at least, and never 0; points that a move costs are below 0.
    """

    what: str
    change: float


class Hint(NamedTuple):
    """A legal action, and what speaks for it, the points first."""

    action: Any
    reasons: Sequence[Reason]


def hints(ruleset: AnyRuleset, seats: int, state: Any, seat: int, dice: Dice) -> list[Hint]:
    """Return up to MOST moves of a seat that has to act, the best first; the same for states that look alike to it.

    There are none where the player sees no difference between the moves.
    """
    tables = [lookalike_state(ruleset, state, seat, Apart(dice, f"table {number}")) for number in range(TABLES)]
    chances = [Apart(dice, f"chance {number}") for number in range(TABLES)]
    value = value_of(ruleset, seats, level_of_hints(ruleset, seats))
    actions = dice.shuffle("actions", ruleset.legal(tables[0], seat))

    def ends(action: Any) -> list[Any]:
        return [after(ruleset, table, seat, action, chance) for table, chance in zip(tables, chances, strict=True)]

    worths = [sum(value(each, seat) for each in ends(action)) for action in actions]
    worst, usual = min(worths), fmean(worths)
    found: list[Hint] = []
    seen: list[Any] = []
    for place in sorted(range(len(actions)), key=lambda place: -worths[place]):
        if len(found) == MOST:
            break
        led_to = ends(actions[place])
        if led_to[0] not in seen and (worths[place] > worst or len(actions) == 1):
            # Two ways to write the same move are one candidate.
            seen.append(led_to[0])
            named = _reasons(ruleset, seats, (tables, led_to), seat)
            found.append(Hint(actions[place], named or _estimate((worths[place] - usual) / TABLES)))
    return found


def level_of_hints(ruleset: AnyRuleset, seats: int) -> Level:
    """Return the best level of a game at a table of so many players that does without a search."""
    return [level for level in levels_of(ruleset, seats) if level != "expert"][-1]


def _reasons(
    ruleset: AnyRuleset, seats: int, turned: tuple[Sequence[Any], Sequence[Any]], seat: int
) -> Sequence[Reason]:
    before, after = turned
    outcomes = [ruleset.outcome(state) for state in after]
    if all(outcome is not None and seat in outcome["winners"] for outcome in outcomes):
        return [Reason("wins", 1)]
    scored = [[scores_at(ruleset, state, seat) for state in states] for states in (before, after)]
    own = [then[seat] - now[seat] for now, then in zip(*scored, strict=True) if seat < min(len(now), len(then))]
    best = [_best_other(now, seat) - _best_other(then, seat) for now, then in zip(*scored, strict=True)]
    points = (Reason("points", _sure(own)), Reason("others", _sure(best)))
    named = sorted(_features(ruleset, seats, turned, seat), key=lambda each: -each[0])
    return [*(each for each in points if each.change), *(reason for _, reason in named[:MOST])]


def _estimate(better: float) -> Sequence[Reason]:
    # A lead that a won or a lost game stands for is no number of points.
    return [Reason("better", better)] if _TOLD <= better < WON / 10 else ()


def _best_other(scores: Sequence[float], seat: int) -> float:
    return max((score for place, score in enumerate(scores) if place != seat), default=0)


def _features(
    ruleset: AnyRuleset, seats: int, turned: tuple[Sequence[Any], Sequence[Any]], seat: int
) -> Iterator[tuple[float, Reason]]:
    """Yield the features that change for the better on all tables, each with about what that is worth."""
    valuation = valuation_of(ruleset, seats)
    weights = None if valuation is None else weights_of(valuation, seats, level_of_hints(ruleset, seats))
    if valuation is None or weights is None:
        return
    gains: Mapping[str, Gain] = valuation.gains
    rows = [[valuation.features(state, seat) for state in states] for states in turned]
    for place, (name, weight) in enumerate(zip(valuation.names, weights, strict=True)):
        change = _sure([then[place] - now[place] for now, then in zip(*rows, strict=True)])
        if name in gains and abs(change) >= _NOTICED and (change > 0) == gains[name].rises:
            yield abs(weight * change), Reason(name, change)


def _sure(changes: Sequence[float]) -> float:
    """Return the smallest change if all go the same way, 0 if they do not."""
    if not changes or min(changes) <= 0 <= max(changes):
        return 0
    return min(changes, key=abs)
