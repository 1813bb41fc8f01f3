"""Schemas of mail preferences, reply addresses, channels, the calendar and webhooks."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate

from schemas.answer import Answer, PageLimit, optional
from schemas.fields import EMAIL, Flag, Several, Text, Whole, needing
from service.messages.channels import CHANNELS, MESSAGES
from service.messages.webhooks import TYPES

UNDELIVERED_CAUSES = ("unknown-address", "mailbox-full", "not-accepted")
MAIL_KINDS = ("turn", "started", "over", "message", "problem", "proposal", "lapsed", "challenge", "league")
REMINDER = "reminder"
_HOUR = "A full hour of one's own day, by the time zone of the profile."


class Quiet(Schema):
    """The quiet hours, in which no mails about games are sent; they may span midnight."""

    begin = Whole(least=0, most=23, required=True, data_key="from", metadata={"description": _HOUR})
    end = Whole(least=0, most=23, required=True, data_key="to", metadata={"description": _HOUR})


class MailKinds(Schema):
    """The wanted kinds of mails about games."""

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
    """The wanted kinds of mails about games."""

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
    """The cause that stops mails to the address."""

    cause = fields.String(metadata={"description": f"One of {', '.join(UNDELIVERED_CAUSES)}, or one to come."})
    status = fields.String(metadata={"description": "What its mail server said (RFC 3463), if anything."})
    since = fields.DateTime()


class Undelivered(Answer):
    """A mail that could not be delivered; `why` begins with the outcome and the SMTP reply code."""

    game = fields.UUID()
    kind = fields.String(validate=validate.OneOf((*MAIL_KINDS, REMINDER)))
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


# Channels beside mail, and a player's calendar.

_MESSAGES = "The kinds of message that go there, each once."
_PRINTED = r"^[A-Za-z0-9_.~+/=-]{1,300}$"
_INSTEAD = "Those of them of which no mail is sent as long as the channel takes them; none when absent."


def _each_once(values: tuple[str, ...]) -> None:
    if len(set(values)) != len(values):
        raise ValidationError("Names something twice.")


def _kinds(least: int, text: str, **options: Any) -> Several:
    kind = fields.String(validate=validate.OneOf(MESSAGES))
    length = validate.Length(min=least, max=len(MESSAGES))
    return Several(kind, validate=[length, _each_once], metadata={"description": text, "uniqueItems": True}, **options)


def _secret(text: str, most: int, **options: Any) -> Text:
    return Text(least=1, most=most, pattern=r"^[\x21-\x7e]+$", metadata={"description": text}, **options)


class NewChannel(Schema):
    """A channel to set up. What it leads to is kept secret, and is not shown again."""

    kind = fields.String(required=True, validate=validate.OneOf(CHANNELS))
    messages = _kinds(1, _MESSAGES, required=True)
    instead = _kinds(0, _INSTEAD)
    url = _secret(
        "The address of the webhook (discord, slack), of the homeserver (matrix), of the topic (ntfy), or the endpoint "
        "of the subscription (web-push).",
        2000,
    )
    token = _secret("The access token (matrix; ntfy, if the topic needs one) or the token of the bot (telegram).", 300)
    room = _secret("The id or the alias of the room (matrix), the id of the chat (telegram).", 300)
    p256dh = _secret("The public key of the subscription (web-push).", 200)
    auth = _secret("The secret of the subscription (web-push).", 100)

    TOGETHER: ClassVar = {
        "allOf": [
            {"if": {"properties": {"kind": {"const": kind}}}, "then": needing(*needed, **forms)}
            for kind, needed, forms in (
                ("discord", ["url"], {}),
                ("slack", ["url"], {}),
                ("matrix", ["url", "token", "room"], {"token": {"pattern": _PRINTED}, "room": {"pattern": r"^[!#]"}}),
                ("telegram", ["token", "room"], {"token": {"pattern": r"^[0-9]{3,20}:[A-Za-z0-9_-]{20,80}$"}}),
                ("ntfy", ["url"], {"token": {"pattern": _PRINTED}}),
                ("web-push", ["url", "p256dh", "auth"], {}),
            )
        ]
    }


class ChannelChanges(Schema):
    """The fields of a channel to change."""

    messages = _kinds(1, _MESSAGES)
    instead = _kinds(0, _INSTEAD)


class RenewedSubscription(Schema):
    """The subscription that has taken the place of another one of the same browser, whose endpoint was `before`."""

    before = _secret("The endpoint of the former subscription.", 2000, required=True)
    url = _secret("The endpoint of the subscription.", 2000, required=True)
    p256dh = _secret("The public key of the subscription.", 200, required=True)
    auth = _secret("The secret of the subscription.", 100, required=True)


class Channel(Answer):
    """A channel as its player sees it; nothing of what it leads to but a host."""

    id = fields.UUID()
    kind = fields.String()
    label = fields.String(metadata={"description": "The host that it leads to, '' if its kind says it."})
    messages = fields.List(fields.String())
    instead = fields.List(fields.String())
    state = fields.String(
        metadata={
            "description": "trying (a trial message is on its way), active (it was taken), or silenced: no messages "
            "are sent until it is tried again, and mails go out instead."
        },
    )
    cause = fields.String(
        allow_none=True,
        metadata={"description": "Why it is silenced: gone (it answered 404 or 410), failing (nothing was taken)."},
    )
    tried_at = fields.DateTime(allow_none=True)
    code = fields.Integer(allow_none=True, metadata={"description": "The status of the last answer."})
    error = fields.String(
        allow_none=True,
        metadata={
            "description": "Why the last message was not taken: not-taken, address-refused, unresolved, unreachable, "
            "tls, timeout, no-http, too-many-calls or no-secret."
        },
    )
    created_at = fields.DateTime()


class Channels(Answer):
    """All channels of a player, and the key with which a browser subscribes to Web Push."""

    items = fields.List(fields.Nested(Channel))
    push_key = fields.String(
        allow_none=True,
        metadata={"description": "The applicationServerKey (RFC 8292); null where there is no Web Push."},
    )


class TrialSent(Answer):
    """A trial message that is on its way."""

    id = fields.UUID()


class CalendarShown(Answer):
    """The creation time of one's calendar address; null without one."""

    created_at = fields.DateTime(allow_none=True)


