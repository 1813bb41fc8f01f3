"""Schemas of hints."""

from __future__ import annotations

from marshmallow import fields

from schemas.answer import Answer


class Hint(Answer):
    """A legal action that a computer player would choose from, and what speaks for it."""

    notation = fields.String(metadata={"description": "The action in the notation of the game."})
    text = fields.String()
    reasons = fields.List(fields.String())


class Hints(Answer):
    """Up to three hints for a decision, the best first; none where the computer player sees no difference."""

    decision = fields.Integer()
    items = fields.List(fields.Nested(Hint))
