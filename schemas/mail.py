"""Schemas of a player's mail settings, and of what has become of the mails."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.answer import Answer
from schemas.fields import EMAIL, Flag, Text, Whole

CAUSES = ("unknown-address", "mailbox-full", "not-accepted")
KINDS = ("turn", "started", "over", "message", "problem", "proposal", "lapsed", "challenge", "league")
REMINDER = "reminder"
_HOUR = "A full hour of one's own day, by the time zone of the profile."


class Quiet(Schema):
    """The quiet hours, in which no mails about games are sent; they may span midnight."""

    begin = Whole(least=0, most=23, required=True, data_key="from", metadata={"description": _HOUR})
    end = Whole(least=0, most=23, required=True, data_key="to", metadata={"description": _HOUR})


class MailKinds(Schema):
    """Which mails about games are wanted."""

    turn = Flag(metadata={"description": "That it is one's turn."})
    started = Flag(metadata={"description": "That a game has begun."})
    over = Flag(metadata={"description": "That a game is over."})
    message = Flag(metadata={"description": "What others have said at the table."})
    problem = Flag(metadata={"description": "That the host has called a table off, or freed one's seat at it."})
    proposal = Flag(
        metadata={
            "description": "That a pause, or taking an action back, is proposed, and that a pause begins or ends."
        }
    )
    lapsed = Flag(metadata={"description": "What was played for one, since one's time had lapsed."})
    challenge = Flag(metadata={"description": "That one is challenged to a game, or asked to be a friend."})
    league = Flag(
        metadata={"description": "That a season or a tournament has begun, is over, or can be entered not much longer."}
    )


class MailChanged(Schema):
    """The mail settings to change."""

    delay = Whole(
        least=0,
        most=60,
        metadata={"description": "For how many minutes a turn mail waits; it is not sent if one plays meanwhile."},
    )
    digest = Whole(
        least=0,
        most=23,
        allow_none=True,
        metadata={"description": "The full hour at which one mail a day tells everything; null for a mail each time."},
    )
    quiet = fields.Nested(Quiet, allow_none=True)
    kinds = fields.Nested(MailKinds)
    unseen_only = Flag(
        metadata={
            "description": "Kept for clients that send it, without effect: nobody gets a mail about a turn that their "
            "page of the table has shown, or that comes while it is open.",
            "deprecated": True,
        }
    )
    links_need_sign_in = Flag(
        metadata={
            "description": "Whether the links of turn mails work in no browser that is not signed in as oneself. "
            "An answer to a mail then plays only where DMARC has passed for its sender; others get a fresh link."
        }
    )
    mails_apart = Flag(
        metadata={
            "description": "Whether each mail of a game stands by itself, with a subject of its own, instead of one "
            "thread per game."
        }
    )
    reminders = Whole(
        least=0,
        most=2,
        metadata={
            "description": "How many mails remind of a deadline, at most: 1 comes when a tenth of the time is left, "
            "2 also when a half is."
        },
    )


class QuietHours(Answer):
    """The quiet hours, in which no mails about games are sent."""

    begin = fields.Integer(data_key="from")
    end = fields.Integer(data_key="to")


class MailKindsWanted(Answer):
    """Which mails about games are wanted."""

    turn = fields.Boolean()
    started = fields.Boolean()
    over = fields.Boolean()
    message = fields.Boolean()
    problem = fields.Boolean()
    proposal = fields.Boolean()
    lapsed = fields.Boolean()
    challenge = fields.Boolean()
    league = fields.Boolean()


class MailTrouble(Answer):
    """Why no mails are sent to the address."""

    cause = fields.String(metadata={"description": f"One of {', '.join(CAUSES)}, or one to come."})
    status = fields.String(metadata={"description": "What its mail server said (RFC 3463), if anything."})
    since = fields.DateTime()


class Undelivered(Answer):
    """A mail that could not be delivered; `why` begins with the outcome and the SMTP reply code."""

    game = fields.UUID()
    kind = fields.String(validate=validate.OneOf((*KINDS, REMINDER)))
    at = fields.DateTime()
    why = fields.String(allow_none=True)


class Mail(Answer):
    """A player's mail settings, and the mails that could not be delivered."""

    email = fields.String(allow_none=True)
    delay = fields.Integer()
    digest = fields.Integer(allow_none=True)
    quiet = fields.Nested(QuietHours, allow_none=True)
    kinds = fields.Nested(MailKindsWanted)
    reminders = fields.Integer()
    unseen_only = fields.Boolean(metadata={"description": "As it was set; without effect.", "deprecated": True})
    links_need_sign_in = fields.Boolean()
    mails_apart = fields.Boolean()
    muted = fields.List(fields.UUID(), metadata={"description": "The games that send no mails."})
    reachable = fields.Boolean(metadata={"description": "Whether mails are sent to the address at all."})
    confirmed = fields.Boolean(
        metadata={"description": "Whether somebody who reads the mails of the address wants them; until then none go."},
    )
    asked_at = fields.DateTime(
        allow_none=True,
        metadata={"description": "When a mail asked for that, within the last 30 days; null where one may do so now."},
    )
    trouble = fields.Nested(MailTrouble, allow_none=True)
    undelivered = fields.List(
        fields.Nested(Undelivered), metadata={"description": "The last mails that were given up."}
    )


class NewReplyAddress(Schema):
    """A further address from which one answers mails."""

    email = Text(least=6, most=254, pattern=EMAIL, required=True)


class ReplyAddress(Answer):
    """A further address from which one answers mails, once its reader has confirmed it by the link of a mail."""

    id = fields.UUID()
    email = fields.String()
    created_at = fields.DateTime()
    confirmed_at = fields.DateTime(
        allow_none=True, metadata={"description": "Null while it is asked; then it counts for nothing."}
    )


class ReplyAddresses(Answer):
    """One's further addresses for answers."""

    items = fields.List(fields.Nested(ReplyAddress))


class Trial(Answer):
    """A test mail that is on its way to the address."""

    email = fields.String()
