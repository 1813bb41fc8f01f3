"""Schemas of hints."""

from __future__ import annotations

from marshmallow import fields

from schemas.answer import Answer


class Hint(Answer):
    """A legal action that a computer player would choose from, and what speaks for it."""

    notation = fields.String(required=True, metadata={"description": "The action in the notation of the game."})
    text = fields.String(required=True)
    reasons = fields.List(fields.String(), required=True)


class Hints(Answer):
    """Up to three hints for a decision, the best first; none where the computer player sees no difference."""

    decision = fields.Integer(required=True)
    items = fields.List(fields.Nested(Hint), required=True)
