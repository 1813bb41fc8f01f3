"""Schemas of what players have decided about each other: friends, blocks, and whom they ignore."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from schemas.answer import Answer
from schemas.fields import Cursor, Text, Whole, needing
from schemas.pages import Page, PageLimit
from service.texts.names import HANDLE_MAX_LENGTH, HANDLE_MIN_LENGTH, HANDLE_PATTERN

FRIEND_STATES = ("asked", "asks", "friend")


class OtherPlayer(Schema):
    """Another person: by the handle, or by a seat of a game that one may see."""

    handle = Text(
        least=HANDLE_MIN_LENGTH,
        most=HANDLE_MAX_LENGTH,
        pattern=HANDLE_PATTERN,
        metadata={"description": "The player's handle."},
    )
    game = fields.UUID(metadata={"description": "A game that one may see, in place of the handle; with `seat`."})
    seat = Whole(least=0, most=15, metadata={"description": "The player's seat in the game."})

    TOGETHER: ClassVar = {
        "oneOf": [
            {**needing("handle"), "not": needing("game")},
            {**needing("game", "seat"), "not": needing("handle")},
        ]
    }

    @validates_schema
    def names_one(self, posted: dict[str, Any], **_: Any) -> None:
        """Refuse what names nobody, or somebody twice; ValidationError."""
        if ("handle" in posted) == ("game" in posted):
            raise ValidationError("Name either a handle, or a game and a seat.", "handle")
        if "game" in posted and "seat" not in posted:
            raise ValidationError("Missing data for required field.", "seat")


class PlayersWanted(Schema):
    """The players of a list."""

    after = Cursor()
    limit = PageLimit("players")


class ListedPlayer(Answer):
    """A player of a list of one's own; `id` is that of the entry."""

    id = fields.UUID()
    name = fields.String()
    handle = fields.String(
        allow_none=True,
        metadata={
            "description": "Of those whose profile everybody may see, of friends, and of those who ask to be one."
        },
    )
    bot = fields.Boolean()
    since = fields.DateTime()


class ListedPlayers(Page):
    """A page of players, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(ListedPlayer))


class Friend(ListedPlayer):
    """A friend, or a player who is asked to be one."""

    state = fields.String(
        validate=validate.OneOf(FRIEND_STATES),
        metadata={"description": "`friend`; `asked` by oneself; or `asks`, and waits for one's answer."},
    )


class Friends(Page):
    """A page of friends and of requests, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Friend))


class Entered(Answer):
    """An entry of a list of one's own."""

    id = fields.UUID()
