"""Schemas of invitations: to an open game, and to a seat of a running one."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.answer import Answer
from schemas.fields import LANGUAGE, Cursor, Email, Text, Whole
from schemas.lobby import Seated
from schemas.pace import pace_shown
from schemas.pages import Page, PageLimit
from schemas.play import SeatAtTable


class NewInvitation(Schema):
    """An invitation to create: mailed to an address, or, without one, a link to pass on."""

    email = Email(allow_none=True)
    language = Text(
        least=2,
        most=2,
        pattern=LANGUAGE,
        metadata={"description": "That of the mail and of the link's page; the host's when absent."},
    )
    message = Text(
        most=200,
        metadata={
            "description": "A line of one's own, in the mail and on the link's page. Nothing in it can be followed."
        },
    )
    seat = Whole(
        least=0,
        most=15,
        metadata={
            "description": "The seat of a running game that is to be taken over, one of its `unattended`; absent for "
            "an open game."
        },
    )


class SeatedByInvitation(Seated):
    """The seat just taken, and its game."""

    game_id = fields.UUID()


class Invitation(Answer):
    """An invitation as the host of its game sees it."""

    id = fields.UUID()
    email = fields.String(allow_none=True)
    player = fields.String(allow_none=True, metadata={"description": "The name of the player asked for a rematch."})
    created_at = fields.DateTime()
    seat = fields.Integer(
        allow_none=True,
        metadata={"description": "The seat of a running game that is to be taken over; null for an open game."},
    )
    expires_at = fields.DateTime(
        metadata={"description": "It ends then, or when the game starts or is cancelled, or the seat is taken over."},
    )


class NewlyInvited(Invitation):
    """A new invitation; `url` is the link, which is shown only once, and null if it was mailed."""

    url = fields.String(allow_none=True)


class InvitationsGiven(Schema):
    """The invitations to a game to list."""

    after = Cursor()
    limit = PageLimit("invitations", usual=100)


class Invitations(Page):
    """A page of the invitations to a game; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Invitation))


class InvitationOpened(Answer):
    """What the holder of an invitation's link may know of the table before taking a seat."""

    ruleset = fields.String()
    name = fields.String(allow_none=True, metadata={"description": "What the table is called."})
    host = fields.String(metadata={"description": "The name of the host."})
    seats = fields.List(fields.Nested(SeatAtTable))
    player = fields.String(
        allow_none=True, metadata={"description": "The only player who may accept; null for anybody."}
    )
    pace = pace_shown()
    seat = fields.Integer(
        allow_none=True,
        metadata={"description": "The seat of a running game that is to be taken over; null for an open game."},
    )
    expires_at = fields.DateTime()


class InvitationReceived(Answer):
    """An open game to which the player is invited."""

    game = fields.UUID()
    href = fields.String(metadata={"description": "Where the game is found."})
    ruleset = fields.String()
    name = fields.String(allow_none=True, metadata={"description": "What the table is called."})
    inviter = fields.String(metadata={"description": "The name of the player who asks."})
    seats = fields.Integer()
    seats_taken = fields.Integer()
    pace = pace_shown()
    created_at = fields.DateTime()
    expires_at = fields.DateTime()


class InvitationsReceived(Page):
    """A page of received invitations, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(InvitationReceived))


class InvitationsWanted(Schema):
    """A page of the invitations that the player has received."""

    after = Cursor()
    limit = PageLimit("invitations")
