"""The 30 action cards (B-75)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from service.rules.games.bastards_inc.terms import ActionCard, Score

Kind = Literal[
    "haven",
    "money",
    "influence",
    "improve",
    "smear",
    "war",
    "peace",
    "stuff",
    "evict",
    "sue",
    "extort",
    "draw",
    "bunker",
    "skeleton",
    "nepotism",
    "again",
    "papers",
    "telethon",
    "jet",
    "immunity",
]
Timing = Literal["action", "free", "placement"]


class CardData(NamedTuple):
    """An action card: what it does, its price in Billions, how much it does, its score ("any": of choice)."""

    kind: Kind
    cost: int = 0
    number: int = 0
    score: Score | Literal["any"] | None = None
    timing: Timing = "action"
    illegal: bool = False


CARD_DATA: Mapping[ActionCard, CardData] = {
    "a01": CardData("haven"),
    "a02": CardData("haven"),
    "a03": CardData("money", number=6),
    "a04": CardData("influence", number=3),
    "a05": CardData("influence", number=3),
    "a06": CardData("improve", cost=2, score="cor"),
    "a07": CardData("improve", cost=2, score="cri"),
    "a08": CardData("improve", cost=2, score="med"),
    "a09": CardData("improve", cost=2, score="tec"),
    "a10": CardData("improve", cost=4, score="any"),
    "a11": CardData("smear", cost=1),
    "a12": CardData("war", illegal=True),
    "a13": CardData("war", illegal=True),
    "a14": CardData("peace", number=2),
    "a15": CardData("stuff", number=1),
    "a16": CardData("stuff", number=1),
    "a17": CardData("stuff", number=-2),
    "a18": CardData("evict", illegal=True),
    "a19": CardData("sue", number=5),
    "a20": CardData("extort", illegal=True),
    "a21": CardData("draw", number=2, timing="free"),
    "a22": CardData("draw", number=2, timing="free"),
    "a23": CardData("bunker", cost=4),
    "a24": CardData("skeleton"),
    "a25": CardData("nepotism", cost=6),
    "a26": CardData("again"),
    "a27": CardData("papers", timing="placement"),
    "a28": CardData("telethon", number=1),
    "a29": CardData("jet"),
    "a30": CardData("immunity", timing="free"),
}
