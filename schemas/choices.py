"""Schemas of the legal actions of a seat: as a list, and as a tree of steps."""

from __future__ import annotations

from marshmallow import fields

from schemas.answer import Answer, optional


class Choice(Answer):
    """A legal action as JSON, in notation and in words, and its kind."""

    action = fields.Dict()
    notation = fields.String()
    kind = fields.String(metadata={"description": "What players call this kind of action."})
    text = fields.String()


class Settled(Answer):
    """A settled part of an action: a JSON pointer into it, and the value there."""

    pointer = fields.String()
    value = fields.Raw(allow_none=True)


class Way(Answer):
    """One value of the part to be chosen.

    A list whose members are still to be chosen has nulls in their place; an object lacks such members.
    """

    value = fields.Raw(allow_none=True)
    label = optional(fields.String(metadata={"description": "In words, where there are any."}))
    count = fields.Integer(metadata={"description": "How many legal actions lie this way."})
    follows = optional(
        fields.List(
            fields.Nested(Settled),
            metadata={"description": "The parts settled with this one, to be set in this order."},
        )
    )
    notation = optional(fields.String(metadata={"description": "That of the action, where only one is left."}))
    next = optional(
        fields.Nested(
            "Step", metadata={"description": "The next part to be chosen; absent when the action is complete."}
        )
    )


class Step(Answer):
    """The next part of an action to be chosen, and its possible values."""

    pointer = fields.String()
    options = fields.List(fields.Nested(Way))


class Choices(Answer):
    """The legal actions of the viewer's seat; none when it is not to act.

    In the compact form `items` is empty and `tree` leads to each action; else `tree` is null.
    """

    decision = fields.Integer(allow_none=True)
    count = fields.Integer(metadata={"description": "How many legal actions there are."})
    items = fields.List(fields.Nested(Choice))
    tree = fields.Nested(Step, allow_none=True)
