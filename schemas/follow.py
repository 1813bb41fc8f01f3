"""Schemas around a game: the turns that wait for a player, stream tickets, table talk, notes."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.answer import Answer
from schemas.fields import PROSE, Number, Text
from schemas.pages import Page, PageLimit

CURSOR = r"^[0-9]{1,17}-[0-9a-f]{32}$"


class TurnsWanted(Schema):
    """A page of the games that wait for the player."""

    after = Text(most=50, pattern=CURSOR, metadata={"description": "`next` of the page before."})
    limit = PageLimit("games")


class Opponent(Answer):
    """Another seat of the game."""

    seat = fields.Integer()
    name = fields.String()


class Turn(Answer):
    """A game in which a decision waits for the player."""

    game = fields.UUID()
    href = fields.String(metadata={"description": "Where the game is found."})
    name = fields.String(allow_none=True, metadata={"description": "What the table is called."})
    ruleset = fields.String()
    solo = fields.Boolean(metadata={"description": "Whether nobody else sits there."})
    seat = fields.Integer()
    decision = fields.Integer(metadata={"description": "What an action has to name."})
    since = fields.DateTime(metadata={"description": "When the decision began to wait."})
    deadline = fields.DateTime(allow_none=True, metadata={"description": "That of the seat; null where no time runs."})
    opponents = fields.List(fields.Nested(Opponent))


class Turns(Page):
    """A page of turns: the earliest deadline first, then those without one, the longest waiting first.

    Ask again with `after` = `next` unless that is null.
    """

    items = fields.List(fields.Nested(Turn))


class StreamTicket(Answer):
    """The address of a stream, which works once and without a token."""

    url = fields.String()
    expires_at = fields.DateTime(metadata={"description": "When it has to be opened by."})


class NewRemark(Schema):
    """A remark to post at the table."""

    text = Text(most=500, pattern=PROSE, required=True)


class TalkAfter(Schema):
    """A page of the talk."""

    after = Number(least=0, metadata={"description": "The number of the last remark already known; 0 when absent."})
    limit = PageLimit("remarks", usual=100)


class Remark(Answer):
    """A remark at a table."""

    number = fields.Integer()
    seat = fields.Integer()
    former = fields.Boolean(
        metadata={"description": "Whether a player has said it who has left the seat to another person."}
    )
    at = fields.DateTime()
    text = fields.String()


class Talk(Answer):
    """A page of the talk; ask again after the last `number`."""

    items = fields.List(fields.Nested(Remark))


class NewNotes(Schema):
    """The player's own notes, in full."""

    text = Text(least=0, most=10_000, pattern=PROSE, required=True)


class Notes(Answer):
    """The player's own notes on a game, which nobody else can read; `at` is null while there are none."""

    text = fields.String()
    at = fields.DateTime(allow_none=True)
