"""The shape of every error."""

from __future__ import annotations

from marshmallow import fields

from schemas.play import Answer


class Fault(Answer):
    """One thing wrong with a request: where (a JSON pointer into the body, or a parameter's name), and what, in English
    for whoever writes the client."""

    pointer = fields.String()
    parameter = fields.String()
    detail = fields.String(required=True)


class Problem(Answer):
    """An error as RFC 9457 describes it; `type` is what a client goes by, other members depend on it.

    `title` is always English; `detail` is for whoever plays, in the language that the answer's Content-Language names.
    """

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String()
    request_id = fields.String(required=True)
    errors = fields.List(fields.Nested(Fault))
