"""What has happened in a game, as one viewer may know it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from service.rules.kernel import HOUSE_EVENTS, ActionTakenBack, GameStarted, SeatResigned
from service.store import events
from service.store.codec import event_data
from service.store.events import Recorded
from service.store.games import Games, Position
from service.store.standing import standing

TEXTS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "started": "The game begins.",
        "resigned": "{name} resigns.",
        "ended": "{name} resigns, and the game is over.",
        "said": "{name} says something.",
        "taken-back": "{name} takes the last action back.",
    },
    "de": {
        "started": "Das Spiel beginnt.",
        "resigned": "{name} gibt auf.",
        "ended": "{name} gibt auf, und das Spiel ist zu Ende.",
        "said": "{name} sagt etwas.",
        "taken-back": "{name} nimmt die letzte Aktion zurück.",
    },
    "fr": {
        "started": "La partie commence.",
        "resigned": "{name} abandonne.",
        "ended": "{name} abandonne, et la partie est terminée.",
        "said": "{name} dit quelque chose.",
        "taken-back": "{name} reprend sa dernière action.",
    },
}
"""What is told of the events that every game has."""


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
            "data": known(position, each.event, viewer),
            "text": sentence(position, each.event, viewer, language),
        }
        for each in recorded
    ]


def recap(db: Connection, games: Games, position: Position, seat: int, language: str) -> list[str]:
    """Return a sentence for everything that has happened since the seat's own last action, or since the start.

    Of an action that was taken back it is only told that it was.
    """
    recorded = events.read(db, games.codec(position.game.ruleset), position.game.id, 0, position.version)
    counting = {each.seq: each for deed in standing(recorded) for each in deed}
    acted = (seq for seq, each in counting.items() if each.seat == seat and not isinstance(each.event, HOUSE_EVENTS))
    own = max(acted, default=0)
    since = (each for each in recorded[own:] if each.seq in counting or isinstance(each.event, HOUSE_EVENTS))
    return [text for each in since if (text := sentence(position, each.event, seat, language))]


def sentence(position: Position, event: Any, viewer: int | None, language: str) -> str:
    """Return what is told to the viewer of an event of the log."""
    texts = TEXTS.get(language, TEXTS["en"])
    if isinstance(event, GameStarted):
        return texts["started"]
    if isinstance(event, HOUSE_EVENTS):
        return texts[_told_as(event)].format(name=position.names_in(language)[event.seat])
    return position.ruleset.describe(event, viewer, language, position.names_in(language))


def _told_as(event: Any) -> str:
    if isinstance(event, SeatResigned):
        return "ended" if event.ends else "resigned"
    return "taken-back" if isinstance(event, ActionTakenBack) else "said"


def known(position: Position, event: Any, viewer: int | None) -> Mapping[str, Any]:
    """Return the fields of an event that the viewer may know: the ruleset redacts its own, whose viewer may be None."""
    if isinstance(event, GameStarted):
        # The seats' own values of chance wait, with the seed, for the end of the game.
        return {name: value for name, value in event_data(event).items() if name != "nonces"}
    return event_data(event) if isinstance(event, HOUSE_EVENTS) else position.ruleset.redact(event, viewer)
