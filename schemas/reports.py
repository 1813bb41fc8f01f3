"""Schemas of reports: what players bring to those who run the service."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from schemas.answer import Answer
from schemas.fields import Cursor, Text, Whole, needing
from schemas.pages import Page, PageLimit
from service.texts.names import HANDLE_MAX_LENGTH, HANDLE_MIN_LENGTH, HANDLE_PATTERN

ABOUT = ("talk", "name", "profile", "tournament")
NEEDED: Final = {
    "talk": ("game", "number"),
    "name": ("game", "seat"),
    "profile": ("handle",),
    "tournament": ("tournament",),
}
"""The fields that say what a report is about: where it is, and for a table also what it is there."""


class NewReport(Schema):
    """A report: of the remark `number`, the name of the player in `seat`, a profile, or the title of a tournament."""

    game = fields.UUID(metadata={"description": "The game, with `about` talk or name."})
    about = fields.String(required=True, validate=validate.OneOf(ABOUT))
    number = Whole(least=1, metadata={"description": "The number of the remark, with `about` talk."})
    seat = Whole(least=0, metadata={"description": "The seat of the player, with `about` name."})
    handle = Text(
        least=HANDLE_MIN_LENGTH,
        most=HANDLE_MAX_LENGTH,
        pattern=HANDLE_PATTERN,
        metadata={"description": "The handle, with `about` profile."},
    )
    tournament = fields.UUID(metadata={"description": "The tournament, with `about` tournament."})
    text = Text(least=1, most=500, required=True, metadata={"description": "What is wrong with it."})

    TOGETHER: ClassVar = {
        "allOf": [
            {"if": {"properties": {"about": {"const": about}}}, "then": needing(*needed)}
            for about, needed in NEEDED.items()
        ]
    }

    @validates_schema
    def fits(self, posted: dict[str, Any], **_: Any) -> None:
        """Refuse a report that does not say what it is about; ValidationError."""
        for needed in NEEDED[posted["about"]]:
            if needed not in posted:
                raise ValidationError("Missing data for required field.", needed)


class Report(Answer):
    """A report of the player's own, and its answer once there is one."""

    id = fields.UUID()
    game = fields.UUID(allow_none=True, metadata={"description": "Of a remark or a name; else null."})
    tournament = fields.UUID(allow_none=True, metadata={"description": "Of a title; else null."})
    about = fields.String(validate=validate.OneOf(ABOUT))
    number = fields.Integer(allow_none=True, metadata={"description": "Of a remark; else null."})
    quoted = fields.String(metadata={"description": "What is reported, as it was at that moment."})
    text = fields.String()
    created_at = fields.DateTime()
    answer = fields.String(allow_none=True)
    answered_at = fields.DateTime(allow_none=True)


class ReportMade(Answer):
    """A report that was made."""

    id = fields.UUID()


class Reports(Page):
    """A page of the player's reports; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Report))


class ReportsWanted(Schema):
    """The reports to list."""

    after = Cursor()
    limit = PageLimit("reports", usual=100)
