"""One sentence about an event, an action or a refusal, in a viewer's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.games.bastards_inc.actions import ACTION_TYPES, Action
from service.rules.games.bastards_inc.as_json import as_json
from service.rules.games.bastards_inc.events import EVENT_TYPES, Event
from service.rules.games.bastards_inc.redact import redact
from service.rules.games.bastards_inc.words import speak
from service.rules.games.bastards_inc.words.sentences_of_actions import tell_action
from service.rules.games.bastards_inc.words.sentences_of_events import tell_event
from service.rules.games.bastards_inc.words.sentences_of_refusals import tell_refusal
from service.rules.games.bastards_inc.words.voice import Voice
from service.rules.kernel import GameStarted, Illegal

_EVENT_NAMES: Mapping[type[Any], str] = {GameStarted: "game-started"} | {
    kind: name for name, kind in EVENT_TYPES.items()
}
_TAGS: Mapping[type[Any], str] = {kind: tag for tag, kind in ACTION_TYPES.items()}


def describe(
    thing: Event | GameStarted | Action | type[Action] | Illegal,
    viewer: int | None,
    language: str,
    names: Sequence[str],
) -> str:
    """Return a sentence in the language (English, if unknown), or the name of a kind of action.

    `names` are the players' display names by seat. Of an event the sentence knows only what `redact` shows the viewer;
    an action is described to the seat that may choose it, a refusal to the seat that asked.
    """
    voice = Voice(speak(language), viewer, names)
    if isinstance(thing, type):
        return voice.language.kinds[_TAGS[thing]]
    return _TELL[type(thing)](voice, thing)


def address(event: Event | GameStarted, seat: int, language: str, names: Sequence[str]) -> str:
    """Return what `describe` tells a spectator of an event, told to the seat."""
    return tell_event(Voice(speak(language), seat, names), _EVENT_NAMES[type(event)], redact(event, None))


def _tell_event(voice: Voice, event: Event | GameStarted) -> str:
    return tell_event(voice, _EVENT_NAMES[type(event)], redact(event, voice.viewer))


def _tell_action(voice: Voice, action: Action) -> str:
    return tell_action(voice, _TAGS[type(action)], as_json(action))


_TELL: Mapping[type[Any], Callable[[Voice, Any], str]] = {
    **dict.fromkeys(_EVENT_NAMES, _tell_event),
    **dict.fromkeys(_TAGS, _tell_action),
    Illegal: tell_refusal,
}
