"""Measures drawn of a finished game."""

from __future__ import annotations

from service.rules.kernel import Measure

MEASURES = (
    Measure(
        name="points",
        title={
            "en": "Points",
            "de": "Punkte",
            "fr": "Points",
        },
        count=lambda state: state.points,
    ),
    Measure(
        name="hands",
        title={
            "en": "Cards",
            "de": "Karten",
            "fr": "Cartes",
        },
        count=lambda state: tuple(map(len, state.hands)),
    ),
)
