"""Schemas of records and their proofs, replays, and analyses."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.answer import Answer, Page, PageLimit, optional
from schemas.fields import Day, Number, Text
from schemas.play import InLanguage, Table


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


# The replay of a game: its steps, and the table at a moment.

EYES = r"^([0-9]|spectator)$"


class ReplayViewer(InLanguage):
    """The viewer whose view of the game is wanted."""

    seat = Text(
        most=9,
        pattern=EYES,
        metadata={
            "description": "The number of a seat, or `spectator`; one's own when absent. While the game runs there is "
            "no other choice."
        },
    )


class ReplayStep(Answer):
    """The events appended to the log at once: the setup, an action with its consequences, a resignation, and so on."""

    seq = fields.Integer(metadata={"description": "The number of its first event."})
    last = fields.Integer(metadata={"description": "The number of its last event."})
    turn = fields.Integer(metadata={"description": "The turn it was done in; 0 before the first."})
    at = fields.DateTime()
    actor = fields.Integer(
        allow_none=True,
        metadata={"description": "The seat that caused it; null where no player or automaton did."},
    )
    decision = fields.Integer()
    notation = fields.String(
        allow_none=True,
        metadata={"description": "The action; null where there was none, or while it is not for the viewer to know."},
    )
    text = fields.String()
    taken_back = fields.Boolean(metadata={"description": "Whether it was taken back later."})


class Replay(Answer):
    """All steps of a game, as one viewer may know them."""

    version = fields.Integer()
    seat = fields.Integer(allow_none=True, metadata={"description": "The viewer's; null: a spectator."})
    plots = fields.List(
        fields.String(),
        metadata={"description": "What is counted over the game and can be drawn; empty while it runs."},
    )
    items = fields.List(fields.Nested(ReplayStep))


class Moment(Answer):
    """The table as one viewer saw it after an event."""

    seq = fields.Integer()
    previous = fields.Integer(
        allow_none=True, metadata={"description": "The last event of the step before, if there is one."}
    )
    next = fields.Integer(
        allow_none=True, metadata={"description": "The last event of the next step, if there is one."}
    )
    step = fields.Nested(ReplayStep, metadata={"description": "The step that the event belongs to."})
    table = fields.Nested(Table)


# The analysis of a finished game.

_CHANCE = {"description": "A chance to win, from 0 to 1."}


class AnalysedMove(Answer):
    """An action in the notation, and in a sentence."""

    notation = fields.String()
    text = fields.String()


class AnalysedPoint(Answer):
    """The chance of each seat to win after a step."""

    seq = fields.Integer(metadata={"description": "The number of the step's last event."})
    public = fields.List(fields.Float(), metadata={"description": "By what all could know; by seat, from 0 to 1."})
    open = fields.List(fields.Float(), metadata={"description": "With all cards open; as `public`."})


class TurningPoint(Answer):
    """A step with which the chance of a seat has changed much, by what all could know."""

    seq = fields.Integer(metadata={"description": "The number of the step's last event."})
    seat = fields.Integer()
    before = fields.Float(metadata=_CHANCE)
    after = fields.Float(metadata=_CHANCE)


class LostChance(Answer):
    """A move that lost a part of its seat's chance to win, as a range over two budgets of the estimate."""

    seq = fields.Integer(metadata={"description": "The number of the step's last event."})
    seat = fields.Integer()
    played = fields.Nested(AnalysedMove)
    better = fields.Nested(AnalysedMove)
    least = fields.Float()
    most = fields.Float()
    mistake = fields.Boolean(metadata={"description": "Whether both budgets call it a mistake."})


class Analysis(Answer):
    """The analysis of a finished game: estimates of a computer player that looks one move ahead, never the truth."""

    state = fields.String(
        validate=validate.OneOf(["none", "asked", "ready"]),
        metadata={"description": "`none`: nobody has asked for it. `asked`: it is being made."},
    )
    fitted = optional(
        fields.Boolean(
            metadata={
                "description": "Whether chances rest on a value fitted to self-play, or else on the points alone."
            }
        )
    )
    points = optional(fields.List(fields.Nested(AnalysedPoint)))
    turning_points = optional(fields.List(fields.Nested(TurningPoint)))
    lost = optional(
        fields.List(fields.Nested(LostChance), metadata={"description": "The moves that lost most, worst first."})
    )
