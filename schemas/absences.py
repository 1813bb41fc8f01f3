"""Schemas of announced absences."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.answer import Answer
from schemas.fields import Text

STATES = ("announced", "begun", "over")
_ZONE = "The IANA time zone in which the days are meant; that of one's profile when absent."
_UNTIL = "The last day of the absence; one is back when it is over."


class AbsenceChanged(Schema):
    """Another last day of an absence."""

    until = fields.Date(required=True, metadata={"description": _UNTIL})
    zone = Text(most=64, data_key="time_zone", metadata={"description": _ZONE})


class NewAbsence(AbsenceChanged):
    """An absence to announce: at most 21 days in a row, and 42 in twelve months."""

    begins = fields.Date(
        data_key="from",
        metadata={"description": "The first day, at most 30 days ahead. When absent, or today, it begins at once."},
    )


class Absence(Answer):
    """An absence of one's own; its days are those of the time zone in which it was announced or is listed."""

    id = fields.UUID()
    first = fields.Date(data_key="from")
    until = fields.Date(metadata={"description": _UNTIL})
    begins = fields.DateTime()
    ends = fields.DateTime(metadata={"description": "When one is back."})
    state = fields.String(validate=validate.OneOf(STATES))


class AbsenceAnnounced(Absence):
    """An absence as it was written, and how many days are left."""

    days_left = fields.Integer(
        metadata={"description": "Of the 42 days of twelve months, those that are not announced yet."},
    )


class Absences(Answer):
    """One's absences of the last thirteen months and those to come, the latest first."""

    items = fields.List(fields.Nested(Absence))
    days_left = fields.Integer(
        metadata={"description": "Of the 42 days of twelve months, those that are not announced yet."},
    )
