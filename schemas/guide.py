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

    href = fields.String(required=True, metadata={"description": "Where it is found as SVG."})
    caption = fields.String(required=True, metadata={"description": "What is on it, for whoever does not see it."})
    text = fields.String(required=True, metadata={"description": "What is to be noticed there."})


class GuidePoint(Answer):
    """One of several things that a chapter explains one by one."""

    title = fields.String(required=True)
    text = fields.String(required=True)


class GuideChapter(Answer):
    """A chapter of the guide, in plain text."""

    name = fields.String(required=True, metadata={"description": "The same in every language."})
    title = fields.String(required=True)
    paragraphs = fields.List(fields.String(), required=True)
    points = fields.List(fields.Nested(GuidePoint), required=True)
    pictures = fields.List(fields.Nested(GuidePicture), required=True)


class GuideTerm(Answer):
    """A word of the game, and the sentence that explains it."""

    name = fields.String(required=True, metadata={"description": "The same in every language."})
    word = fields.String(required=True)
    short = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "What is written for it where there is little room; null: the word itself."},
    )
    sentence = fields.String(required=True)


class Guide(Answer):
    """How a game is played; the first paragraph of the first chapter says what it is."""

    ruleset = fields.String(required=True)
    title = fields.String(required=True)
    language = fields.String(required=True)
    picture = fields.Nested(GuidePicture, required=True, metadata={"description": "The game at a glance."})
    chapters = fields.List(fields.Nested(GuideChapter), required=True)
    terms = fields.List(fields.Nested(GuideTerm), required=True, metadata={"description": "By the alphabet."})
    actions = fields.List(
        fields.String(), required=True, metadata={"description": "The names of the terms of what one does on a turn."}
    )
