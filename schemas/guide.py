"""Schemas of the guide to the rules of a game."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.answer import Answer
from schemas.fields import LANGUAGE, Text


class GuideWanted(Schema):
    """The language of the guide."""

    language = Text(
        least=2,
        most=2,
        pattern=LANGUAGE,
        metadata={"description": "Two letters; the game's first when absent, or when the game has not got it."},
    )


class GuidePicture(Answer):
    """A picture in the guide: a table, and what to notice there."""

    href = fields.String(metadata={"description": "Where it is found as SVG."})
    caption = fields.String(metadata={"description": "What is on it, for whoever does not see it."})
    text = fields.String(metadata={"description": "What is to be noticed there."})


class GuidePoint(Answer):
    """One of several things that a chapter explains one by one."""

    title = fields.String()
    text = fields.String()


class GuideChapter(Answer):
    """A chapter of the guide, in plain text."""

    name = fields.String(metadata={"description": "The same in every language."})
    title = fields.String()
    paragraphs = fields.List(fields.String())
    points = fields.List(fields.Nested(GuidePoint))
    pictures = fields.List(fields.Nested(GuidePicture))


class GuideTerm(Answer):
    """A word of the game, and the sentence that explains it."""

    name = fields.String(metadata={"description": "The same in every language."})
    word = fields.String()
    short = fields.String(
        allow_none=True,
        metadata={"description": "What is written for it where there is little room; null: the word itself."},
    )
    sentence = fields.String()


class Guide(Answer):
    """How a game is played; the first paragraph of the first chapter says what it is."""

    ruleset = fields.String()
    title = fields.String()
    language = fields.String()
    picture = fields.Nested(GuidePicture, metadata={"description": "The game at a glance."})
    chapters = fields.List(fields.Nested(GuideChapter))
    terms = fields.List(fields.Nested(GuideTerm), metadata={"description": "By the alphabet."})
    actions = fields.List(
        fields.String(), metadata={"description": "The names of the terms of what one does on a turn."}
    )
