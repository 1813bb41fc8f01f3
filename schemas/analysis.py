"""Schemas of the analysis of a finished game."""

from __future__ import annotations

from marshmallow import fields, validate

from schemas.answer import Answer

_CHANCE = {"description": "A chance to win, from 0 to 1."}


class AnalysedMove(Answer):
    """An action in the notation, and in a sentence."""

    notation = fields.String(required=True)
    text = fields.String(required=True)


class AnalysedPoint(Answer):
    """Everybody's chance to win after a step, by seat."""

    seq = fields.Integer(required=True, metadata={"description": "The number of the step's last event."})
    public = fields.List(
        fields.Float(), required=True, metadata={"description": "By what all could know; by seat, from 0 to 1."}
    )
    open = fields.List(fields.Float(), required=True, metadata={"description": "With all cards open; as `public`."})


class TurningPoint(Answer):
    """A step with which the chance of a seat has changed much, by what all could know."""

    seq = fields.Integer(required=True, metadata={"description": "The number of the step's last event."})
    seat = fields.Integer(required=True)
    before = fields.Float(required=True, metadata=_CHANCE)
    after = fields.Float(required=True, metadata=_CHANCE)


class LostChance(Answer):
    """A move that lost a part of its seat's chance to win, as a range over two budgets of the estimate."""

    seq = fields.Integer(required=True, metadata={"description": "The number of the step's last event."})
    seat = fields.Integer(required=True)
    played = fields.Nested(AnalysedMove, required=True)
    better = fields.Nested(AnalysedMove, required=True)
    least = fields.Float(required=True)
    most = fields.Float(required=True)
    mistake = fields.Boolean(required=True, metadata={"description": "Whether both budgets call it a mistake."})


class Analysis(Answer):
    """The analysis of a finished game: estimates of a computer player that looks one move ahead, never the truth."""

    state = fields.String(
        required=True,
        validate=validate.OneOf(["none", "asked", "ready"]),
        metadata={"description": "`none`: nobody has asked for it. `asked`: it is being made."},
    )
    fitted = fields.Boolean(
        metadata={"description": "Whether chances rest on a value fitted to self-play, or else on the points alone."}
    )
    points = fields.List(fields.Nested(AnalysedPoint))
    turning_points = fields.List(fields.Nested(TurningPoint))
    lost = fields.List(fields.Nested(LostChance), metadata={"description": "The moves that lost most, worst first."})
