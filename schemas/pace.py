"""Schemas of the pace of a table: as a host asks for it, and as it is shown."""

from __future__ import annotations

from typing import Any, Final, get_args

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from schemas import fault
from schemas.answer import Answer
from schemas.durations import Duration
from schemas.fields import Flag, PublicTimeZone
from service.rules.pace import LONGEST, PACES, OnLapse
from service.texts.games import PACE_NAMES

ON_LAPSE: Final[tuple[OnLapse, ...]] = get_args(OnLapse)
LEAST: Final = 60
"""The least seconds of free time and bank together: a table with less could not be played."""
_TIMES: Final = ("free", "bank", "credit", "cap")
_WHAT: Final = {
    "free": "The part of each wait that costs nothing.",
    "bank": "The store of time of each seat for all that goes beyond.",
    "credit": "What each wait that is answered in time adds to the bank.",
    "cap": "What the bank has at most by that.",
    "weekdays": "The IANA name of a time zone: no time runs on its Saturdays and Sundays. Null: time runs every day.",
    "on_lapse": "What happens when the deadline of a seat has passed: the service plays for it (`stand-in`), "
    "it resigns (`resign`), or the game ends without a result (`end`).",
    "away": "Whether the time of a player stops while an announced absence lasts.",
    "take_back": "Whether players may ask the others to agree that an action is taken back.",
}


def _duration(name: str) -> Duration:
    return Duration(most=LONGEST, metadata={"description": f"{_WHAT[name]} From PT0S to P60D."})


class NewPace(Schema):
    """The pace of a table: a `name`, or own times with `free` and `bank` at least. It loads as the fields of a Pace."""

    name = fields.String(
        validate=validate.OneOf(PACE_NAMES, error=fault.NO_SUCH_PACE),
        metadata={
            "description": "`weekly`: 2 days for each wait and a bank of 10 days; `daily`: 1 day and 4 days; `brisk`: 4"
            " hours and 1 day; `live`: a bank of 10 minutes; `none`: no clock."
        },
    )
    free = _duration("free")
    bank = _duration("bank")
    credit = _duration("credit")
    cap = _duration("cap")
    weekdays = PublicTimeZone(most=64, allow_none=True, metadata={"description": _WHAT["weekdays"]})
    on_lapse = fields.String(
        validate=validate.OneOf(ON_LAPSE, error=fault.NO_SUCH_LAPSE),
        metadata={"description": f"{_WHAT['on_lapse']} `stand-in` when absent."},
    )
    away = Flag(metadata={"description": f"{_WHAT['away']} true when absent."})
    take_back = Flag(metadata={"description": f"{_WHAT['take_back']} true when absent."})

    @validates_schema
    def check(self, loaded: dict[str, Any], **_: Any) -> None:
        """Raise ValidationError with a fault where the parts do not go together."""
        own = [name for name in _TIMES if name in loaded]
        if bool(own) == ("name" in loaded) or (own and not {"free", "bank"} <= set(own)):
            raise ValidationError(fault.NAME_OR_TIMES)
        if own and loaded["free"] + loaded["bank"] < LEAST:
            raise ValidationError(fault.NO_TIME)
        if loaded.get("name") == "none" and len(loaded) > 1:
            raise ValidationError(fault.NO_CLOCK)

    @post_load
    def times(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any] | None:
        """Return the fields of a Pace; None for no clock. Own times without `cap` have that of their bank."""
        name = loaded.pop("name", None)
        if name == "none":
            return None
        if name is None:
            return {"credit": 0, "cap": loaded["bank"]} | loaded
        return {each: getattr(PACES[name], each) for each in _TIMES} | loaded


class ShownPace(Answer):
    """The pace of a table; durations as in ISO 8601."""

    name = fields.String(
        allow_none=True,
        validate=validate.OneOf(PACE_NAMES[1:]),
        metadata={"description": "Null: the times are the table's own."},
    )
    free = fields.String(metadata={"format": "duration", "description": _WHAT["free"]})
    bank = fields.String(metadata={"format": "duration", "description": _WHAT["bank"]})
    credit = fields.String(metadata={"format": "duration", "description": _WHAT["credit"]})
    cap = fields.String(metadata={"format": "duration", "description": _WHAT["cap"]})
    weekdays = fields.String(allow_none=True, metadata={"description": _WHAT["weekdays"]})
    on_lapse = fields.String(metadata={"description": _WHAT["on_lapse"]})
    away = fields.Boolean(metadata={"description": _WHAT["away"]})
    take_back = fields.Boolean(metadata={"description": _WHAT["take_back"]})
    text = fields.String(metadata={"description": "In words, in the player's language."})


def pace_shown() -> fields.Nested:
    """Return a new field for the pace of a table."""
    what = {"description": "The clock of the table; null for none."}
    return fields.Nested(ShownPace, required=True, allow_none=True, metadata=what)


class SeatClock(Answer):
    """The clock of a seat, and whether its player is there."""

    seat = fields.Integer()
    deadline = fields.DateTime(
        allow_none=True,
        metadata={"description": "When its free time and bank are used up. Null: it is not awaited, or no time runs."},
    )
    bank = fields.String(
        metadata={
            "format": "duration",
            "description": "What its bank held when its wait began. While it waits there is at most as much in it as "
            "there is time until the deadline.",
        },
    )
    absent = fields.Boolean(
        metadata={"description": "Its time has lapsed three times in a row: the service plays for it."}
    )
    away_until = fields.DateTime(
        allow_none=True, metadata={"description": "Until when its player is away, as announced."}
    )
    stood_in = fields.Boolean(metadata={"description": "Whether the service plays for it now."})


class GameClock(Answer):
    """The clocks of a game, as of its last event."""

    paused_until = fields.DateTime(
        allow_none=True, metadata={"description": "When the pause ends in which nobody's time runs."}
    )
    seats = fields.List(fields.Nested(SeatClock))
