"""A game and its viewer: the visitor, the seat, the language and the time zone that a page of the game is for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import Connection

from service.rules.kernel import AnyRuleset, Json
from service.store.position import Position
from service.views.table import spoken
from service.web.drawing import Drawn, drawn
from service.web.session import Visitor, language

PICTURES = 200
"""The number of drawn tables that a process keeps: a table is viewed more often than it changes."""


@dataclass(frozen=True)
class Sitting:
    """A game that has begun, and its viewer: a signed-in visitor, or None for anybody else."""

    db: Connection
    position: Position
    visitor: Visitor | None

    @property
    def game(self) -> UUID:
        """The game's id."""
        return self.position.game.id

    @cached_property
    def seat(self) -> int | None:
        """The viewer's seat; None for a spectator."""
        return None if self.visitor is None else self.position.seat_of(self.visitor.id)

    @property
    def awaited(self) -> bool:
        """Whether it is the viewer's turn."""
        return self.seat in self.position.awaited

    @cached_property
    def language(self) -> str:
        """The language of the page."""
        return language()

    @cached_property
    def rules_language(self) -> str:
        """The language of the page if the ruleset has it, else the ruleset's first."""
        return spoken(self.position, self.language)

    @property
    def zone(self) -> str:
        """The viewer's time zone, UTC if nobody is signed in."""
        return "UTC" if self.visitor is None else self.visitor.time_zone

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names, by seat."""
        return self.position.names_in(self.rules_language)

    @cached_property
    def everybody(self) -> tuple[str, ...]:
        """The names of the players by seat, then that of the automaton if there is one."""
        return self.position.everybody_in(self.rules_language)

    @cached_property
    def view(self) -> Json:
        """The table as the viewer may see it."""
        return self.position.ruleset.view(self.position.state, self.seat)

    def described(self, thing: Any) -> str:
        """Return the sentence for an action or a refusal, as the viewer may know it."""
        return self.position.ruleset.describe(thing, self.seat, self.rules_language, self.names)

    def named(self, seats: Iterable[int]) -> str:
        """Return the names at the seats, with commas between them."""
        return ", ".join(self.everybody[seat] for seat in sorted(seats))


def drawn_for(position: Position, viewer: int | None, spoken_here: str) -> Drawn:
    """Return a table as the viewer sees it, in a language that its ruleset has."""
    key = (position.game.id, position.version, viewer, spoken_here, position.names_in(spoken_here))
    return _drawn(_Scene(key, position.ruleset, position.ruleset.view(position.state, viewer)))


@dataclass(frozen=True, slots=True)
class _Scene:
    """What is drawn; equal for the same version, viewer, language and names."""

    key: tuple[UUID, int, int | None, str, tuple[str, ...]]
    ruleset: AnyRuleset = field(compare=False)
    view: Json = field(compare=False)


@lru_cache(maxsize=PICTURES)
def _drawn(scene: _Scene) -> Drawn:
    *_, spoken_here, names = scene.key
    return drawn(scene.ruleset, scene.view, spoken_here, names)
