"""Schemas of requests for seats of running games."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.answer import Answer
from schemas.fields import Whole


class NewSeatRequest(Schema):
    """A seat to ask for; its player has resigned or is absent."""

    seat = Whole(least=0, most=15, required=True, metadata={"description": "One of `unattended` of the game."})


class SeatRequest(Answer):
    """An open request for a seat of a running game."""

    id = fields.UUID()
    seat = fields.Integer()
    name = fields.String(metadata={"description": "The name of the person who asks."})
    mine = fields.Boolean(metadata={"description": "Whether it is one's own."})
    created_at = fields.DateTime()


class SeatRequests(Answer):
    """The open requests for seats of a game."""

    items = fields.List(fields.Nested(SeatRequest))
