"""Schemas of streams: where to begin, where to go on after an interruption, and the messages."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.answer import Answer, optional
from schemas.fields import Number, Text
from schemas.pages import PageLimit
from schemas.play import InLanguage


class LastEvent(Schema):
    """The event after which an interrupted stream goes on."""

    after = Number(
        least=0,
        data_key="Last-Event-ID",
        metadata={"description": "The id of the last event received; it goes before `after`."},
    )


class StreamAfter(InLanguage):
    """The event after which a stream begins."""

    after = Number(least=0, metadata={"description": "The number of the last event already known; 0 when absent."})


class StreamWanted(StreamAfter):
    """Where a stream begins, and whether it tells of changes that are no events."""

    beside_log = Text(
        most=32,
        least=0,
        pattern="^[0-9a-f]*$",
        metadata={
            "description": "When given, also tell when something changes that the players see beside the events: a "
            "request to take an action back, automatic answers, requests for seats, and absences in a game without a "
            "clock. Such a message has the type `changed` and a new `beside_log`, to be given when one connects again; "
            "empty at first. Only who has a seat is told."
        },
    )


class EventsAfter(StreamAfter):
    """A page of a game's events."""

    wait = Number(
        least=0,
        most=25,
        metadata={"description": "The most seconds to wait for an event beyond `after`; 0 when absent."},
    )
    limit = PageLimit("events", most=500, usual=100)


class LastMessage(Schema):
    """The message after which an interrupted stream of an account goes on."""

    since = Text(
        most=15,
        pattern="^[0-9]{1,15}$",
        data_key="Last-Event-ID",
        metadata={"description": "The id of the last message received; it goes before `after`."},
    )


class AccountStreamWanted(Schema):
    """Where a stream of an account begins, and how long it goes on."""

    after = Text(
        most=15, pattern="^[0-9]{1,15}$", metadata={"description": "The id of the last message already received."}
    )
    seconds = Number(
        least=0,
        most=300,
        metadata={
            "description": "For how many seconds the stream goes on; 300 when absent. With 0 it tells what there is, "
            "and closes: for bots that look in now and then."
        },
    )


class StreamChanged(Answer):
    """The data of a message of the type `changed`: something beside the events is new."""

    beside_log = fields.String(metadata={"description": "To be given when one connects again."})


class StreamEnd(Answer):
    """The data of a message of the type `end`, the last one: the game is over."""


class AccountMessage(Answer):
    """The data of a message of the stream of an account; clients have to accept types that they do not know."""

    type = fields.String()
    game = optional(fields.UUID(allow_none=True))
    challenge = optional(fields.UUID())
    ruleset = optional(fields.String())
    seat = optional(fields.Integer(validate=validate.Range(min=0)))
    decision = optional(fields.Integer(validate=validate.Range(min=0)))
    since = optional(fields.DateTime())
    deadline = optional(fields.DateTime(allow_none=True))
    status = optional(fields.String())
