"""What a player may have answered for a whole game: draw at once; fight the wars in the order of the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.rules.auto_answer import AutoAnswer
from service.rules.games.bastards_inc.actions import Action, Draw, OrderWars
from service.rules.games.bastards_inc.terms import REGIONS
from service.rules.typeset import typeset


def draw_at_once(_: Mapping[str, Any], legal: Sequence[Action]) -> Action | None:
    """Return the draw without a bonus, where cards are drawn (B-20)."""
    return next((each for each in legal if each == Draw(bonus=0)), None)


def wars_in_order(view: Mapping[str, Any], legal: Sequence[Action]) -> Action | None:
    """Return the order of the board, where the order of the wars is asked for (B-42)."""
    in_order = OrderWars(regions=tuple(region for region in REGIONS if region in view["wars"]))
    return next((each for each in legal if each == in_order), None)


AUTO_ANSWERS = (
    AutoAnswer(
        name="draw-at-once",
        describe={
            "en": "Always draw without discarding and without a bonus",
            "de": "Immer ziehen, ohne abzuwerfen und ohne Bonus",
            "fr": typeset("Toujours piocher, sans défausser et sans bonus"),
        },
        answer=draw_at_once,
    ),
    AutoAnswer(
        name="wars-in-order",
        describe={
            "en": "Always fight the wars from the top of the pyramid to its foot",
            "de": "Kriege immer von der Spitze der Pyramide nach unten führen",
            "fr": typeset("Toujours mener les guerres du sommet de la pyramide à sa base"),
        },
        answer=wars_in_order,
    ),
)
