"""Outcome of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict


class Outcome(TypedDict):
    """Result of a finished game.

    `winners` are seats; `scores` are by seat, None where a resignation has ended the game. `reason` is a kebab-case
    word for what has decided, in a game that can be decided in several ways.
    """

    winners: Sequence[int]
    scores: Sequence[int] | None
    reason: NotRequired[str]
