"""Schemas of leaderboards."""

from __future__ import annotations

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from schemas.answer import Answer
from schemas.fields import CURSOR, FullMatch
from schemas.pages import PageLimit

_FORM = struct.Struct(">dqQ")


class RatingCursor(fields.String):
    """A place in a leaderboard; opaque to clients, loads as (place, what is almost sure, id)."""

    def __init__(self, **kwargs: Any) -> None:
        given_out = FullMatch(CURSOR, error="Not a cursor that was given out.")
        super().__init__(validate=[validate.Length(max=32), given_out], **kwargs)

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the place, or raise ValidationError."""
        said = super().deserialize(value, *args, **kwargs)
        if not isinstance(said, str):
            return said
        sure, identity, place = _FORM.unpack(urlsafe_b64decode(said))
        if not (abs(sure) < 1e6 and identity >= 0 and place < 2**31):
            raise ValidationError("Not a cursor that was given out.")
        return place, sure, identity


def rating_cursor(place: int, sure: float, identity: int) -> str:
    """Return the cursor of a place in a leaderboard."""
    return urlsafe_b64encode(_FORM.pack(sure, identity, place)).decode()


class LeaderboardWanted(Schema):
    """The page of a leaderboard to show."""

    provisional = fields.String(
        validate=validate.OneOf(("true", "false")),
        metadata={"description": "The players with fewer than ten rated games instead of the others."},
    )
    after = RatingCursor(metadata={"description": "`next` of the page before, for the same `provisional`."})
    limit = PageLimit("players")


class Rated(Answer):
    """A rating."""

    number = fields.Integer(metadata={"description": "1500 for a newcomer."})
    margin = fields.Integer(metadata={"description": "The uncertainty: one standard deviation."})
    games = fields.Integer(metadata={"description": "How many rated games it follows from."})
    provisional = fields.Boolean(
        metadata={"description": "Whether those are fewer than ten, or against fewer than five people."},
    )


class PlayerRating(Rated):
    """A player's rating for a ruleset and a number of players, and how it came about."""

    ruleset = fields.String()
    seats = fields.Integer()
    course = fields.List(
        fields.Integer(),
        metadata={"description": "The numbers after each of the last rated games, 100 at most; the latest one last."},
    )
    since = fields.DateTime(allow_none=True, metadata={"description": "When the first game of the `course` was over."})
    until = fields.DateTime(allow_none=True, metadata={"description": "When the last game of the `course` was over."})
    change = fields.Integer(allow_none=True, metadata={"description": "What the last game has done to the number."})


class RatedPlayer(Rated):
    """A player in a leaderboard."""

    place = fields.Integer(metadata={"description": "1 for the best."})
    name = fields.String(allow_none=True, metadata={"description": "Null for a player whose profile is not public."})
    handle = fields.String(allow_none=True, metadata={"description": "Null as well without a handle."})
    own = fields.Boolean(metadata={"description": "Whether it is oneself."})


class LeaderboardListed(Answer):
    """A leaderboard: the ruleset and the number of players that its ratings are of."""

    ruleset = fields.String()
    title = fields.String()
    seats = fields.Integer()
    own = fields.Nested(Rated, allow_none=True, metadata={"description": "One's own rating; null without one."})


class Leaderboards(Answer):
    """All leaderboards."""

    items = fields.List(fields.Nested(LeaderboardListed))


class OwnPlace(Rated):
    """One's own rating and place."""

    place = fields.Integer(
        allow_none=True,
        metadata={"description": "Null for a provisional rating, and beyond the first 10 000."},
    )


class Leaderboard(Answer):
    """A page of a leaderboard; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(RatedPlayer))
    own = fields.Nested(OwnPlace, allow_none=True, metadata={"description": "One's own; null without a rating."})
    next = fields.String(allow_none=True)
