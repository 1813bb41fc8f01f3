"""Schemas of records and proofs: the proof of a game, the keys of seals, the roots of days."""

from __future__ import annotations

from datetime import date
from typing import Any

from marshmallow import Schema, fields

from schemas.answer import Answer
from schemas.fields import Number, Text
from schemas.pages import Page, PageLimit

DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


class Day(Text):
    """A day in ISO 8601 (YYYY-MM-DD); loads as a date."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("metadata", {}).setdefault("format", "date")
        super().__init__(least=10, most=10, pattern=DAY, **kwargs)

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the day, or raise ValidationError."""
        text = super().deserialize(value, *args, **kwargs)
        try:
            return date.fromisoformat(text) if isinstance(text, str) else text
        except ValueError:
            raise self.make_error("invalid") from None


class RecordWanted(Schema):
    """The seat whose view of a game is wanted."""

    seat = Number(
        least=0,
        most=15,
        metadata={
            "description": "What this seat knew, step by step; others' only after the end. When absent it is all that "
            "there is of a game that is over, and one's own view of one that is not."
        },
    )


class RecordsWanted(Schema):
    """A page of the player's records."""

    after = fields.UUID(metadata={"description": "The id of the last game of the page before."})
    limit = PageLimit("records", most=20, usual=10)


class OwnChance(Answer):
    """The nonce of a seat."""

    seat = fields.Integer()
    drawn_by = fields.String(metadata={"description": "`client` or `server`"})
    nonce = fields.String(allow_none=True, metadata={"description": "Null until the game is over."})


class Happened(Answer):
    """An event of the lobby: its type and its fields."""

    type = fields.String()
    data = fields.Dict()


class LobbyEvent(Answer):
    """An entry of the lobby's log, and the head of the hash chain after it."""

    seq = fields.Integer()
    at = fields.DateTime(metadata={"description": "To the millisecond; it is in the chain too."})
    seat = fields.Integer(
        allow_none=True, metadata={"description": "Who caused it; null where the game began by itself."}
    )
    event = fields.Nested(Happened)
    head = fields.String()


class Seal(Answer):
    """The seal of a record: a signature over its head, as in the record's last line."""

    algorithm = fields.String()
    at = fields.DateTime(metadata={"description": "To the millisecond; it is signed too."})
    head = fields.String()
    key = fields.String()
    public = fields.String()
    signature = fields.String()


class SealDay(Answer):
    """A past day in UTC: the root of the Merkle tree (RFC 6962) over its seals, and their number."""

    day = fields.Date()
    root = fields.String()
    count = fields.Integer()


class Inclusion(SealDay):
    """The day of a game's seal, and the inclusion proof (RFC 6962) from the seal to the day's root."""

    index = fields.Integer(metadata={"description": "The place of the game's leaf, from 0."})
    path = fields.List(fields.String(), metadata={"description": "Hashes, the leaf's neighbour first."})


class Proof(Answer):
    """The proof of a game; hashes, keys and nonces are in hex."""

    game = fields.UUID()
    origin = fields.String(metadata={"description": "`here`, or `import` where only its record is."})
    version = fields.Integer(metadata={"description": "The number of the last event."})
    head = fields.String(allow_none=True, metadata={"description": "The head of its hash chain."})
    commitment = fields.String(metadata={"description": "To the seed, from before anybody joined."})
    seed = fields.String(allow_none=True, metadata={"description": "Null until the game is over."})
    seats = fields.List(fields.Nested(OwnChance))
    lobby = fields.List(
        fields.Nested(LobbyEvent),
        metadata={"description": "From the opening on; its last head is in the game's first event. [] in old games."},
    )
    seal = fields.Nested(Seal, allow_none=True, metadata={"description": "Made after the end."})
    day = fields.Nested(Inclusion, allow_none=True, metadata={"description": "Null until that day is over."})


class SealKey(Answer):
    """A public key, and the time during which it sealed records; `until` is null while it is in use."""

    id = fields.String()
    key = fields.String()
    since = fields.DateTime()
    until = fields.DateTime(allow_none=True)


class SealKeys(Answer):
    """Every key that has ever sealed a record, the oldest first."""

    keys = fields.List(fields.Nested(SealKey))


class SealDaysWanted(Schema):
    """A page of the days."""

    after = Day(metadata={"description": "`next` of the page before."})
    limit = PageLimit("days", most=400, usual=100)


class SealDays(Page):
    """A page of days with seals, the newest first; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(SealDay))
