"""The schema of every error answer."""

from __future__ import annotations

from marshmallow import fields

from schemas.answer import Answer, optional


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
