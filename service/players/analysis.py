"""Analysis of a finished game: everybody's chance to win after each step, turning points, and moves that lost most.

All figures are those of a computer player that looks one action ahead. They are estimates and never the truth: each
loss is a range over two budgets, and a move counts as a mistake only if both find it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import exp
from typing import Any, Final, NamedTuple

from service.players.hints import level_of_hints
from service.players.levels import Apart, Level, dice_for
from service.players.match import Chair, play, win_share
from service.players.player import lookalike_state, player
from service.players.values import value_of
from service.rules.kernel import AnyRuleset, Dice, state_after

VERSION: Final = 3
"""Rises with every change after which an analysis of the same game may be another."""
BUDGETS: Final = (2, 4)
"""The tables that a move is judged on; those of the first are among those of the second."""
TABLES: Final = 4
"""The tables dealt again for what all could know after a step."""
MISTAKE: Final = 0.05
"""A move that loses at least so much of the chance to win, on both budgets, is called a mistake."""
NOTICED: Final = 0.01
"""A smaller loss is not told."""
NAMED: Final = 6
"""So many turning points are named, and so many moves."""
CANDIDATES: Final = 120
"""So many other actions are tried at most in place of the one that was taken."""
_SPREAD: Final = 6.0
"""The spread of a value that nobody has measured."""


class PlayedStep(NamedTuple):
    """A step of a finished game that changed its state; `seq` is its last event.

    `action` is None where none of the players acted: setup, automaton, resignation.
    """

    seq: int
    seat: int | None
    action: Any
    before: Any
    after: Any


class Point(NamedTuple):
    """Chances of all seats to win after a step: by what all could know, and with all cards open."""

    seq: int
    public: Sequence[float]
    open: Sequence[float]


class TurningPoint(NamedTuple):
    """A step with which the chance of a seat has changed much, as all could know it."""

    seq: int
    seat: int
    before: float
    after: float


class LostChance(NamedTuple):
    """A move that lost a part of its seat's chance to win, between `least` and `most`, and the better action."""

    seq: int
    seat: int
    action: Any
    better: Any
    least: float
    most: float

    @property
    def mistake(self) -> bool:
        """Return whether both budgets call the move a mistake."""
        return self.least >= MISTAKE


class StepAnalysis(NamedTuple):
    """Analysis of one step: the chances after it, and the loss by its move, None if nothing was lost."""

    point: Point
    lost: LostChance | None


def analyse_step(chances: Chances, game: str, step: PlayedStep) -> StepAnalysis:
    """Return what there is to say of a step; the same for the same step of the same game.

    Only a fitted value judges moves.
    """
    dice = dice_for(game, step.seq, 0, "hard")
    point = Point(step.seq, public_chances(chances, step.after, dice), chances.all_seats(step.after))
    return StepAnalysis(point, _lost(chances, game, step) if chances.fitted else None)


def worst_moves(losses: Iterable[LostChance]) -> list[LostChance]:
    """Return the moves that lost most, the worst first."""
    return sorted(losses, key=lambda each: -each.least - each.most)[:NAMED]


class Chances:
    """Chances to win from the value of positions at a table of `seats` players."""

    def __init__(self, ruleset: AnyRuleset, seats: int) -> None:
        self.ruleset, self.seats = ruleset, seats
        level, valuation = _level(ruleset, seats), ruleset.valuation
        self.fitted = level == "hard"
        self._value = value_of(ruleset, seats, level)
        self._spread = _SPREAD if valuation is None else valuation.spreads.get(seats, _SPREAD)

    def all_seats(self, state: Any) -> list[float]:
        """Return the chance of each player; with one player against the automaton, of that one alone."""
        leads = [self._value(state, seat) / self._spread for seat in range(self.seats)]
        if self.seats == 1:
            return [_logistic(leads[0])]
        parts = [exp(lead - max(leads)) for lead in leads]
        return [part / sum(parts) for part in parts]

    def of(self, state: Any, seat: int) -> float:
        """Return the chance of a seat, from its own lead."""
        return _logistic(self._value(state, seat) / self._spread)


def public_chances(chances: Chances, state: Any, dice: Dice) -> list[float]:
    """Return everybody's chance by what all could know: the mean over tables dealt again for a spectator."""
    tables = [
        lookalike_state(chances.ruleset, state, None, Apart(dice, f"public {number}")) for number in range(TABLES)
    ]
    each = [chances.all_seats(table) for table in tables]
    return [sum(column) / TABLES for column in zip(*each, strict=True)]


