"""Random games of any ruleset, and what the checks of every game are tried on.

The tests of every game try the games of the packages in RULESET_PACKAGES, as the service finds them, or else those of
the repository; and each game at its earlier revisions too, as `NAME@REVISION`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from service.conformance import playouts
from service.conformance.check import Check, Checks, Trial, names_of
from service.conformance.playouts import RandomGame, RandomStep, chance_of, plain, refusal_of
from service.rules.kernel import AnyRuleset
from service.rules.registry import find_rulesets
from tests.nightly import NIGHTLY

__all__ = ["RandomGame", "RandomStep", "chance_of", "names_of", "plain", "refusal_of"]

OURS = ("service.rules.games", "tests.games")


def _revisions(packages: Sequence[str]) -> Iterator[tuple[str, AnyRuleset]]:
    for name, ruleset in find_rulesets(packages).items():
        yield name, ruleset
        yield from ((f"{name}@{revision}", earlier) for revision, earlier in ruleset.earlier.items())


TRIED = dict(_revisions(tuple(filter(None, os.environ.get("RULESET_PACKAGES", "").split(","))) or OURS))
"""The games that the tests of every game try."""

RULESETS = {**find_rulesets(OURS), **TRIED}


def _tried_sizes(name: str, seats: Sequence[int]) -> Sequence[int]:
    """Return the sizes of tables to try: of a game with many the smallest, one between, and the largest.

    Of a game that is there for the tests alone only the smallest and the largest.
    """
    if name in THROWN_AWAY:
        return sorted({seats[0], seats[-1]})
    return seats if len(seats) < MANY_SIZES else (seats[0], seats[len(seats) // 2], seats[-1])


THROWN_AWAY = find_rulesets(OURS[1:]).keys()
MANY_SIZES = 5
LARGE = 5
TABLES = [(name, seats) for name, ruleset in TRIED.items() for seats in _tried_sizes(name, ruleset.meta.seats)]


def _is_representative(name: str, seats: int) -> bool:
    """Return whether a table is the smallest or largest of its game, or the largest that is not slow.

    No table of an earlier revision is, if only its rules differ.
    """
    newest, sizes = RULESETS[name.partition("@")[0]], [size for each, size in TABLES if each == name]
    alike = TRIED[name] is not newest and replace(TRIED[name], meta=newest.meta, earlier=newest.earlier) == newest
    return not alike and seats in {sizes[0], sizes[-1], max(filter(LARGE.__ge__, sizes), default=sizes[0])}


FEWER_TABLES = TABLES if NIGHTLY else [table for table in TABLES if _is_representative(*table)]
"""Tables for checks that hang little on the rules (pictures, pages, computer players); with NIGHTLY=1 all."""
every_table = pytest.mark.parametrize(("name", "seats"), TABLES)


def times(examples: int) -> settings:
    """Return hypothesis settings for so many examples, always the same ones; a smaller seed is no simpler game."""
    return settings(
        max_examples=examples, derandomize=True, deadline=None, database=None, phases=(Phase.explicit, Phase.generate)
    )


seeds = given(seed=st.integers(0, 9))
few = times(3)
fewest = times(1)


@cache
def random_game(name: str, seats: int, seed: int) -> RandomGame:
    """Return a whole game in which everybody draws lots; the same for the same seed."""
    return playouts.random_game(RULESETS[name], seats, seed)


def played(name: str, seats: int, seed: int) -> tuple[AnyRuleset, RandomGame]:
    """Return a ruleset and a random game of it."""
    return RULESETS[name], random_game(name, seats, seed)


def viewers(seats: int) -> list[int | None]:
    """Return every seat of a player, and None for a spectator."""
    return [*range(seats), None]


def every_check(checks: Checks, tables: Sequence[tuple[str, int]] = TABLES) -> pytest.MarkDecorator:
    """Parametrize a test by `tried`, which tries one check on one table, or on one ruleset; the largest are slow."""
    return pytest.mark.parametrize("tried", [each for check in checks.all for each in _tried(check, tables)])


def _tried(check: Check, tables: Sequence[tuple[str, int]]) -> Iterator[Any]:
    if check.of_ruleset is not None:
        for name, ruleset in TRIED.items():
            yield pytest.param(partial(check.of_ruleset, ruleset), id=f"{check.name}-{name}")
    for name, seats in tables if check.of_game is not None else ():
        marks = [pytest.mark.slow] if seats > LARGE else []
        tried = partial(_try_on_games, check, name, seats)
        yield pytest.param(tried, id=f"{check.name}-{name}-{seats}", marks=marks)


def _try_on_games(check: Check, name: str, seats: int) -> None:
    assert check.of_game is not None
    # A game at a larger table has several times the actions: one of them tells as much as all at the smallest.
    games = check.games if seats == RULESETS[name].meta.seats[0] else 1
    for seed in range(games):
        check.of_game(Trial(RULESETS[name], seats, seed, random_game(name, seats, seed)))
