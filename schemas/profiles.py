"""Schemas of profiles."""

from __future__ import annotations

from marshmallow import fields

from schemas.answer import Answer


class GamesPlayed(Answer):
    """How many games of a ruleset, with so many seats, a player has played to their end."""

    ruleset = fields.String(required=True)
    seats = fields.Integer(required=True)
    games = fields.Integer(required=True)


class Profile(Answer):
    """An account as others may see it."""

    handle = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True)
    since = fields.Date(required=True, metadata={"description": "The day on which the account was made, in UTC."})
    played = fields.List(
        fields.Nested(GamesPlayed),
        required=True,
        metadata={"description": "Games that are over, in which the player has a seat; imported ones are not counted."},
    )