def turning_points(points: Sequence[Point]) -> list[TurningPoint]:
    """Return the largest swings, in the order of the game; of each, the seat whose chance has changed most."""
    swings = []
    for before, after in pairwise(points):
        changes = [then - now for now, then in zip(before.public, after.public, strict=True)]
        seat = max(range(len(changes)), key=lambda seat: abs(changes[seat]))
        swings.append(TurningPoint(after.seq, seat, before.public[seat], after.public[seat]))
    swings.sort(key=lambda each: -abs(each.after - each.before))
    return sorted(each for each in swings[:NAMED] if abs(each.after - each.before) >= MISTAKE)


def _level(ruleset: AnyRuleset, seats: int) -> Level:
    # How the value of a game for one goes with its end has not been measured: its chances go by the points.
    return level_of_hints(ruleset, seats) if seats > 1 else "easy"


def _lost(chances: Chances, game: str, step: PlayedStep) -> LostChance | None:
    """Return what a move has lost by both budgets; None where either finds no better one."""
    seat, ruleset = step.seat, chances.ruleset
    if step.action is None or seat is None:
        return None
    dice = dice_for(game, ruleset.decision(step.before), seat, "hard")
    legal = [action for action in ruleset.legal(step.before, seat) if action != step.action]
    actions = [step.action, *dice.shuffle("actions", legal)[:CANDIDATES]]
    rows = [
        [_chance_after(chances, table, (seat, action), Apart(dice, f"chance {number}")) for action in actions]
        for number, table in enumerate(_tables(ruleset, step.before, seat, dice))
    ]
    means = [[sum(column) / budget for column in zip(*rows[:budget], strict=True)] for budget in BUDGETS]
    losses = [max(each) - each[0] for each in means]
    if min(losses) < NOTICED:
        return None
    better = actions[means[-1].index(max(means[-1]))]
    return LostChance(step.seq, seat, step.action, better, min(losses), max(losses))


def _tables(ruleset: AnyRuleset, state: Any, seat: int, dice: Dice) -> list[Any]:
    return [lookalike_state(ruleset, state, seat, Apart(dice, f"table {number}")) for number in range(BUDGETS[-1])]


def _chance_after(chances: Chances, table: Any, move: tuple[int, Any], dice: Dice) -> float:
    ruleset, (seat, action) = chances.ruleset, move
    return chances.of(state_after(ruleset, table, ruleset.decide(table, seat, action, dice)), seat)


def _logistic(lead: float) -> float:
    return 1 / (1 + exp(-max(-60.0, min(60.0, lead))))


# Calibration: predicted chances against the winners of self-play games.

BINS: Final = 10


class Prediction(NamedTuple):
    """Predicted chance of a seat, and its part of the victory at the end."""

    predicted: float
    won: float


class Bin(NamedTuple):
    """Forecasts that lie close to each other: their means, and how many they are."""

    predicted: float
    won: float
    number: int


def forecasts(ruleset: AnyRuleset, seats: int, games: int, name: str, step: Callable[[], None]) -> list[Prediction]:
    """Return a forecast for each seat after each move of so many games, by what all could know."""
    chances, level = Chances(ruleset, seats), level_of_hints(ruleset, seats)
    chair = Chair(level, player(ruleset, seats, level).choose)
    made: list[Prediction] = []
    for number in range(games):
        game = f"{name}:{number}"
        moved, outcome = play(ruleset, [chair] * seats, game)
        won = [win_share(outcome, seat) for seat in range(seats)]
        for place, (_, after) in enumerate(moved[:-1]):
            predicted = public_chances(chances, after, dice_for(game, place, 0, "hard"))
            made += [Prediction(*each) for each in zip(predicted, won, strict=True)]
        step()
    return made


def brier(made: Sequence[Prediction]) -> float:
    """Return the mean square of how far forecasts were off; 0 is perfect."""
    return sum((each.predicted - each.won) ** 2 for each in made) / len(made)


def brier_of_constant(made: Sequence[Prediction]) -> float:
    """Return the Brier score of always predicting the mean."""
    mean = sum(each.won for each in made) / len(made)
    return brier([Prediction(mean, each.won) for each in made])


def binned(made: Sequence[Prediction]) -> list[Bin]:
    """Return the forecasts in BINS bins of equal width, without the empty ones."""
    bins: list[list[Prediction]] = [[] for _ in range(BINS)]
    for each in made:
        bins[min(BINS - 1, int(each.predicted * BINS))].append(each)
    return [
        Bin(sum(f.predicted for f in each) / len(each), sum(f.won for f in each) / len(each), len(each))
        for each in bins
        if each
    ]
