"""Shapes of the lobby: players, rulesets, games."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.fields import EMAIL, LANGUAGE, SLUG, Number, Text, Whole
from schemas.limits import Allowance
from schemas.play import Answer

STATUSES = ("open", "running", "finished", "cancelled")


class NewPlayer(Schema):
    """Whoever wants to play."""

    name = Text(most=60, required=True)
    email = Text(least=6, most=254, pattern=EMAIL, allow_none=True)
    language = Text(least=2, most=2, pattern=LANGUAGE)


class NewGame(Schema):
    """A game to be opened; whoever asks is its host and sits in seat 0."""

    ruleset = Text(most=60, pattern=SLUG, required=True)
    seats = Whole(least=1, most=16, required=True)
    options = fields.Dict(keys=Text(most=60), values=fields.Raw(allow_none=True))


class GamesWanted(Schema):
    """Which of one's own games to list."""

    mine = fields.String(validate=validate.Equal("true"), metadata={"description": "Only one's own games are listed."})
    status = fields.String(validate=validate.OneOf(STATUSES))
    after = fields.UUID(metadata={"description": "The last game of the page before."})
    limit = Number(least=1, most=100, metadata={"description": "The most games to answer with; 20 when absent."})


class Player(Answer):
    """A player as only that player sees it."""

    id = fields.UUID(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True, allow_none=True)
    language = fields.String(required=True)


class Me(Player):
    """The player who asks, and how often that player may."""

    limits = fields.List(fields.Nested(Allowance), required=True)


class Registered(Player):
    """A new player, and the token, which is shown only this once."""

    token = fields.String(required=True)


class Option(Answer):
    """A choice of the host."""

    name = fields.String(required=True)
    type = fields.String(required=True)
    default = fields.Raw(required=True, allow_none=True)
    text = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class Ruleset(Answer):
    """A kind of game."""

    name = fields.String(required=True)
    revision = fields.Integer(required=True)
    title = fields.String(required=True)
    summary = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    seats = fields.List(fields.Integer(), required=True)
    languages = fields.List(fields.String(), required=True)
    options = fields.List(fields.Nested(Option), required=True)


class Rulesets(Answer):
    """Every kind of game there is."""

    items = fields.List(fields.Nested(Ruleset), required=True)


class GameListed(Answer):
    """A game in a list."""

    id = fields.UUID(required=True)
    ruleset = fields.String(required=True)
    status = fields.String(required=True)
    seats = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    created_at = fields.DateTime(required=True)


class GamesListed(Answer):
    """A page of games; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(GameListed), required=True)
    next = fields.UUID(required=True, allow_none=True)


class Seated(Answer):
    """The seat just taken."""

    seat = fields.Integer(required=True)
