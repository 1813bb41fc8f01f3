"""The 18 events: their effects in the order of the card (B-40, B-41)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from service.rules.games.bastards_inc.terms import EventCard, Region, Score

Kind = Literal["war", "stuff", "peace", "tax", "subsidy", "award", "famine", "disaster", "boom", "threshold", "amnesty"]


class Effect(NamedTuple):
    """One effect of an event: what, where, of which score, how much."""

    kind: Kind
    region: Region | None = None
    score: Score | None = None
    number: int = 0


EVENT_DATA: Mapping[EventCard, tuple[Effect, ...]] = {
    "e01": (
        Effect("war", region="KOR"),
        Effect("stuff", region="TIG", number=-2),
        Effect("stuff", region="POO", number=-1),
    ),
    "e02": (
        Effect("war", region="ROG"),
        Effect("stuff", region="POO", number=-2),
        Effect("stuff", region="KOR", number=-1),
    ),
    "e03": (
        Effect("war", region="ROG"),
        Effect("stuff", region="KOR", number=-2),
        Effect("stuff", region="TIG", number=-1),
    ),
    "e04": (
        Effect("war", region="TIG"),
        Effect("stuff", region="RST", number=-2),
        Effect("stuff", region="ROG", number=-1),
    ),
    "e05": (
        Effect("war", region="POO"),
        Effect("famine"),
        Effect("stuff", region="ROG", number=-2),
    ),
    "e06": (
        Effect("war", region="RST"),
        Effect("stuff", region="SUP", number=-2),
        Effect("stuff", region="TIG", number=-1),
    ),
    "e07": (
        Effect("famine"),
        Effect("stuff", region="POO", number=-2),
        Effect("stuff", region="KOR", number=-2),
    ),
    "e08": (
        Effect("disaster"),
        Effect("stuff", region="TIG", number=-3),
    ),
    "e09": (
        Effect("disaster"),
        Effect("stuff", region="SUP", number=-2),
        Effect("stuff", region="RST", number=-1),
    ),
    "e10": (
        Effect("stuff", region="SUP", number=1),
        Effect("stuff", region="ROG", number=1),
        Effect("stuff", region="KOR", number=-2),
    ),
    "e11": (
        Effect("boom", region="SUP", number=2),
        Effect("stuff", region="SUP", number=-1),
        Effect("stuff", region="RST", number=-1),
    ),
    "e12": (
        Effect("boom", region="POO", number=2),
        Effect("stuff", region="POO", number=-1),
        Effect("stuff", region="KOR", number=-1),
    ),
    "e13": (
        Effect("threshold", region="KOR", score="cor", number=2),
        Effect("threshold", region="RST", score="cor", number=1),
        Effect("stuff", region="KOR", number=-1),
    ),
    "e14": (
        Effect("tax", number=5),
        Effect("stuff", region="RST", number=-1),
        Effect("stuff", region="TIG", number=-1),
    ),
    "e15": (
        Effect("award", score="med", number=2),
        Effect("stuff", region="RST", number=-2),
        Effect("stuff", region="POO", number=-1),
    ),
    "e16": (
        Effect("amnesty"),
        Effect("stuff", region="ROG", number=-2),
        Effect("stuff", region="POO", number=-1),
    ),
    "e17": (
        Effect("subsidy", number=3),
        Effect("stuff", region="TIG", number=-1),
        Effect("stuff", region="KOR", number=-1),
    ),
    "e18": (
        Effect("peace"),
        Effect("stuff", region="ROG", number=-2),
        Effect("stuff", region="POO", number=-1),
    ),
}