class CalendarMade(CalendarShown):
    """The secret address of one's calendar, which is shown only once."""

    url = fields.String()


# Webhooks, their deliveries, and the messages themselves.

URL = r"^https?://[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]+$"

_URL_TEXT = {"description": "https, port 443 or 8443, a public address, and neither user nor password."}
_EVENTS_TEXT = {"description": "What to be told of, each once.", "uniqueItems": True}


def _url(**options: Any) -> Text:
    return Text(least=10, most=2000, pattern=URL, metadata=_URL_TEXT, **options)


def _events(**options: Any) -> Several:
    kind = fields.String(validate=validate.OneOf(TYPES))
    length = validate.Length(min=1, max=len(TYPES))
    return Several(kind, validate=[length, _each_once], metadata=_EVENTS_TEXT, **options)


class NewWebhook(Schema):
    """A webhook to create: for all games of the player, or for the table of one game that the player hosts."""

    url = _url(required=True)
    events = _events(required=True)
    game = fields.UUID(metadata={"description": "The game whose table it is for; one's own when absent."})


class WebhookChanges(Schema):
    """The fields of a webhook to change; `active` true also restarts one that was switched off."""

    url = _url()
    events = _events()
    active = Flag()


class DeliveriesWanted(Schema):
    """A page of a webhook's deliveries."""

    after = fields.UUID(metadata={"description": "The last delivery of the page before."})
    limit = PageLimit("deliveries")


class Webhook(Answer):
    """A webhook as only its owner sees it."""

    id = fields.UUID()
    url = fields.String()
    events = fields.List(fields.String())
    game = fields.UUID(allow_none=True, metadata={"description": "Null for a player's own."})
    active = fields.Boolean()
    disabled = fields.String(
        allow_none=True,
        metadata={"description": "Why it was switched off: gone (it answered 410), failing (nothing well for days)."},
    )
    failing_since = fields.DateTime(allow_none=True)
    created_at = fields.DateTime()


class WebhookMade(Webhook):
    """A new webhook with the secret that signs its messages, which is shown only once."""

    secret = fields.String()


class Webhooks(Answer):
    """All webhooks of a player."""

    items = fields.List(fields.Nested(Webhook))


class NewSecret(Answer):
    """The new secret, which is shown only once; messages are signed with both until the old one expires."""

    secret = fields.String()
    old_expires_at = fields.DateTime()


class Sent(Answer):
    """A delivery that was put in the queue."""

    id = fields.UUID()


class Delivery(Answer):
    """A message to a webhook, and its last attempt."""

    id = fields.UUID(metadata={"description": "Its header webhook-id is msg_ and these hex digits."})
    type = fields.String()
    game = fields.UUID(allow_none=True)
    created_at = fields.DateTime()
    state = fields.String(metadata={"description": "pending, delivered, failed or skipped"})
    attempts = fields.Integer()
    tried_at = fields.DateTime(allow_none=True)
    code = fields.Integer(allow_none=True, metadata={"description": "The status that was answered."})
    ms = fields.Integer(allow_none=True)
    error = fields.String(
        allow_none=True,
        metadata={
            "description": "Why nothing was answered: address-refused, unresolved, unreachable, tls, timeout, no-http "
            "or no-secret."
        },
    )
    next_at = fields.DateTime(allow_none=True, metadata={"description": "When it is tried (again)."})


class Deliveries(Answer):
    """A page of deliveries, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Delivery))
    next = fields.UUID(allow_none=True)


class SeatDeadline(Answer):
    """The deadline of a seat."""

    seat = fields.Integer()
    deadline = fields.DateTime()


class WebhookData(Answer):
    """The data of a message, with nothing that a spectator may not know; the API has the rest."""

    game = optional(fields.UUID())
    version = optional(fields.Integer(metadata={"description": "The number of the game's last event."}))
    decision = optional(fields.Integer())
    to_act = optional(fields.List(fields.Integer()))
    seat = optional(
        fields.Integer(allow_none=True, metadata={"description": "One's own seat; null for the table's webhook."})
    )
    deadlines = optional(
        fields.List(
            fields.Nested(SeatDeadline),
            metadata={"description": "Those of the seats whose time runs; empty in a game without a clock."},
        )
    )
    near = optional(
        fields.Integer(metadata={"description": "With game.deadline-near: the seat that has half of its time left."})
    )
    lapsed = optional(fields.Integer(metadata={"description": "With game.lapsed: the seat whose time is up."}))
    outcome = optional(fields.Dict(metadata={"description": "With game.over: how it ended."}))


class WebhookMessage(Answer):
    """The message that is posted to a webhook, signed as Standard Webhooks specifies."""

    type = fields.String()
    timestamp = fields.DateTime()
    data = fields.Nested(WebhookData)
