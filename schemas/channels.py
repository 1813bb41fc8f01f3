"""Schemas of channels beside mail, and of a player's calendar."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate

from schemas.answer import Answer
from schemas.fields import Several, Text, needing
from service.channels.kinds import CHANNELS, MESSAGES

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
    """Whether one's calendar has an address, and since when."""

    created_at = fields.DateTime(allow_none=True)


class CalendarMade(CalendarShown):
    """The secret address of one's calendar, which is shown only once."""

    url = fields.String()
