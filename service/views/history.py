"""What has happened in a game, as one viewer may know it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from service.rules.kernel import GameStarted
from service.store import events
from service.store.codec import event_data
from service.store.events import Recorded
from service.store.games import Games, Position

STARTED: Mapping[str, str] = {
    "en": "The game begins.",
    "de": "Das Spiel beginnt.",
    "fr": "La partie commence.",
}


def history(  # noqa: PLR0913, PLR0917 - where, what, for whom, how much
    db: Connection, games: Games, position: Position, viewer: int | None, after: int, limit: int, language: str
) -> list[dict[str, Any]]:
    """Return at most `limit` events after number `after`, up to the position's version, redacted for the viewer."""
    until = min(position.version, after + limit)
    recorded = events.read(db, games.codec(position.game.ruleset), position.game.id, after, until)
    return told(position, recorded, viewer, language)


def told(position: Position, recorded: Sequence[Recorded], viewer: int | None, language: str) -> list[dict[str, Any]]:
    """Return recorded events as the viewer may know them, each with a sentence; the action sent stays inside."""
    return [
        {
            "seq": each.seq,
            "type": each.name,
            "at": each.at.isoformat(),
            "actor": each.seat,
            "door": each.door,
            "decision": each.decision,
            "data": _data(position, each.event, viewer),
            "text": _text(position, each.event, viewer, language),
        }
        for each in recorded
    ]


def recap(db: Connection, games: Games, position: Position, seat: int, language: str) -> list[str]:
    """Return a sentence for everything that has happened since the seat's own last action, or since the start."""
    recorded = events.read(db, games.codec(position.game.ruleset), position.game.id, 0, position.version)
    own = max((each.seq for each in recorded if each.seat == seat), default=0)
    return [text for each in recorded if each.seq > own and (text := _text(position, each.event, seat, language))]


def _data(position: Position, event: Any, viewer: int | None) -> Mapping[str, Any]:
    # The ruleset redacts its own events; the kernel's holds nothing secret: the seed itself is not in it.
    return event_data(event) if isinstance(event, GameStarted) else position.ruleset.redact(event, viewer)


def _text(position: Position, event: Any, viewer: int | None, language: str) -> str:
    if isinstance(event, GameStarted):
        return STARTED.get(language, STARTED["en"])
    return position.ruleset.describe(event, viewer, language, position.names_in(language))
