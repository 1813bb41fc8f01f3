"""Schemas of the replay of a game: its steps, and the table at a moment."""

from __future__ import annotations

from marshmallow import fields

from schemas.answer import Answer
from schemas.fields import Text
from schemas.play import InLanguage, Table

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
