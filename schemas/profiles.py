"""Schemas of profiles."""

from __future__ import annotations

from marshmallow import fields

from schemas.answer import Answer
from schemas.leaderboards import PlayerRating

_BOUND = "Figures are of the last 200 games that are over."


class GamesPlayed(Answer):
    """How many games of a ruleset, with so many seats, a player has played to their end."""

    ruleset = fields.String()
    seats = fields.Integer()
    games = fields.Integer()


class GamesCounted(GamesPlayed):
    """How games of a ruleset, with so many seats, ended for a player."""

    computers = fields.Boolean(metadata={"description": "Whether the player was the only person at the table."})
    won = fields.Integer(metadata={"description": "How many of the games the player has won."})
    points = fields.Float(allow_none=True, metadata={"description": "Points a game, on average."})
    best = fields.Integer(allow_none=True, metadata={"description": "The most points in one game."})


class PointsMade(Answer):
    """Points that a player has made in one way, in games of a ruleset among people."""

    ruleset = fields.String()
    source = fields.String(metadata={"description": "What they were made with; the same in all languages."})
    label = fields.String(metadata={"description": "The name of it, in the language of the account."})
    points = fields.Integer()


class PlayerAnswers(Answer):
    """How a player answers."""

    games = fields.Integer(metadata={"description": f"The games that are counted. {_BOUND}"})
    deadlines = fields.Integer(metadata={"description": "Deadlines that the player was given."})
    kept = fields.Integer(metadata={"description": "Those that the player has kept."})
    moves_per_day = fields.Float(
        metadata={"description": "Moves a day, from the beginning of the first of the games on."}
    )
    median = fields.Integer(
        allow_none=True,
        metadata={"description": "Seconds from being asked to the answer, in the middle of all answers."},
    )
    fastest = fields.Integer(allow_none=True, metadata={"description": "The least of these seconds."})


class GameOverOpponent(Answer):
    """Another player of a game; the `handle` is null where it is not for everybody."""

    name = fields.String()
    handle = fields.String(allow_none=True)


class GameOver(Answer):
    """How a game ended for a player; which game it is, and with whom, only where the reader may see the table."""

    game = fields.UUID(allow_none=True)
    name = fields.String(allow_none=True)
    others = fields.List(fields.Nested(GameOverOpponent))
    ruleset = fields.String()
    seats = fields.Integer()
    computers = fields.Boolean()
    place = fields.Integer(
        allow_none=True, metadata={"description": "1 for who has won; null where nothing was counted."}
    )
    won = fields.Boolean()
    left = fields.Boolean(metadata={"description": "Whether the player has left the seat to another person."})
    points = fields.Integer(allow_none=True)
    scores = fields.List(
        fields.Integer(),
        allow_none=True,
        metadata={
            "description": "The points of all: the player's, those of `others` in their order, then an automaton's. "
            "Null where nothing was counted, and where the reader may not see the table."
        },
    )
    rating_change = fields.Integer(
        allow_none=True,
        metadata={"description": "What the game has done to the player's rating; null if it was not rated."},
    )
    ended_at = fields.DateTime()


class Profile(Answer):
    """An account as others may see it."""

    handle = fields.String()
    name = fields.String()
    bot = fields.Boolean()
    since = fields.Date(metadata={"description": "The day on which the account was made, in UTC."})
    played = fields.List(
        fields.Nested(GamesPlayed),
        metadata={"description": "Games that are over, in which the player has a seat; imported ones are not counted."},
    )
    results = fields.List(fields.Nested(GamesCounted), metadata={"description": _BOUND})
    sources = fields.List(
        fields.Nested(PointsMade),
        metadata={"description": f"What points were made with, as far as rulesets tell. {_BOUND}"},
    )
    answers = fields.Nested(PlayerAnswers)
    ratings = fields.List(
        fields.Nested(PlayerRating),
        metadata={"description": "One for each ruleset and number of players, those with the most games first."},
    )
    last = fields.List(fields.Nested(GameOver), metadata={"description": "The last ten games, the newest first."})
