"""Schemas of clocks, orders, absences, seat requests and pauses."""

from __future__ import annotations

from typing import Any, ClassVar, Final, get_args

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from schemas.actions import ActionField, Either
from schemas.answer import Answer
from schemas.fields import (
    NAME_OR_TIMES,
    NO_CLOCK,
    NO_SUCH_LAPSE,
    NO_SUCH_PACE,
    NO_TIME,
    SLUG,
    Duration,
    Flag,
    PublicTimeZone,
    Text,
    Whole,
)
from service.rules.pace import LONGEST, PACES, OnLapse
from service.store.orders import MAX_ORDERS
from service.texts.games import PACE_NAMES

ON_LAPSE: Final[tuple[OnLapse, ...]] = get_args(OnLapse)
MIN_TIME_S: Final = 60
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
        validate=validate.OneOf(PACE_NAMES, error=NO_SUCH_PACE),
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
        validate=validate.OneOf(ON_LAPSE, error=NO_SUCH_LAPSE),
        metadata={"description": f"{_WHAT['on_lapse']} `stand-in` when absent."},
    )
    away = Flag(metadata={"description": f"{_WHAT['away']} true when absent."})
    take_back = Flag(metadata={"description": f"{_WHAT['take_back']} true when absent."})

    @validates_schema
    def check(self, loaded: dict[str, Any], **_: Any) -> None:
        """Raise ValidationError with a fault where the parts do not go together."""
        own = [name for name in _TIMES if name in loaded]
        if bool(own) == ("name" in loaded) or (own and not {"free", "bank"} <= set(own)):
            raise ValidationError(NAME_OR_TIMES)
        if own and loaded["free"] + loaded["bank"] < MIN_TIME_S:
            raise ValidationError(NO_TIME)
        if loaded.get("name") == "none" and len(loaded) > 1:
            raise ValidationError(NO_CLOCK)

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


# Orders (moves given ahead), and auto-answers.

POINTER = r"^(/([^~/\x00-\x1f\x7f]|~[01])*)*$"
MAX_CONDITIONS = 50


class ConditionGiven(Schema):
    """A place of the player's own view of the table, and the value that has to stand there."""

    pointer = Text(
        most=200,
        least=0,
        pattern=POINTER,
        required=True,
        metadata={"description": "A JSON Pointer (RFC 6901) into `view` of the table."},
    )
    value = fields.Raw(allow_none=True, metadata={"description": "What has to stand there; what does now when absent."})


class _Conditional(Schema):
    conditions = fields.List(
        fields.Nested(ConditionGiven),
        validate=validate.Length(max=MAX_CONDITIONS),
        metadata={
            "description": "What has to be so when it is played. When absent: all that the action rests on is as now."
        },
    )


class OrderAsJson(_Conditional):
    """A move given ahead: an action as JSON, and what has to be so when it is played."""

    action = ActionField(required=True)


class OrderAsNotation(_Conditional):
    """A move given ahead: an action in the game's notation, and what has to be so when it is played."""

    notation = Text(most=200, required=True)


class OrderGiven(Either):
    """A move given ahead, in either form."""

    either: ClassVar[tuple[Schema, ...]] = (OrderAsJson(), OrderAsNotation())


class OrdersGiven(Schema):
    """Moves given ahead, in their sequence; they take the place of all earlier ones."""

    orders = fields.List(fields.Nested(OrderGiven), required=True, validate=validate.Length(max=MAX_ORDERS))


class AutoAnswersChosen(Schema):
    """The names of the auto-answers that are to be given; they take the place of earlier ones."""

    chosen = fields.List(Text(most=60, pattern=SLUG), required=True, validate=validate.Length(max=20))


class Condition(Answer):
    """A place of the player's view, and what has to stand there."""

    pointer = fields.String()
    value = fields.Raw(allow_none=True)


class GivenOrder(Answer):
    """A move given ahead; `notation` and `text` are null where today's rules do not know the action any more."""

    action = fields.Dict()
    notation = fields.String(allow_none=True)
    text = fields.String(allow_none=True)
    conditions = fields.List(fields.Nested(Condition))
    given_at = fields.DateTime()


class DroppedOrder(GivenOrder):
    """A move given ahead that is not played any more."""

    decision = fields.Integer(metadata={"description": "The decision at which it did not fit."})
    reason = fields.String(
        metadata={
            "description": "changed: what it rested on; illegal: the rules did not allow it; follows: one before it "
            "was dropped; failed: it could not be carried out"
        },
    )
    pointer = fields.String(
        allow_none=True, metadata={"description": "The place of the view that had changed, if one had."}
    )
    detail = fields.String(metadata={"description": "Why, in the player's language."})


class AutoAnswer(Answer):
    """A kind of answer that the game offers to give for the player."""

    name = fields.String()
    text = fields.String()
    chosen = fields.Boolean()


class AutoAnswers(Answer):
    """The auto-answers that the game offers, and whether the player has chosen them."""

    items = fields.List(fields.Nested(AutoAnswer))


class Orders(Answer):
    """The player's own orders in a game, in their sequence, and those that were dropped last."""

    orders = fields.List(fields.Nested(GivenOrder))
    dropped = fields.List(fields.Nested(DroppedOrder))
    auto_answers = fields.List(fields.Nested(AutoAnswer))


# Announced absences.

ABSENCE_STATES = ("announced", "begun", "over")
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
    state = fields.String(validate=validate.OneOf(ABSENCE_STATES))


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


# Requests for seats of running games.


class NewSeatRequest(Schema):
    """A seat to ask for; its player has resigned or is absent."""

    seat = Whole(least=0, most=15, required=True, metadata={"description": "One of `unattended` of the game."})


class SeatRequest(Answer):
    """An open request for a seat of a running game."""

    id = fields.UUID()
    seat = fields.Integer()
    name = fields.String(metadata={"description": "The name of the person who asks."})
    mine = fields.Boolean(metadata={"description": "Whether it is one's own."})
    created_at = fields.DateTime()


class SeatRequests(Answer):
    """The open requests for seats of a game."""

    items = fields.List(fields.Nested(SeatRequest))


# Pauses that the players agree to.

AGREED_SEATS = {"description": "The seats that have agreed."}
MISSING_SEATS = {"description": "The seats that have to agree still; those of absent and resigned players need not."}


class PauseUntil(Schema):
    """The moment at which a pause ends by itself."""

    until = fields.AwareDateTime(
        required=True, format="iso", metadata={"description": "Within the next 30 days, to the millisecond."}
    )


class Pause(Answer):
    """A pause that a seat has proposed."""

    seat = fields.Integer(metadata={"description": "The seat that has proposed it."})
    until = fields.DateTime(metadata={"description": "When it ends, if nobody ends it before."})
    agreed = fields.List(fields.Integer(), metadata=AGREED_SEATS)
    missing = fields.List(fields.Integer(), metadata=MISSING_SEATS)


class Pauses(Answer):
    """The pause that is proposed, and the one that the game is in; null for none."""

    proposed = fields.Nested(Pause, allow_none=True)
    paused = fields.Nested(Pause, allow_none=True)
