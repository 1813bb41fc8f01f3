"""Which changes of a schema break those who send what it describes, or those who read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Schema = Mapping[str, Any]
Direction = Literal["sent", "read"]
"""Whether clients send what the schema describes, or read it."""

_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_FORMS = ("pattern", "format", "uniqueItems")
_CHOICES = ("oneOf", "anyOf")
_ASIDE = frozenset((*_CHOICES, "description", "discriminator", "title"))
"""What a schema may say beside its choices that restricts nothing."""
_ALL_TYPES = frozenset(("string", "integer", "number", "boolean", "object", "array", "null"))


@dataclass(frozen=True, slots=True)
class Shapes:
    """Two documents, whose schemas refer to others; each pair is looked at once."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    seen: set[tuple[str, str, Direction]] = field(default_factory=set)

    def breaks(self, old: Schema, new: Schema, to: Direction, where: str) -> Iterator[str]:
        """Yield a line for each change from the old to the new schema that breaks those who send or read it."""
        names = old.get("$ref", ""), new.get("$ref", ""), to
        if all(names[:2]):
            if names in self.seen:
                return
            self.seen.add(names)
        old, new = resolved(self.before, old), resolved(self.after, new)
        yield from _values(old, new, to, where)
        if to == "sent":
            yield from _bounds(old, new, where)
        yield from self._members(old, new, to, where)
        if "items" in old and "items" in new:
            yield from self.breaks(old["items"], new["items"], to, f"{where}[]")
        others = old.get("additionalProperties"), new.get("additionalProperties")
        if isinstance(others[0], Mapping) and isinstance(others[1], Mapping):
            yield from self.breaks(others[0], others[1], to, f"{where}.*")
        yield from self._alternatives(old.get("allOf", ()), new.get("allOf", ()), to, where)
        yield from self._alternatives(_choices(self.before, old), _choices(self.after, new), to, where)
        if to == "sent" and "anyOf" in old and "oneOf" in new:
            yield f"{where}: now one alternative only"

    def _members(self, old: Schema, new: Schema, to: Direction, where: str) -> Iterator[str]:
        ours, theirs = old.get("properties", {}), new.get("properties", {})
        must, now_must = set(old.get("required", ())), set(new.get("required", ()))
        closed = to == "sent" and new.get("additionalProperties") is False
        for name in ours:
            if name not in theirs:
                if closed or to == "read":
                    yield f"{where}: {name} is gone"
            else:
                yield from self.breaks(ours[name], theirs[name], to, f"{where}.{name}")
        if to == "read":
            yield from (f"{where}: {name} may be absent" for name in sorted((must - now_must) & theirs.keys()))
        else:
            yield from (f"{where}: {name} has to be there" for name in sorted(now_must - must))
            if closed and old.get("additionalProperties", True) is not False:
                yield f"{where}: nothing else may be there"

    def _alternatives(self, old: Any, new: Any, to: Direction, where: str) -> Iterator[str]:
        ours, theirs = _named(old), _named(new)
        if to == "sent":
            yield from (f"{where}: no longer {name}" for name in ours.keys() - theirs.keys())
        elif ours:
            yield from (f"{where}: now also {name}" for name in theirs.keys() - ours.keys())
        for name in sorted(ours.keys() & theirs.keys()):
            yield from self.breaks(ours[name], theirs[name], to, where)


def resolved(document: Mapping[str, Any], node: Any) -> Any:
    """Return what a reference into the document stands for; all else is itself."""
    while isinstance(node, Mapping) and "$ref" in node:
        place: Any = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            place = place[part.replace("~1", "/").replace("~0", "~")]
        node = place
    return node


def _choices(document: Mapping[str, Any], schema: Schema) -> list[Schema]:
    """Return what a schema lets one choose from; of an alternative that is nothing but a choice, what that offers."""
    found: list[Schema] = []
    for each in [each for kind in _CHOICES for each in schema.get(kind, ())]:
        below = resolved(document, each)
        nested = any(kind in below for kind in _CHOICES) and not below.keys() - _ASIDE
        found += _choices(document, below) if nested else [each]
    return found


def _named(alternatives: Any) -> dict[str, Schema]:
    return {each["$ref"].rpartition("/")[2] if "$ref" in each else repr(each): each for each in alternatives}


def _types(schema: Schema) -> frozenset[str]:
    kinds = schema.get("type", _ALL_TYPES)
    return frozenset((kinds,) if isinstance(kinds, str) else kinds)


def _listed(schema: Schema) -> list[Any] | None:
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _values(old: Schema, new: Schema, to: Direction, where: str) -> Iterator[str]:
    before, after = _types(old), _types(new)
    lost, won = sorted(before - after), sorted(after - before)
    if to == "sent" and lost:
        yield f"{where}: no longer {' or '.join(lost)}"
    if to == "read" and won:
        yield f"{where}: now also {' or '.join(won)}"
    ours, theirs = _listed(old), _listed(new)
    if to == "sent" and theirs is not None:
        yield from (
            [f"{where}: no longer {each!r}" for each in ours if each not in theirs]
            if ours is not None
            else [f"{where}: only some values"]
        )
    if to == "read" and ours is not None:
        yield from (
            [f"{where}: now also {each!r}" for each in theirs if each not in ours]
            if theirs is not None
            else [f"{where}: now any value"]
        )


def _bounds(old: Schema, new: Schema, where: str) -> Iterator[str]:
    for key in _LEAST:
        if key in new and new[key] > old.get(key, float("-inf")):
            yield f"{where}: {key} is higher"
    for key in _MOST:
        if key in new and new[key] < old.get(key, float("inf")):
            yield f"{where}: {key} is lower"
    for key in _FORMS:
        if new.get(key) and new[key] != old.get(key):
            yield f"{where}: {key} is another"
