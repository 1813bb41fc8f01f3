"""Random games of any ruleset, and values told plainly so that they can be compared and put into sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple

from service.record.draws import Witness
from service.rules.chance import Chance, commit
from service.rules.kernel import AnyRuleset, Illegal, begin, fold

ENDLESS: Final = 3_000
"""No game has so many actions."""


class Broken(Exception):
    """A game does not keep to what every game has to; the message says what was found."""


class RandomStep(NamedTuple):
    """One action of a random game: the state it met, who did what, the facts that followed, the state after them."""

    before: Any
    seat: int
    action: Any
    facts: tuple[Any, ...]
    after: Any


class RandomGame(NamedTuple):
    """A random game: its setup events, the state after them, its steps, and the labels by which chance was asked."""

    setup: tuple[Any, ...]
    start: Any
    steps: tuple[RandomStep, ...]
    labels: tuple[str, ...]

    @property
    def states(self) -> list[Any]:
        """Every state in which somebody was to act, and the last one."""
        return [self.start, *(step.after for step in self.steps)]

    def log(self, steps: int | None = None) -> list[Any]:
        """The events of the setup and of the first steps (None = all)."""
        return [*self.setup, *(fact for step in self.steps[:steps] for fact in step.facts)]

    def happened(self, first: int, last: int | None) -> list[tuple[Any, int | None]]:
        """The events of some steps, each with the seat that caused it."""
        return [(fact, step.seat) for step in self.steps[first:last] for fact in step.facts]


def random_game(ruleset: AnyRuleset, seats: int, seed: int) -> RandomGame:
    """Return a whole game in which everybody draws lots; the same for the same seed. Broken if it does not end."""
    lots = Random(f"{ruleset.meta.name} {seats} {seed}")  # noqa: S311 (the same seed has to give the same game again)
    chance = Witness(Chance(lots.randbytes(32)))
    nonces = [lots.randbytes(8).hex() for _ in range(seats)]
    setup = begin(ruleset, seats, _options(ruleset, seats, lots), chance, commit(lots.randbytes(32)), nonces)
    start = state = fold(ruleset, setup)
    steps: list[RandomStep] = []
    while ruleset.to_act(state):
        if len(steps) == ENDLESS:
            raise Broken(f"a game of {seats} does not end: after {ENDLESS} actions somebody still has to act")
        seat, action = ruleset.automaton(state) or _drawn(ruleset, state, lots)
        facts = tuple(ruleset.decide(state, seat, action, chance))
        steps.append(RandomStep(state, seat, action, facts, fold(ruleset, facts, state)))
        state = steps[-1].after
    return RandomGame(tuple(setup), start, tuple(steps), tuple(draw["label"] for draw in chance.taken()))


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
    if isinstance(value, Struct):
        return plain(astuple(value))
    if isinstance(value, Mapping):
        return frozenset((key, plain(item)) for key, item in value.items())
    if isinstance(value, tuple | list):
        return tuple(plain(item) for item in value)
    return frozenset(plain(item) for item in value) if isinstance(value, set | frozenset) else value


def _drawn(ruleset: AnyRuleset, state: Any, lots: Random) -> tuple[int, Any]:
    seat = lots.choice(sorted(ruleset.to_act(state)))
    legal = list(ruleset.legal(state, seat))
    if not legal:
        raise Broken(f"seat {seat} has to act, and `legal` gives it no action")
    return seat, lots.choice(legal)


def _options(ruleset: AnyRuleset, seats: int, lots: Random) -> dict[str, Any]:
    kinds = {"boolean": [False, True], "seat": [None, *range(seats)]}
    drawn = {option.name: lots.choice(kinds[option.type]) for option in ruleset.meta.options}
    return drawn if lots.random() < 0.5 else {option.name: option.default for option in ruleset.meta.options}
