"""The schema of a posted action: as JSON, or in the game's notation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import Schema, fields

from schemas.fields import INT32, Text, Whole


class ActionField(fields.Dict):
    """An action as JSON types; the schema of the game's ruleset loads it."""


class ActionAsJson(Schema):
    """An action as JSON, and the number of the decision that it answers."""

    decision = Whole(least=0, required=True)
    action = ActionField(required=True)


class ActionAsNotation(Schema):
    """An action in the game's notation, and the number of the decision that it answers."""

    decision = Whole(least=0, required=True)
    notation = Text(most=200, required=True)


class Either(Schema):
    """What holds an action in one of two forms; `either` are the schemas for JSON and for notation."""

    either: ClassVar[tuple[Schema, ...]]

    def load(self, data: Any, **options: Any) -> Any:
        """Return the loaded fields, `action` or `notation` among them."""
        as_json, as_notation = self.either
        notated = isinstance(data, Mapping) and "notation" in data and "action" not in data
        return (as_notation if notated else as_json).load(data, **options)


class PostedAction(Either):
    """An action in either form."""

    either: ClassVar[tuple[Schema, ...]] = (ActionAsJson(), ActionAsNotation())

    def load(self, data: Any, **options: Any) -> Any:
        """Return the loaded fields: `decision`, and `action` or `notation`."""
        return data if _is_plain(data) else super().load(data, **options)


def _is_plain(data: Any) -> bool:
    """Return whether the data are clearly a valid ActionAsJson; a shortcut, since this is the most frequent request."""
    return (
        isinstance(data, dict)
        and data.keys() == {"decision", "action"}
        and type(data["decision"]) is int
        and 0 <= data["decision"] <= INT32
        and isinstance(data["action"], dict)
    )
