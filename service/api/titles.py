"""Names in the document for what stands in it without one: generators of clients make classes of these."""

from __future__ import annotations

from typing import Any

from schemas.actions import pascal
from service.api.recorded import operations

_INLINE = frozenset({"properties", "anyOf", "oneOf", "allOf", "additionalProperties"})
"""What makes a schema one that a generator has to name.

The title of an object is its whole name. That of an enumeration is what its field adds to the name of the holder, which
openapi-python-client puts in front; without a title it makes three numbered classes where null is allowed.
"""


def add_titles(document: dict[str, Any]) -> None:
    """Give a title to every schema that stands where it is used: by what holds it, and as what."""
    for name, schema in document["components"]["schemas"].items():
        _below(schema, name)
    for _, _, operation in operations(document):
        name = operation["operationId"][0].upper() + operation["operationId"][1:]
        for status, response in operation["responses"].items():
            for kind, content in response.get("content", {}).items():
                schema = content["schema"]
                if "$ref" not in schema:
                    schema.setdefault("title", f"{name}{status}{pascal(kind.rpartition('/')[2].replace('+', '-'))}")
                _below(schema, f"{name}{status}")


def _below(schema: Any, name: str, field_name: str = "") -> None:
    for field, each in schema.get("properties", {}).items():
        added = pascal(field.replace("_", "-"))
        _named(each, f"{name}{added}", added)
    for key, ending in (("items", "Item"), ("additionalProperties", "Value")):
        if isinstance(schema.get(key), dict):
            _named(schema[key], f"{name}{ending}", f"{field_name}{ending}")
    for key in ("anyOf", "oneOf", "allOf"):
        for number, each in enumerate(schema.get(key, ()), 1):
            _named(each, f"{name}{number}")


def _named(schema: dict[str, Any], name: str, added: str = "") -> None:
    if "$ref" not in schema and _INLINE & schema.keys():
        schema.setdefault("title", name)
    elif "enum" in schema and added:
        schema.setdefault("title", added)
    _below(schema, name, added)
