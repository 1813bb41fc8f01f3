"""How good predicted chances are: what was predicted in games of a computer player against itself, and who has won."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from service.players.analysis import Chances, public_chances
from service.players.dice import dice_for
from service.players.hints import level_of_hints
from service.players.match import Chair, play, win_share
from service.players.player import player
from service.rules.kernel import AnyRuleset

BINS: Final = 10


class Prediction(NamedTuple):
    """What was predicted for a seat, and which part of the victory it had at the end."""

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
