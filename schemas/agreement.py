"""Schemas of what the players agree to: pauses, and taking actions back."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.answer import Answer
from schemas.fields import Whole

_AGREED = {"description": "The seats that have agreed."}
_MISSING = {"description": "The seats that have to agree still; those of absent and resigned players need not."}


class PauseUntil(Schema):
    """The moment at which a pause ends by itself."""

    until = fields.AwareDateTime(
        required=True, format="iso", metadata={"description": "Within the next 30 days, to the millisecond."}
    )


class Pause(Answer):
    """A pause that a seat has proposed."""

    seat = fields.Integer(metadata={"description": "The seat that has proposed it."})
    until = fields.DateTime(metadata={"description": "When it ends, if nobody ends it before."})
    agreed = fields.List(fields.Integer(), metadata=_AGREED)
    missing = fields.List(fields.Integer(), metadata=_MISSING)


class Pauses(Answer):
    """The pause that is proposed, and the one that the game is in; null for none."""

    proposed = fields.Nested(Pause, allow_none=True)
    paused = fields.Nested(Pause, allow_none=True)


class TakeBackAsked(Schema):
    """The decision that one's last action answered."""

    decision = Whole(least=0, required=True)


class TakeBackRequest(Answer):
    """A request of a seat to have its last action taken back, and with it all that was done since."""

    first = fields.Integer(
        metadata={"description": "The number of the action's first event, which names the request."},
    )
    seat = fields.Integer(metadata={"description": "The seat that asks."})
    decision = fields.Integer(metadata={"description": "The decision that the action answered."})
    asked_at = fields.DateTime()
    until = fields.DateTime(metadata={"description": "Until when the others can agree, if nobody acts before."})
    agreed = fields.List(fields.Integer(), metadata=_AGREED)
    missing = fields.List(fields.Integer(), metadata=_MISSING)


class TakeBackRequests(Answer):
    """The request that stands, if there is one."""

    items = fields.List(fields.Nested(TakeBackRequest))
