"""Schemas of the rate limits, and of a player's use of them."""

from __future__ import annotations

from marshmallow import fields

from schemas.answer import Answer


class Limit(Answer):
    """A bucket of requests, and its quota."""

    bucket = fields.String()
    covers = fields.String()
    quota = fields.Integer(metadata={"description": "How many are answered in each window."})
    window = fields.Integer(metadata={"description": "Its length in seconds."})
    per = fields.String(metadata={"description": "account, address, mail address, or account and address: both count."})
    counts = fields.String(metadata={"description": "requests, refusals: then no success counts, or mails to others."})


class Room(Answer):
    """A limit of streams or waiting requests open at the same time, per account or network address."""

    covers = fields.String()
    most = fields.Integer(metadata={"description": "In each process of the web server."})
    processes = fields.Integer(metadata={"description": "How many processes there are, as a rule."})
    per = fields.String(metadata={"description": "account or address"})


class LimitsListed(Answer):
    """All limits; `items` is empty if the service runs without rate limits. What may be `open` is always limited."""

    items = fields.List(fields.Nested(Limit))
    open = fields.List(fields.Nested(Room))


class Allowance(Answer):
    """The rest of a limit for an account."""

    bucket = fields.String()
    quota = fields.Integer()
    window = fields.Integer(metadata={"description": "In seconds."})
    left = fields.Integer(metadata={"description": "How many more are answered in this window."})
    reset = fields.Integer(metadata={"description": "Seconds until the next window begins."})
