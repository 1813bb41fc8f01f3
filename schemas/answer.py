"""Base classes of answers: open to new fields, page by page, or a problem."""

from __future__ import annotations

from typing import Any, TypeVar

from marshmallow import INCLUDE, Schema, fields

from schemas.fields import Number

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


# Lists that are read page by page.


class PageLimit(Number):
    """The most items of a page; `usual` is the number without it."""

    def __init__(self, items: str, *, most: int = 100, usual: int = 20) -> None:
        description = f"The most {items} to answer with; {usual} when absent."
        super().__init__(least=1, most=most, metadata={"description": description})


class Page(Answer):
    """A page of a list: ask again with `after` = `next` unless that is null. Each list has its own kind of `items`."""

    items = fields.List(fields.Raw())
    next = fields.String(allow_none=True)


# Errors.


class Fault(Answer):
    """One fault of a request: where it is (a JSON pointer into the body, or the name of a parameter), and what it is.

    `detail` is in English, for the author of the client.
    """

    pointer = optional(fields.String())
    parameter = optional(fields.String())
    detail = fields.String()


class Problem(Answer):
    """A problem as RFC 9457 defines it; clients tell problems apart by `type`, and further members depend on it.

    `title` is always in English; `detail` is for the player, in the language that Content-Language names.
    """

    type = fields.String()
    title = fields.String()
    status = fields.Integer()
    detail = optional(fields.String())
    request_id = fields.String()
    errors = optional(fields.List(fields.Nested(Fault)))
