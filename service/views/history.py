"""Events of a game and recaps of them, redacted for a viewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from service.log.codec import event_data
from service.log.recorded import Recorded, standing
from service.rules.kernel import GameStarted, by_name
from service.rules.shared_events import SHARED_EVENTS, ActionTakenBack, SharedEvent
from service.rules.tabletop.story import shown_actor
from service.store import events
from service.store.games import Position
from service.views.sentences import describe_event, own_events

SHARED_EVENT_NAMES = tuple(by_name(SHARED_EVENTS))
HIDDEN_DOOR: Final = "hidden"
"""Placeholder for another player's door while the game runs.

A door could identify the seat behind a secret answer, if one player plays by mail, and would reveal standing orders. A
text because the API has promised one.
"""


@dataclass(frozen=True, slots=True)
class Recap:
    """A recap in sentences, and its events `recorded`."""

    sentences: tuple[str, ...]
    since_start: bool
    recorded: tuple[Recorded, ...] = ()


def history(
    db: Connection, position: Position, viewer: int | None, after: int, limit: int, language: str
) -> list[dict[str, Any]]:
    """Return at most `limit` events after number `after`, up to the position's version, redacted for the viewer."""
    until = min(position.version, after + limit)
    recorded = events.read(db, position.codec, position.game.id, after, until)
    return visible_events(position, recorded, viewer, language)


def visible_events(
    position: Position, recorded: Sequence[Recorded], viewer: int | None, language: str
) -> list[dict[str, Any]]:
    """Return events redacted for the viewer, each with a sentence, without the causing action."""
    names, zone = position.names_in(language), _zone(position, viewer)
    shown = ((each, redacted(position, each.event, viewer)) for each in recorded)
    return [
        {
            "seq": each.seq,
            "type": each.name,
            "at": each.at.isoformat(),
            "actor": shown_actor(data, each.seat),
            "door": shown_door(position, each, viewer),
            "decision": each.decision,
            "data": data,
            "text": describe_event(position.ruleset, names, each.event, viewer, language, zone),
        }
        for each, data in shown
    ]


def latest_recap(db: Connection, position: Position, seat: int, language: str) -> Recap:
    """Return the recap since the seat's last action, or since the start, redacted for the seat.

    Of an action that was taken back only the take-back is told.
    """
    game, codec = position.game, position.codec
    own = events.last_of(db, game.id, seat, SHARED_EVENT_NAMES, position.version)
    since = events.read(db, codec, game.id, own, position.version)
    if any(isinstance(each.event, ActionTakenBack) for each in since):
        since = _standing_since(events.read(db, codec, game.id, 0, position.version), seat)
    return recap_of(position, since, seat, language)


def recap_of(position: Position, recorded: Sequence[Recorded], seat: int, language: str) -> Recap:
    """Return the recap of recorded events, redacted for the seat."""
    happened = own_events(recorded)
    sentences = (sentence(position, each.event, seat, language) for each in happened)
    since_start = bool(recorded) and recorded[0].seq == 1
    return Recap(tuple(filter(None, sentences)), since_start, tuple(happened))


def _standing_since(recorded: Sequence[Recorded], seat: int) -> list[Recorded]:
    """Return the standing events after the seat's last standing action."""
    counting = {each.seq: each for deed in standing(recorded) for each in deed}
    acted = (seq for seq, each in counting.items() if each.seat == seat and not isinstance(each.event, SharedEvent))
    own = max(acted, default=0)
    return [each for each in recorded[own:] if each.seq in counting or isinstance(each.event, SharedEvent)]


def sentence(position: Position, event: Any, viewer: int | None, language: str) -> str:
    """Return the sentence for an event, as the viewer may know it."""
    names, zone = position.names_in(language), _zone(position, viewer)
    return describe_event(position.ruleset, names, event, viewer, language, zone)


def redacted(position: Position, event: Any, viewer: int | None) -> Mapping[str, Any]:
    """Return the fields of an event that the viewer (a seat, or None for a spectator) may know."""
    if isinstance(event, GameStarted):
        # The seats' nonces stay secret until the end of the game, as the seed does.
        return {name: value for name, value in event_data(event).items() if name != "nonces"}
    return event_data(event) if isinstance(event, SharedEvent) else position.ruleset.redact(event, viewer)


def shown_door(position: Position, recorded: Recorded, viewer: int | None) -> str:
    """Return the door of an event for the viewer; uncensored after the game."""
    return recorded.door if position.game.status == "finished" else known_door(position, recorded, viewer)


def known_door(position: Position, recorded: Recorded, viewer: int | None) -> str:
    """Return the door of an event while the game runs: HIDDEN_DOOR unless the viewer acted.

    A substitute knows the seat's doors since the hand-over only: earlier ones are another player's.
    """
    since = max((each.until for each in position.former if each.seat == viewer), default=0)
    own = viewer is not None and recorded.seat == viewer and recorded.seq >= since
    return recorded.door if own else HIDDEN_DOOR


def _zone(position: Position, viewer: int | None) -> str:
    """Return the time zone of the seat's player; UTC for a spectator."""
    return next((row.time_zone for row in position.seats if row.seat == viewer), "UTC")
