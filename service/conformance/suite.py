"""The suite of checks that every game has to pass, and their findings in a game."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from service.conformance.check import Check, Trial
from service.conformance.course import COURSE
from service.conformance.lobby import LOBBY
from service.conformance.playouts import Broken, random_game
from service.conformance.secrets import SECRETS
from service.conformance.tables import DRAWINGS, PICTURES, STORIES, TABLES
from service.conformance.words import WORDS
from service.rules.kernel import AnyRuleset

CHECKS: Final[Sequence[Check]] = tuple(
    check for area in (LOBBY, COURSE, SECRETS, WORDS, PICTURES, TABLES, DRAWINGS, STORIES) for check in area.all
)
_PLAYED: Final = "a random game is played to its end"
_HOW_TO_PLAY: Final = "Look at `start`, `decide`, `evolve`, `to_act` and `legal` where the message points."


class CheckResult(NamedTuple):
    """Result of a check: its sentence; the fault and its remedy, both empty without a fault."""

    sentence: str
    wrong: str = ""
    todo: str = ""


def examine(ruleset: AnyRuleset) -> Iterator[CheckResult]:
    """Yield what each check finds, in order; if games cannot be played, the checks that need them are left out."""
    most = max(check.games for check in CHECKS)
    trials: list[Trial] = []
    wrong = ""
    try:
        for seats in ruleset.meta.seats:
            trials += [Trial(ruleset, seats, seed, random_game(ruleset, seats, seed)) for seed in range(most)]
    except Exception as error:
        wrong = in_words(error)
    yield CheckResult(_PLAYED, wrong, _HOW_TO_PLAY if wrong else "")
    for check in CHECKS:
        if not (check.games and wrong):
            yield _found(check, ruleset, trials)


def _found(check: Check, ruleset: AnyRuleset, trials: Sequence[Trial]) -> CheckResult:
    where = ""
    try:
        if check.of_ruleset is not None:
            check.of_ruleset(ruleset)
        if check.of_game is not None:
            for trial in (trial for trial in trials if trial.seed < check.games):
                where = f" (a game of {trial.seats})"
                check.of_game(trial)
    except Exception as error:
        return CheckResult(check.sentence, f"{in_words(error)}{where}", check.todo)
    return CheckResult(check.sentence)


def in_words(error: Exception) -> str:
    """Return what is wrong: what a check has found, or the exception of a game and where it was raised."""
    if isinstance(error, Broken):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} in {Path(place.filename).name}, line {place.lineno}"
