"""An action on its way to a game, in either of the two ways to write it down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import Schema, fields

from schemas.fields import INT32, Text, Whole


class ActionField(fields.Dict):
    """An action of whatever game it is posted to; the game's own schema loads it."""


class ActionAsJson(Schema):
    """An action, and the number of the decision that it answers."""

    decision = Whole(least=0, required=True)
    action = ActionField(required=True)


class ActionAsNotation(Schema):
    """A line of the game's notation, and the number of the decision that it answers."""

    decision = Whole(least=0, required=True)
    notation = Text(most=200, required=True)


class PostedAction(Schema):
    """Either of the two ways to send an action."""

    either: ClassVar[tuple[Schema, ...]] = (ActionAsJson(), ActionAsNotation())

    def load(self, data: Any, **options: Any) -> Any:
        """Return the loaded fields: `decision`, and `action` or `notation`."""
        if _is_plain(data):
            return data
        as_json, as_notation = self.either
        notated = isinstance(data, Mapping) and "notation" in data and "action" not in data
        return (as_notation if notated else as_json).load(data, **options)


def _is_plain(data: Any) -> bool:
    """Return whether data are, beyond doubt, an action as JSON: nearly all are, and nothing comes as often."""
    return (
        isinstance(data, dict)
        and data.keys() == {"decision", "action"}
        and type(data["decision"]) is int
        and 0 <= data["decision"] <= INT32
        and isinstance(data["action"], dict)
    )
