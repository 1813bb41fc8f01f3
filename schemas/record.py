"""Shapes of what proves a game: its proof, the keys that seal, the days' roots."""

from __future__ import annotations

from datetime import date
from typing import Any

from marshmallow import Schema, fields

from schemas.fields import Number, Text
from schemas.play import Answer

DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


class Day(Text):
    """A day as ISO 8601 has it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(least=10, most=10, pattern=DAY, **kwargs)

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the day, or raise ValidationError."""
        text = super().deserialize(value, *args, **kwargs)
        try:
            return date.fromisoformat(text) if isinstance(text, str) else text
        except ValueError:
            raise self.make_error("invalid") from None


class RecordWanted(Schema):
    """Whose record of a game is wanted."""

    seat = Number(
        least=0,
        most=15,
        metadata={
            "description": "What this seat knew, step by step; others' only after the end. When absent it is all that "
            "there is of a game that is over, and one's own view of one that is not."
        },
    )


class RecordsWanted(Schema):
    """A page of one's records."""

    after = fields.UUID(metadata={"description": "The id of the last game of the page before."})
    limit = Number(least=1, most=20, metadata={"description": "The most records to answer with; 10 when absent."})


class OwnChance(Answer):
    """A seat's own value of chance."""

    seat = fields.Integer(required=True)
    drawn_by = fields.String(required=True, metadata={"description": "`client` or `server`"})
    nonce = fields.String(required=True, allow_none=True, metadata={"description": "Null until the game is over."})


class Happened(Answer):
    """What happened, by its name, and its fields."""

    type = fields.String(required=True)
    data = fields.Dict(required=True)


class LobbyEvent(Answer):
    """What happened at the table before the game began, and the head of the hash chain over that."""

    seq = fields.Integer(required=True)
    at = fields.DateTime(required=True, metadata={"description": "To the millisecond; it is in the chain too."})
    seat = fields.Integer(
        required=True, allow_none=True, metadata={"description": "Who caused it; null where the game began by itself."}
    )
    event = fields.Nested(Happened, required=True)
    head = fields.String(required=True)


class Seal(Answer):
    """A signature over the head of a record, as its last line has it."""

    algorithm = fields.String(required=True)
    at = fields.DateTime(required=True, metadata={"description": "To the millisecond; it is signed too."})
    head = fields.String(required=True)
    key = fields.String(required=True)
    public = fields.String(required=True)
    signature = fields.String(required=True)


class SealDay(Answer):
    """A day of UTC that is over: the root of the tree (RFC 6962) over its seals, and how many they are."""

    day = fields.Date(required=True)
    root = fields.String(required=True)
    count = fields.Integer(required=True)


class Inclusion(SealDay):
    """The day on which a game was sealed, and the way from its seal to the root."""

    index = fields.Integer(required=True, metadata={"description": "The place of the game's leaf, from 0."})
    path = fields.List(fields.String(), required=True, metadata={"description": "Hashes, the leaf's neighbour first."})


class Proof(Answer):
    """What proves that a game is what it is said to be; hashes, keys and nonces in hex."""

    game = fields.UUID(required=True)
    origin = fields.String(required=True, metadata={"description": "`here`, or `import` where only its record is."})
    version = fields.Integer(required=True, metadata={"description": "The number of the last event."})
    head = fields.String(required=True, allow_none=True, metadata={"description": "The head of its hash chain."})
    commitment = fields.String(required=True, metadata={"description": "To the seed, from before anybody joined."})
    seed = fields.String(required=True, allow_none=True, metadata={"description": "Null until the game is over."})
    seats = fields.List(fields.Nested(OwnChance), required=True)
    lobby = fields.List(
        fields.Nested(LobbyEvent),
        required=True,
        metadata={"description": "From the opening on; its last head is in the game's first event. [] in old games."},
    )
    seal = fields.Nested(Seal, required=True, allow_none=True, metadata={"description": "Made after the end."})
    day = fields.Nested(
        Inclusion, required=True, allow_none=True, metadata={"description": "Null until that day is over."}
    )


class SealKey(Answer):
    """A public key, and from when until when it sealed; `until` is null while it is in use."""

    id = fields.String(required=True)
    key = fields.String(required=True)
    since = fields.DateTime(required=True)
    until = fields.DateTime(required=True, allow_none=True)


class SealKeys(Answer):
    """Every key that ever sealed a record, the oldest first."""

    keys = fields.List(fields.Nested(SealKey), required=True)


class SealDaysWanted(Schema):
    """A page of the days."""

    after = Day(metadata={"description": "`next` of the page before."})
    limit = Number(least=1, most=400, metadata={"description": "The most days to answer with; 100 when absent."})


class SealDays(Answer):
    """A page of days with seals, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(SealDay), required=True)
    next = fields.String(required=True, allow_none=True)
