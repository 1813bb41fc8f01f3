"""A game that has begun as pages and mails show it to one reader."""

from __future__ import annotations

from service.rules.tabletop.table import Table
from service.store.games import Position
from service.views.table import spoken


def seen(position: Position, viewer: int | None, language: str) -> Table:
    """Return the table as a seat sees it, or a spectator (None), in the language if the ruleset has that."""
    here = spoken(position, language)
    return Table(position.ruleset, position.state, position.game.seats, viewer, here, position.names_in(here))
