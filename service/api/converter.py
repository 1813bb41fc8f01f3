"""How schemas become components of the API's document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter

from schemas.actions import ActionField, ActionRecord, Actions, Either

Document = dict[str, Any]


class Converter(OpenAPIConverter):
    """Makes components of schemas: also of unions of actions, of alternatives, and of actions with their own words."""

    def schema2jsonschema(self, schema: Any) -> Document:
        """Return the component of a schema."""
        # The library's converter has no types.
        named: Callable[[Any], Document] = self.resolve_nested_schema
        converted: Callable[[Any], Document] = super().schema2jsonschema
        if isinstance(schema, Actions):
            return self._union(schema)
        if isinstance(schema, Either):
            return {"oneOf": [named(each) for each in schema.either]}
        document = converted(schema)
        # What fields go together, which no field says of itself.
        document |= getattr(schema, "TOGETHER", {})
        if isinstance(schema, ActionRecord) and schema.made.__doc__:
            document["description"] = " ".join(schema.made.__doc__.split())
        return document

    def field2property(self, field: Any) -> Document:
        """Return what a component says of a field."""
        if isinstance(field, ActionField):
            return {"$ref": "#/components/schemas/Action"}
        return dict(super().field2property(field))

    def _union(self, actions: Actions) -> Document:
        references = {tag: self._variant(tag, part) for tag, part in actions.type_schemas.items()}
        return {
            "oneOf": [{"$ref": reference} for reference in references.values()],
            "discriminator": {"propertyName": actions.type_field, "mapping": references},
        }

    def _variant(self, tag: str, part: Any) -> str:
        name = type(part).__name__
        document = self.schema2jsonschema(part)
        document["properties"] = {"type": {"type": "string", "const": tag}, **document["properties"]}
        document["required"] = ["type", *document.get("required", ())]
        self.spec.components.schema(name, document)
        return f"#/components/schemas/{name}"


class Plugin(MarshmallowPlugin):
    """The library's plugin with this converter."""

    Converter = Converter
