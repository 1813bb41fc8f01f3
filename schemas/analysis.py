"""Schemas of the analysis of a finished game."""

from __future__ import annotations

from marshmallow import fields, validate

from schemas.answer import Answer, optional

_CHANCE = {"description": "A chance to win, from 0 to 1."}


class AnalysedMove(Answer):
    """An action in the notation, and in a sentence."""

    notation = fields.String()
    text = fields.String()


class AnalysedPoint(Answer):
    """Everybody's chance to win after a step, by seat."""

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
