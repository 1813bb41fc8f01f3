"""Schemas of orders, moves given ahead, and of auto-answers."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import Schema, fields, validate

from schemas.answer import Answer
from schemas.fields import SLUG, Text
from schemas.posted import ActionField, Either
from service.store.pace import MAX_ORDERS

POINTER = r"^(/([^~/\x00-\x1f\x7f]|~[01])*)*$"
MOST_CONDITIONS = 50


class ConditionGiven(Schema):
    """A place of the player's own view of the table, and the value that has to stand there."""

    pointer = Text(
        most=200,
        least=0,
        pattern=POINTER,
        required=True,
        metadata={"description": "A JSON Pointer (RFC 6901) into `view` of the table."},
    )
    value = fields.Raw(allow_none=True, metadata={"description": "What has to stand there; what does now when absent."})


class _Conditional(Schema):
    conditions = fields.List(
        fields.Nested(ConditionGiven),
        validate=validate.Length(max=MOST_CONDITIONS),
        metadata={
            "description": "What has to be so when it is played. When absent: all that the action rests on is as now."
        },
    )


class OrderAsJson(_Conditional):
    """A move given ahead: an action as JSON, and what has to be so when it is played."""

    action = ActionField(required=True)


class OrderAsNotation(_Conditional):
    """A move given ahead: an action in the game's notation, and what has to be so when it is played."""

    notation = Text(most=200, required=True)


class OrderGiven(Either):
    """A move given ahead, in either form."""

    either: ClassVar[tuple[Schema, ...]] = (OrderAsJson(), OrderAsNotation())


class OrdersGiven(Schema):
    """Moves given ahead, in their sequence; they take the place of all earlier ones."""

    orders = fields.List(fields.Nested(OrderGiven), required=True, validate=validate.Length(max=MAX_ORDERS))


class AutoAnswersChosen(Schema):
    """The names of the auto-answers that are to be given; they take the place of earlier ones."""

    chosen = fields.List(Text(most=60, pattern=SLUG), required=True, validate=validate.Length(max=20))


class Condition(Answer):
    """A place of the player's view, and what has to stand there."""

    pointer = fields.String()
    value = fields.Raw(allow_none=True)


class GivenOrder(Answer):
    """A move given ahead; `notation` and `text` are null where today's rules do not know the action any more."""

    action = fields.Dict()
    notation = fields.String(allow_none=True)
    text = fields.String(allow_none=True)
    conditions = fields.List(fields.Nested(Condition))
    given_at = fields.DateTime()


class DroppedOrder(GivenOrder):
    """A move given ahead that is not played any more."""

    decision = fields.Integer(metadata={"description": "The decision at which it did not fit."})
    reason = fields.String(
        metadata={
            "description": "changed: what it rested on; illegal: the rules did not allow it; follows: one before it "
            "was dropped; failed: it could not be carried out"
        },
    )
    pointer = fields.String(
        allow_none=True, metadata={"description": "The place of the view that had changed, if one had."}
    )
    detail = fields.String(metadata={"description": "Why, in the player's language."})


class AutoAnswer(Answer):
    """A kind of answer that the game offers to give for the player."""

    name = fields.String()
    text = fields.String()
    chosen = fields.Boolean()


class AutoAnswers(Answer):
    """The auto-answers that the game offers, and whether the player has chosen them."""

    items = fields.List(fields.Nested(AutoAnswer))


class Orders(Answer):
    """The player's own orders in a game, in their sequence, and those that were dropped last."""

    orders = fields.List(fields.Nested(GivenOrder))
    dropped = fields.List(fields.Nested(DroppedOrder))
    auto_answers = fields.List(fields.Nested(AutoAnswer))
