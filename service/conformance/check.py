"""A check: a sentence that has to be true of every game, what to do where it is not, and a function that tries it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from service.conformance.playouts import Broken, RandomGame
from service.rules.kernel import AnyRuleset


@dataclass(frozen=True, slots=True)
class Trial:
    """A random game in which a check looks for what is wrong."""

    ruleset: AnyRuleset
    seats: int
    seed: int
    game: RandomGame

    @property
    def viewers(self) -> list[int | None]:
        """Every seat of a player, and None for a spectator."""
        return [*range(self.seats), None]

    @property
    def names(self) -> list[str]:
        """The players' names."""
        return names_of(self.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that has to be true: `name` is a sentence in snake case, `todo` says what to do where it is not.

    `games` is the number of random games to try at each table; with 0 the ruleset alone is looked at. The function
    raises Broken, with what it has found.
    """

    name: str
    todo: str
    games: int
    of_ruleset: Callable[[AnyRuleset], None] | None = None
    of_game: Callable[[Trial], None] | None = None

    @property
    def sentence(self) -> str:
        """The name as it is read."""
        return self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Checks:
    """The checks of one area, in order."""

    all: list[Check] = field(default_factory=list)

    def ruleset(self, todo: str) -> Callable[[Callable[[AnyRuleset], None]], Callable[[AnyRuleset], None]]:
        """Add a function that looks at a ruleset alone."""

        def add(looked: Callable[[AnyRuleset], None]) -> Callable[[AnyRuleset], None]:
            self.all.append(Check(name=looked.__name__, todo=todo, games=0, of_ruleset=looked))
            return looked

        return add

    def games(self, number: int, todo: str) -> Callable[[Callable[[Trial], None]], Callable[[Trial], None]]:
        """Add a function that looks at so many random games of each table."""

        def add(looked: Callable[[Trial], None]) -> Callable[[Trial], None]:
            self.all.append(Check(name=looked.__name__, todo=todo, games=number, of_game=looked))
            return looked

        return add


def ensure(holds: Any, wrong: Any) -> None:
    """Raise Broken with what is wrong, unless it holds."""
    if not holds:
        raise Broken(str(wrong))


def same(found: Any, wanted: Any, what: str) -> None:
    """Raise Broken unless two values are equal."""
    ensure(found == wanted, f"{what}: {found!r} is not {wanted!r}")


def names_of(seats: int) -> list[str]:
    """Return the names of as many players."""
    return ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi"][:seats]
