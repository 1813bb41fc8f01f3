"""Schemas of the deals of days: what is committed to, one's own try, results, and tables of weeks and months."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any
from uuid import UUID

from marshmallow import Schema, ValidationError, fields, validate

from schemas.answer import Answer
from schemas.fields import INT32, FullMatch, Text
from schemas.pages import Page, PageLimit
from schemas.record import Day

PERIODS = ("week", "month")
STATES = ("ahead", "running", "over")
_PLACE = r"^[A-Za-z0-9_-]{40}$"
_SIGN = 2**31
_FORGED = "Not a cursor that was given out."


class PlaceInTable(fields.String):
    """A place in a table; opaque to clients, loads as (figure, whether won, player, place, rows until there)."""

    def __init__(self, **kwargs: Any) -> None:
        given_out = FullMatch(_PLACE, error=_FORGED)
        super().__init__(validate=[validate.Length(max=40), given_out], **kwargs)

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the place, or raise ValidationError."""
        text = super().deserialize(value, *args, **kwargs)
        if not isinstance(text, str):
            return text
        data = urlsafe_b64decode(text)
        figure, place, rows = (int.from_bytes(data[at : at + 4], "big") for at in (0, 21, 25))
        if max(place, rows) > INT32:
            raise ValidationError(_FORGED)
        return figure - _SIGN, bool(data[4]), UUID(bytes=data[5:21]), place, rows


def place_cursor(figure: int, won: bool, player: UUID, place: int, rows: int) -> str:
    """Return the cursor of a place in a table; a byte more spares it the sign for the rest."""
    begin = (figure + _SIGN).to_bytes(4, "big") + bytes([won]) + player.bytes
    return urlsafe_b64encode(begin + place.to_bytes(4, "big") + rows.to_bytes(4, "big") + b"\0").decode()


class NewTry(Schema):
    """A try of today's deal."""

    nonce = Text(
        least=32,
        most=64,
        pattern=r"^([0-9a-f]{2})+$",
        metadata={"description": "The seat's own value, as in any game; it does not change the cards of a deal."},
    )


class TryResult(Answer):
    """What a try came to."""

    margin = fields.Integer(
        allow_none=True,
        metadata={"description": "Points ahead of the automaton; null without a result."},
    )
    won = fields.Boolean(allow_none=True)
    points = fields.Integer(allow_none=True)


class OwnTry(TryResult):
    """One's own try of a deal."""

    game = fields.UUID()
    begun_at = fields.DateTime()
    ended_at = fields.DateTime(allow_none=True)
    place = fields.Integer(
        allow_none=True,
        metadata={"description": "Null without a result, and for accounts without a handle, which stand in no table."},
    )
    named = fields.Boolean(metadata={"description": "Whether the account stands in tables."})


class BestKnown(TryResult):
    """The best result of a computer player, of several games with the same cards."""

    level = fields.String()
    version = fields.Integer(metadata={"description": "The version of the computer players."})


class PlayedDeal(Answer):
    """What is played in the deal of a day, and the commitment to its seed."""

    day = fields.Date()
    ruleset = fields.String()
    seats = fields.Integer()
    options = fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True))
    commitment = fields.String(metadata={"description": "SHA-256 over the seed, in hex."})


class Deal(PlayedDeal):
    """The deal of a day, as one may see it."""

    state = fields.String(validate=validate.OneOf(STATES))
    ends_at = fields.DateTime()
    played = fields.Integer(metadata={"description": "How many people have a result."})
    results_shown = fields.Boolean(metadata={"description": "Whether one's own try, or the day, is over."})
    own = fields.Nested(OwnTry, allow_none=True)
    best = fields.Nested(
        BestKnown,
        allow_none=True,
        metadata={"description": "Null until results are shown, and until computer players have tried the deal."},
    )


class WayToRoot(Answer):
    """A day's root, and the way from the signature of a deal to it."""

    day = fields.Date()
    root = fields.String()
    count = fields.Integer()
    index = fields.Integer()
    path = fields.List(fields.String())


class DealProof(PlayedDeal):
    """What proves the deal of a day; `boardroom verify --deal` reads it."""

    at = fields.DateTime(metadata={"description": "When it was signed."})
    public = fields.String(metadata={"description": "The public key that it was signed with, in hex."})
    signature = fields.String(metadata={"description": "Ed25519, in hex."})
    seed = fields.String(allow_none=True, metadata={"description": "Null until the day is over."})
    tree = fields.Nested(WayToRoot, allow_none=True)


class DealsWanted(Schema):
    """A page of days."""

    after = Day(metadata={"description": "`next` of the page before."})
    limit = PageLimit("days")


class DealsListed(Page):
    """A page of deals whose day is over, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(PlayedDeal))


class ResultsWanted(Schema):
    """A page of results."""

    players = fields.String(
        validate=validate.OneOf(("people", "bots")), metadata={"description": "Whose results; people's when absent."}
    )
    after = PlaceInTable(metadata={"description": "`next` of the page before."})
    limit = PageLimit("rows")


class _Placed(Answer):
    place = fields.Integer(metadata={"description": "Equal results share a place."})
    name = fields.String(allow_none=True, metadata={"description": "Null for those who do not show their profile."})
    handle = fields.String(allow_none=True)
    you = fields.Boolean()


class PlacedResult(_Placed, TryResult):
    """A row of a day's table."""


class DealResults(Page):
    """A page of a day's table; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(PlacedResult))


class StandingsWanted(Schema):
    """A page of the table of a week or a month."""

    period = fields.String(
        validate=validate.OneOf(PERIODS),
        metadata={"description": "`week`, from Monday on, or `month`; `week` when absent."},
    )
    day = Day(metadata={"description": "A day of it; today when absent."})
    after = PlaceInTable(metadata={"description": "`next` of the page before."})
    limit = PageLimit("rows")


class PlacedTotal(_Placed):
    """A row of the table of a week or a month."""

    total = fields.Integer(metadata={"description": "The sum of the best margins: five of a week, twenty of a month."})
    days = fields.Integer(metadata={"description": "On how many days there was a result."})


class DealStandings(Answer):
    """A page of the table of a week or a month; ask again with `after` = `next` unless that is null."""

    period = fields.String(validate=validate.OneOf(PERIODS))
    since = fields.Date()
    items = fields.List(fields.Nested(PlacedTotal))
    next = fields.String(allow_none=True)


class TriedDay(TryResult):
    """One's own try of the deal of a day, and the best result of a computer player."""

    day = fields.Date()
    game = fields.UUID()
    ended_at = fields.DateTime(allow_none=True)
    best = fields.Nested(BestKnown, allow_none=True)


class Series(Page):
    """A page of one's own tries, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(TriedDay))
