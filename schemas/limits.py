"""Shapes of the limits: how often one may ask, and where one stands."""

from __future__ import annotations

from marshmallow import fields

from schemas.play import Answer


class Limit(Answer):
    """A bucket of requests, and how many of them are answered."""

    bucket = fields.String(required=True)
    covers = fields.String(required=True)
    quota = fields.Integer(required=True, metadata={"description": "How many are answered in each window."})
    window = fields.Integer(required=True, metadata={"description": "Its length in seconds."})
    per = fields.String(
        required=True, metadata={"description": "account, address, mail address, or account and address: both count."}
    )
    counts = fields.String(
        required=True, metadata={"description": "requests, refusals: then no success counts, or mails to others."}
    )


class Room(Answer):
    """How much of something may be open at the same time, for one account or one network address."""

    covers = fields.String(required=True)
    most = fields.Integer(required=True, metadata={"description": "In each process of the web server."})
    processes = fields.Integer(required=True, metadata={"description": "How many processes there are, as a rule."})
    per = fields.String(required=True, metadata={"description": "account or address"})


class LimitsListed(Answer):
    """All limits; no `items` where the service is run without. What may be `open` is always limited."""

    items = fields.List(fields.Nested(Limit), required=True)
    open = fields.List(fields.Nested(Room), required=True)


class Allowance(Answer):
    """Where an account stands with a limit."""

    bucket = fields.String(required=True)
    quota = fields.Integer(required=True)
    window = fields.Integer(required=True, metadata={"description": "In seconds."})
    left = fields.Integer(required=True, metadata={"description": "How many more are answered in this window."})
    reset = fields.Integer(required=True, metadata={"description": "Seconds until the next window begins."})
