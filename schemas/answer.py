"""The schema that all answers of the API go back to."""

from __future__ import annotations

from typing import Any, TypeVar

from marshmallow import INCLUDE, Schema, fields

AnyField = TypeVar("AnyField", bound=fields.Field[Any])


class Answer(Schema):
    """The base of all answers: every field is there unless it is marked with `optional`.

    Clients have to accept fields that they do not know.
    """

    class Meta:
        """Answers may get new fields."""

        unknown = INCLUDE

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Require the field unless it is optional."""
        field_obj.required = not field_obj.metadata.get("optional", False)


def optional(field: AnyField) -> AnyField:
    """Return a field of an answer, marked as one that may be absent."""
    field.metadata = {**field.metadata, "optional": True}
    return field
