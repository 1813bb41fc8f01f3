"""Schemas of webhooks, of their deliveries, and of the messages themselves."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from schemas.answer import Answer, optional
from schemas.fields import Flag, Several, Text
from schemas.pages import PageLimit
from service.webhooks.messages import TYPES

URL = r"^https?://[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]+$"

_URL_TEXT = {"description": "https, port 443 or 8443, a public address, and neither user nor password."}
_EVENTS_TEXT = {"description": "What to be told of, each once.", "uniqueItems": True}


def _each_once(values: tuple[str, ...]) -> None:
    if len(set(values)) != len(values):
        raise ValidationError("Names something twice.")


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
