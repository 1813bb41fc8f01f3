"""Schemas of computer players: their levels, and the requests that seat them."""

from __future__ import annotations

from typing import Final

from marshmallow import Schema, fields, validate

from schemas.fields import Several, Whole
from service.players import levels

LEVELS: Final = tuple(each for each in levels.LEVELS if each != "random")
"""The levels that people can choose from; a game has some of them, `levels` of the ruleset says which."""
MOST_COMPUTERS: Final = 15
"""The most computer players at a table."""
_LEVEL: Final = "How well it plays: one of `levels` of the ruleset."


class NewComputer(Schema):
    """A computer player for a free seat."""

    level = fields.String(required=True, validate=validate.OneOf(LEVELS), metadata={"description": _LEVEL})


class SubstituteComputer(NewComputer):
    """A computer player for a seat whose player has resigned or is absent."""

    seat = Whole(least=0, required=True)


def computers_wanted() -> Several:
    """Return the field of the computer players with which a game is opened."""
    return Several(
        fields.String(validate=validate.OneOf(LEVELS)),
        validate=validate.Length(max=MOST_COMPUTERS),
        metadata={
            "description": "The levels of computer players who take the next seats. If they take all seats but one's "
            "own, the game begins at once, and has no clock when `pace` is absent."
        },
    )


def level_shown() -> fields.String:
    """Return the field of a seat that tells whether a computer player sits there."""
    return fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(LEVELS),
        metadata={"description": "The level of a computer player, which the service plays; null for anybody else."},
    )
