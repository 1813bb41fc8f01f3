"""Events' fields and actions as JSON: NamedTuples and dataclasses become objects, an action with its tag as `type`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from service.rules.games.bastards_inc.actions import ACTION_TYPES

_TAGS: Mapping[type[Any], str] = {kind: tag for tag, kind in ACTION_TYPES.items()}


def as_json(value: Any) -> Any:
    """Return a value of an event or an action as JSON has it."""
    if value is None or isinstance(value, (int, str)):
        return value
    if hasattr(value, "_asdict"):
        return {name: as_json(item) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value):
        tag = {"type": _TAGS[type(value)]} if type(value) in _TAGS else {}
        return {**tag, **{field.name: as_json(getattr(value, field.name)) for field in fields(value)}}
    return [as_json(item) for item in value]
