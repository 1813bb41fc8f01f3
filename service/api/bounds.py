"""Bounds in the document: no whole number, text or list in it is without a format, a least and a most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from schemas.fields import INT32

LONGEST_TEXT = 64 * 1024
"""The most characters of any text that is answered with; what is sent in has bounds of its own."""
LONGEST_LIST = 64 * 1024
"""The most elements of any list that is answered with."""

_LENGTHS = {"uuid": 36, "date-time": 40, "date": 10, "email": 254}
_RECORDED = ("example", "examples", "enum", "const")
"""Keys of a document below which there are values and no schemas."""


def add_bounds(document: dict[str, Any]) -> None:
    """Add to every schema anywhere in the document the bounds that it does not state itself."""
    for schema in _objects(document):
        kinds = schema.get("type")
        for kind in kinds if isinstance(kinds, list) else [kinds]:
            if kind in _ADDED and (kind == "integer" or not schema.keys() & {"enum", "const"}):
                _ADDED[kind](schema)


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        # A property may be called like a key of a schema: only what has a text as its type is one.
        if isinstance(node.get("type"), str | list):
            yield node
        for key, below in node.items():
            if key == "properties":
                for each in below.values():
                    yield from _objects(each)
            elif key not in _RECORDED:
                yield from _objects(below)
    elif isinstance(node, list):
        for below in node:
            yield from _objects(below)


def _whole(schema: dict[str, Any]) -> None:
    values = [each for each in schema.get("enum", (-INT32 - 1, INT32)) if each is not None]
    schema.setdefault("minimum", min(values))
    schema.setdefault("maximum", max(values))
    narrow = schema["minimum"] >= -INT32 - 1 and schema["maximum"] <= INT32
    schema.setdefault("format", "int32" if narrow else "int64")


def _text(schema: dict[str, Any]) -> None:
    schema.setdefault("maxLength", _LENGTHS.get(schema.get("format", ""), LONGEST_TEXT))


def _list(schema: dict[str, Any]) -> None:
    schema.setdefault("maxItems", LONGEST_LIST)


_ADDED = {"integer": _whole, "string": _text, "array": _list}
