"""The acts of operators, as those concerned see them: when, what and why, and not by which operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection

from service.store.games import Position
from service.store.operation import OperatorEvent, acts_concerning, acts_on
from service.texts.catalog import say

View = dict[str, Any]

_OF_TABLE: Final = frozenset({"handed-over"})
"""The acts on a game that its table shows."""


def acts_of_account(db: Connection, player: UUID, language: str) -> list[View]:
    """Return the acts on a player's account and address, the oldest first: `at`, `act`, `reason`, `text`."""
    return [_shown(each, say(language, f"act-{each.act}")) for each in acts_concerning(db, player)]


def acts_at_table(db: Connection, position: Position, language: str) -> list[View]:
    """Return the acts on a game that everybody at its table may know of, as `acts_of_account`."""
    names = {str(seat.player_id): name for seat, name in _named(position, language)}
    return [
        _shown(each, say(language, "act-handed-over", name=names.get(each.details["after"], "?")))
        for each in acts_on(db, "game", position.game.id)
        if each.act in _OF_TABLE
    ]


def _named(position: Position, language: str) -> Sequence[tuple[Any, str]]:
    return list(zip(position.seats, position.names_in(language), strict=False))


def _shown(event: OperatorEvent, text: str) -> View:
    return {"at": event.at.isoformat(), "act": event.act, "reason": event.reason, "text": text}
