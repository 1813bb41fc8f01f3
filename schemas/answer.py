"""The schema that all answers of the API go back to."""

from __future__ import annotations

from marshmallow import INCLUDE, Schema


class Answer(Schema):
    """The base of all answers; clients have to accept fields that they do not know."""

    class Meta:
        """Answers may get new fields."""

        unknown = INCLUDE
