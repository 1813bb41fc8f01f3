"""Schemas of challenges, and of bots that are ready for them."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.answer import Answer
from schemas.fields import SLUG, Cursor, Several, Text, Whole
from schemas.lobby import ACCESS, NewGame
from schemas.pace import pace_shown
from schemas.pages import Page, PageLimit
from service.texts.names import HANDLE_MAX_LENGTH, HANDLE_MIN_LENGTH, HANDLE_PATTERN

STATES = ("open", "accepted", "declined", "withdrawn", "expired")


class NewChallenge(NewGame):
    """A challenge to send: to whom, and to which game; its sender is the host and takes seat 0."""

    class Meta:
        """The game begins as soon as it is full."""

        exclude = ("start", "nonce")

    to = Text(
        least=HANDLE_MIN_LENGTH,
        most=HANDLE_MAX_LENGTH,
        pattern=HANDLE_PATTERN,
        required=True,
        metadata={"description": "The handle of a player or a bot."},
    )
    seats = Whole(least=2, most=16, required=True)


class ChallengesWanted(Schema):
    """The challenges to list."""

    state = fields.String(
        validate=validate.OneOf(STATES), metadata={"description": "Only challenges in this state; all when absent."}
    )
    after = Cursor()
    limit = PageLimit("challenges")


class Party(Answer):
    """A player of a challenge."""

    name = fields.String()
    handle = fields.String(allow_none=True)
    bot = fields.Boolean()


class Challenge(Answer):
    """A challenge, as its sender and its recipient see it."""

    id = fields.UUID()
    direction = fields.String(validate=validate.OneOf(("sent", "received")))
    state = fields.String(validate=validate.OneOf(STATES))
    sender = fields.Nested(Party)
    recipient = fields.Nested(Party)
    ruleset = fields.String()
    seats = fields.Integer()
    options = fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True))
    name = fields.String(allow_none=True, metadata={"description": "What the table is called."})
    access = fields.String(validate=validate.OneOf(ACCESS))
    spectators = fields.Boolean()
    on_resignation = fields.String()
    training = fields.Boolean(metadata={"description": "Whether the players may take hints."})
    pace = pace_shown()
    rated = fields.Boolean(metadata={"description": "Whether the game is rated, as in POST /games."})
    created_at = fields.DateTime()
    expires_at = fields.DateTime(metadata={"description": "It can be answered until then."})
    answered_at = fields.DateTime(
        allow_none=True, metadata={"description": "When it was accepted, declined or withdrawn."}
    )
    game = fields.UUID(allow_none=True, metadata={"description": "The game that was opened; null unless accepted."})


class ChallengesListed(Page):
    """A page of challenges; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Challenge))


class NewReady(Schema):
    """What a bot is ready for."""

    rulesets = Several(
        Text(most=60, pattern=SLUG),
        required=True,
        validate=validate.Length(min=1, max=20),
        metadata={"description": "The rulesets that it plays."},
    )
    seats = Several(
        Whole(least=2, most=16),
        required=True,
        validate=validate.Length(min=1, max=15),
        metadata={"description": "The sizes of the tables at which it plays."},
    )


class Ready(Answer):
    """What a bot is ready for, and since when."""

    rulesets = fields.List(fields.String())
    seats = fields.List(fields.Integer())
    since = fields.DateTime()


class ReadyBot(Ready):
    """A bot that is ready to be challenged."""

    handle = fields.String(metadata={"description": "What a challenge is sent `to`."})
    name = fields.String()
    owner = fields.String(metadata={"description": "The name of the person whose bot it is."})


class BotsWanted(Schema):
    """The bots to list."""

    ruleset = Text(most=60, pattern=SLUG, metadata={"description": "Only bots that play this ruleset."})
    after = Cursor()
    limit = PageLimit("bots")


class ReadyBots(Page):
    """A page of bots; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(ReadyBot))
