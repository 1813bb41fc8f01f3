"""A game and its viewer: seat, language and time zone of a page of the game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy import Connection

from service.rules.kernel import Json
from service.store.games import Position
from service.views.table import spoken
from service.web.session import Visitor, language


@dataclass(frozen=True)
class ViewerContext:
    """Begun game and its viewer: a seat (None: a spectator), a language, and the IANA name of a zone."""

    db: Connection
    position: Position
    seat: int | None
    language: str
    zone: str

    @property
    def game(self) -> UUID:
        return self.position.game.id

    @property
    def awaited(self) -> bool:
        """Return whether the viewer is to act."""
        return self.seat in self.position.awaited

    @cached_property
    def rules_language(self) -> str:
        """Return the language of the page if the ruleset has it, else the ruleset's first."""
        return spoken(self.position, self.language)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the players' names, by seat."""
        return self.position.names_in(self.rules_language)

    @cached_property
    def everybody(self) -> tuple[str, ...]:
        """Return the players' names by seat, then that of the automaton if there is one."""
        return self.position.everybody_in(self.rules_language)

    @cached_property
    def view(self) -> Json:
        """Return the table as the viewer may see it."""
        return self.position.ruleset.view(self.position.state, self.seat)

    def described(self, thing: Any) -> str:
        """Return the sentence for an action or a refusal, as the viewer may know it."""
        return self.position.ruleset.describe(thing, self.seat, self.rules_language, self.names)

    def named(self, seats: Iterable[int]) -> str:
        """Return the names at the seats, separated by commas."""
        return ", ".join(self.everybody[seat] for seat in sorted(seats))


def viewer_context(db: Connection, position: Position, visitor: Visitor | None) -> ViewerContext:
    """Return the context of a game for the visitor; None if nobody is signed in."""
    seat = None if visitor is None else position.seat_of(visitor.id)
    return ViewerContext(db, position, seat, language(), "UTC" if visitor is None else visitor.time_zone)
