"""The schema of every error answer."""

from __future__ import annotations

from marshmallow import fields

from schemas.answer import Answer


class Fault(Answer):
    """One fault of a request: where it is (a JSON pointer into the body, or the name of a parameter), and what it is.

    `detail` is in English, for the author of the client.
    """

    pointer = fields.String()
    parameter = fields.String()
    detail = fields.String(required=True)


class Problem(Answer):
    """A problem as RFC 9457 defines it; clients tell problems apart by `type`, and further members depend on it.

    `title` is always in English; `detail` is for the player, in the language that Content-Language names.
    """

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String()
    request_id = fields.String(required=True)
    errors = fields.List(fields.Nested(Fault))
