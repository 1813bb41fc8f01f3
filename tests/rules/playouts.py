"""Random games of any ruleset, and values told plainly so that they can be compared and put into sets.

The tests of every game try the games of the packages in RULESET_PACKAGES, as the service finds them, or else those of
the repository; and each game at its earlier revisions too, as `NAME@REVISION`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from service.record.draws import Witness
from service.rules.chance import Chance, commit
from service.rules.kernel import AnyRuleset, Illegal, begin, fold
from service.rules.registry import find_rulesets

OURS = ("service.rules.games", "tests.games")


def _revisions(packages: Sequence[str]) -> Iterator[tuple[str, AnyRuleset]]:
    for name, ruleset in find_rulesets(packages).items():
        yield name, ruleset
        yield from ((f"{name}@{revision}", earlier) for revision, earlier in ruleset.earlier.items())


TRIED = dict(_revisions(tuple(filter(None, os.environ.get("RULESET_PACKAGES", "").split(","))) or OURS))
"""The games that the tests of every game try."""

RULESETS = {**find_rulesets(OURS), **TRIED}
TABLES = [(name, seats) for name, ruleset in TRIED.items() for seats in ruleset.meta.seats]
every_table = pytest.mark.parametrize(("name", "seats"), TABLES)
ENDLESS = 3_000


class Step(NamedTuple):
    """One action of a random game: the state it met, who did what, the facts that followed, the state after them."""

    before: Any
    seat: int
    action: Any
    facts: tuple[Any, ...]
    after: Any


class Played(NamedTuple):
    """A random game: its setup events, the state after them, its steps, and the labels by which chance was asked."""

    setup: tuple[Any, ...]
    start: Any
    steps: tuple[Step, ...]
    labels: tuple[str, ...]

    @property
    def states(self) -> list[Any]:
        """Every state in which somebody was to act, and the last one."""
        return [self.start, *(step.after for step in self.steps)]

    def log(self, steps: int | None = None) -> list[Any]:
        """The events of the setup and of the first steps (None = all)."""
        return [*self.setup, *(fact for step in self.steps[:steps] for fact in step.facts)]


def times(examples: int) -> settings:
    """Return hypothesis settings for so many examples, always the same ones; a smaller seed is no simpler game."""
    return settings(
        max_examples=examples, derandomize=True, deadline=None, database=None, phases=(Phase.explicit, Phase.generate)
    )


seeds = given(seed=st.integers(0, 9))
few = times(3)
fewest = times(1)


@cache
def random_game(name: str, seats: int, seed: int) -> Played:
    """Return a whole game in which everybody draws lots; the same for the same seed."""
    ruleset, lots = RULESETS[name], Random(f"{name} {seats} {seed}")
    chance = Witness(Chance(lots.randbytes(32)))
    nonces = [lots.randbytes(8).hex() for _ in range(seats)]
    setup = begin(ruleset, seats, _options(ruleset, seats, lots), chance, commit(lots.randbytes(32)), nonces)
    start = state = fold(ruleset, setup)
    steps: list[Step] = []
    while ruleset.to_act(state):
        assert len(steps) < ENDLESS, "the game does not end"
        seat, action = ruleset.automaton(state) or _drawn(ruleset, state, lots)
        facts = tuple(ruleset.decide(state, seat, action, chance))
        steps.append(Step(state, seat, action, facts, fold(ruleset, facts, state)))
        state = steps[-1].after
    return Played(tuple(setup), start, tuple(steps), tuple(draw["label"] for draw in chance.taken()))


def played(name: str, seats: int, seed: int) -> tuple[AnyRuleset, Played]:
    """Return a ruleset and a random game of it."""
    return RULESETS[name], random_game(name, seats, seed)


def chance_of(seed: int) -> Chance:
    """Return some chance to ask `decide` with."""
    return Chance(seed.to_bytes(32, "big"))


def refusal_of(ruleset: AnyRuleset, state: Any, seat: int, action: Any) -> Illegal | None:
    """Return how the rules refuse the action, None if they accept it."""
    try:
        ruleset.decide(state, seat, action, chance_of(1))
    except Illegal as refusal:
        return refusal
    return None


def plain(value: Any) -> Any:
    """Return a value as nested tuples and frozensets: equal values are equal, and can be hashed."""
    if is_dataclass(value):
        return (type(value).__name__, *(plain(getattr(value, field.name)) for field in fields(value)))
    if isinstance(value, Mapping):
        return frozenset((key, plain(item)) for key, item in value.items())
    if isinstance(value, tuple | list):
        return tuple(plain(item) for item in value)
    return frozenset(plain(item) for item in value) if isinstance(value, set | frozenset) else value


def viewers(seats: int) -> list[int | None]:
    """Return every seat of a player, and None for a spectator."""
    return [*range(seats), None]


def names_of(seats: int) -> list[str]:
    """Return the players' names."""
    return ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank"][:seats]


def _drawn(ruleset: AnyRuleset, state: Any, lots: Random) -> tuple[int, Any]:
    seat = lots.choice(sorted(ruleset.to_act(state)))
    return seat, lots.choice(list(ruleset.legal(state, seat)))


def _options(ruleset: AnyRuleset, seats: int, lots: Random) -> dict[str, Any]:
    kinds = {"boolean": [False, True], "seat": [None, *range(seats)]}
    drawn = {option.name: lots.choice(kinds[option.type]) for option in ruleset.meta.options}
    return drawn if lots.random() < 0.5 else {option.name: option.default for option in ruleset.meta.options}
