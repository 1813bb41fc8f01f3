"""Convert events and actions to JSON and back, by the types of their dataclasses.

The stored name of an event, and the `type` tag of an action, is its class name in kebab-case. An event whose shape has
to change becomes a new class, with a new name; the old name leaves `event_types` and is upcast for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import ValidationError, convert
from msgspec.json import Decoder, decode
from msgspec.json import encode as to_json

from service.rules.kernel import AnyRuleset, GameStarted, by_name
from service.rules.shared_events import SHARED_EVENTS

_names: dict[type[Any], str] = {}


def stored_name(kind: type[Any]) -> str:
    """Return the stored name of a class of events or actions: CardTaken is `card-taken`."""
    if kind not in _names:
        (_names[kind],) = by_name([kind])
    return _names[kind]


def encode(event: Any) -> tuple[str, str]:
    """Return an event's stored name and its fields as JSON text."""
    return stored_name(type(event)), to_json(event).decode()


def event_data(event: Any) -> dict[str, Any]:
    """Return all fields of an event as JSON types; redact before showing them."""
    data: dict[str, Any] = decode(to_json(event))
    return data


def action_json(action: Any) -> dict[str, Any]:
    """Return an action in the form of the API: its `type` and its fields as JSON types."""
    return {"type": stored_name(type(action)), **decode(to_json(action))}


def read_action(ruleset: AnyRuleset, sent: Mapping[str, Any]) -> Any:
    """Return the action from `action_json`; LookupError if the ruleset has no such action (any more)."""
    fields = {name: value for name, value in sent.items() if name != "type"}
    try:
        return convert(fields, ruleset.action_types[sent["type"]])
    except ValidationError as error:
        raise LookupError(sent["type"]) from error


class UnknownEvent(KeyError):
    """Unknown stored name of an event, written by a later release of the rules."""


class Codec:
    """Decoder of the stored events of a ruleset, old shapes included."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        types = {**ruleset.event_types, **by_name((GameStarted, *SHARED_EVENTS))}
        for name, kind in [*types.items(), *ruleset.action_types.items()]:
            if name != stored_name(kind):
                raise ValueError(
                    f"{ruleset.meta.name}: {kind.__name__} has to be called {stored_name(kind)}, not {name}"
                )
        self._decoders: dict[str, Decoder[Any]] = {name: Decoder(kind) for name, kind in types.items()}
        self._upcast = ruleset.upcast

    def decode(self, name: str, json_text: str | bytes) -> Any:
        """Return the event of a stored name and fields; UnknownEvent."""
        decoder = self._decoders.get(name)
        if decoder is not None:
            return decoder.decode(json_text)
        name, fields = self._upcast(name, decode(json_text))
        if name not in self._decoders:
            raise UnknownEvent(name)
        return self._decoders[name].decode(to_json(fields))
