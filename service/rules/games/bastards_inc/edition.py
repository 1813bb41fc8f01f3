"""Every number of the game: a change of edition `boardroom-1` changes the game and its balance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from service.rules.games.bastards_inc.events import Dealt
from service.rules.games.bastards_inc.terms import (
    ActionCard,
    Business,
    EventCard,
    Plan,
    Region,
    Row,
    Score,
    Scores,
    Square,
)

# Limits, prices and lengths.


class Length(NamedTuple):
    """Length of a game: rounds, the worth that ends it after a round, VPs at the start (B-80)."""

    rounds: int
    target: int
    vps: int


NORMAL = Length(rounds=7, target=130, vps=2)
SHORT = Length(rounds=4, target=95, vps=3)

MAX_SCORE = 6
MAX_STUFF = 6
MAX_VPS = 4
MAX_BUSINESSES = 3
"""In a portfolio."""
MAX_WARS = 3
MAX_INVITATIONS_PER_ROUND = 3
"""By each player."""

EFFORT_PRICES = (0, 2, 5, 9)
"""Billions for 0, 1, 2 and 3 missing points (B-10)."""
GIFT_SIZES: tuple[Literal[1, 2, 5, 10], ...] = (1, 2, 5, 10)
SIDE_PAYMENTS: tuple[Literal[-2, 0, 2], ...] = (-2, 0, 2)

VP_PRICE = 12
PRIZE_PRICE = 10
LAUREATE_FEE = 2
PRIZE_WORTH = 12
INFLUENCE_WORTH = 3

CAMPAIGN_INFLUENCE = 1
PITY_CAMPAIGN_INFLUENCE = 2
SCOOP_INFLUENCE = 2

SEAT_COMPENSATION = (0, 0, 0, 0, 0, 0)
"""Billions more at the start by place, the start player's first (B-02)."""


# Regions, media squares and the war table.


class RegionData(NamedTuple):
    """Thresholds, income and Stuff of a region.

    `cor` and `cri` are the values to get in, `tec` is the one to sell there. `income` is what it pays for Stuff,
    `stuff` what lies there at the start; a sale is legal while the Stuff after it is at most `legal_up_to`. `tier` is
    the row of the pyramid, 1 at its top.
    """

    tier: int
    cor: int
    cri: int
    tec: int
    income: int
    stuff: int
    legal_up_to: int


class WarRow(NamedTuple):
    """A row of the war table: its highest total, and the Stuff lost."""

    up_to: int
    row: Row
    loss: int


REGION_DATA: Mapping[Region, RegionData] = {
    "SUP": RegionData(tier=1, cor=5, cri=6, tec=5, income=8, stuff=2, legal_up_to=5),
    "RST": RegionData(tier=2, cor=4, cri=4, tec=4, income=6, stuff=2, legal_up_to=4),
    "TIG": RegionData(tier=2, cor=4, cri=3, tec=3, income=5, stuff=1, legal_up_to=4),
    "KOR": RegionData(tier=3, cor=1, cri=3, tec=2, income=4, stuff=1, legal_up_to=3),
    "ROG": RegionData(tier=3, cor=3, cri=1, tec=2, income=5, stuff=1, legal_up_to=2),
    "POO": RegionData(tier=3, cor=1, cri=2, tec=0, income=3, stuff=1, legal_up_to=2),
}

MEDIA_POWER: Mapping[Square, int] = {"TLK": 1, "PTY": 2, "NWS": 3}

WAR_TABLE: tuple[WarRow, ...] = (
    WarRow(up_to=3, row="skirmish", loss=0),
    WarRow(up_to=6, row="offensive", loss=1),
    WarRow(up_to=8, row="carnage", loss=2),
    WarRow(up_to=10, row="intervention", loss=2),
    WarRow(up_to=11, row="scorched-earth", loss=3),
    WarRow(up_to=12, row="nuclear-war", loss=0),
)


# The 24 businesses (B-58).


class BusinessData(NamedTuple):
    """A business: score and points needed, the regions for each of its VPs, the income of each VP."""

    score: Score
    least: int
    slots: tuple[tuple[Region, ...], ...]
    income: int
    illegal: bool


BUSINESS_DATA: Mapping[Business, BusinessData] = {
    "b01": BusinessData("tec", 2, (("TIG",),), 3, illegal=False),
    "b02": BusinessData("cri", 1, (("POO",),), 2, illegal=False),
    "b03": BusinessData("cor", 2, (("KOR",),), 3, illegal=False),
    "b04": BusinessData("cri", 2, (("ROG",),), 4, illegal=True),
    "b05": BusinessData("med", 2, (("RST",),), 4, illegal=False),
    "b06": BusinessData("tec", 4, (("SUP",),), 6, illegal=False),
    "b07": BusinessData("cor", 4, (("SUP",),), 6, illegal=False),
    "b08": BusinessData("tec", 3, (("RST",),), 4, illegal=False),
    "b09": BusinessData("cri", 3, (("TIG",),), 5, illegal=True),
    "b10": BusinessData("tec", 1, (("POO",),), 3, illegal=True),
    "b11": BusinessData("cri", 2, (("KOR",),), 4, illegal=True),
    "b12": BusinessData("med", 3, (("SUP", "ROG"),), 4, illegal=False),
    "b13": BusinessData("tec", 2, (("TIG",), ("RST", "SUP")), 3, illegal=False),
    "b14": BusinessData("cor", 2, (("POO",), ("RST", "TIG")), 4, illegal=True),
    "b15": BusinessData("cor", 3, (("KOR",), ("SUP", "RST")), 4, illegal=False),
    "b16": BusinessData("cri", 2, (("ROG",), ("KOR",)), 4, illegal=True),
    "b17": BusinessData("cri", 1, (("POO",), ("TIG", "ROG")), 4, illegal=True),
    "b18": BusinessData("med", 3, (("SUP", "TIG"), ("RST", "KOR")), 4, illegal=False),
    "b19": BusinessData("cor", 3, (("ROG",), ("SUP", "RST")), 5, illegal=True),
    "b20": BusinessData("cor", 1, (("POO",), ("KOR",)), 3, illegal=False),
    "b21": BusinessData("tec", 3, (("TIG", "KOR"), ("SUP", "RST")), 4, illegal=False),
    "b22": BusinessData("tec", 2, (("ROG",), ("TIG", "POO")), 4, illegal=True),
    "b23": BusinessData("med", 2, (("KOR",), ("RST", "TIG", "ROG")), 3, illegal=False),
    "b24": BusinessData("cri", 3, (("POO", "KOR"), ("ROG", "TIG")), 5, illegal=True),
}


# The 30 action cards (B-75).

CardKind = Literal[
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
    """An action card: kind, price in Billions, amount, score ("any": of choice)."""

    kind: CardKind
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


PAPERS: Final[ActionCard] = "a27"
"""The Diplomatic Passport."""


# The 18 events, their effects in the order of the card (B-40, B-41).

EventKind = Literal[
    "war", "stuff", "peace", "tax", "subsidy", "award", "famine", "disaster", "boom", "threshold", "amnesty"
]


class EventEffect(NamedTuple):
    """One effect of an event: kind, region, score, amount."""

    kind: EventKind
    region: Region | None = None
    score: Score | None = None
    number: int = 0


EVENT_DATA: Mapping[EventCard, tuple[EventEffect, ...]] = {
    "e01": (
        EventEffect("war", region="KOR"),
        EventEffect("stuff", region="TIG", number=-2),
        EventEffect("stuff", region="POO", number=-1),
    ),
    "e02": (
        EventEffect("war", region="ROG"),
        EventEffect("stuff", region="POO", number=-2),
        EventEffect("stuff", region="KOR", number=-1),
    ),
    "e03": (
        EventEffect("war", region="ROG"),
        EventEffect("stuff", region="KOR", number=-2),
        EventEffect("stuff", region="TIG", number=-1),
    ),
    "e04": (
        EventEffect("war", region="TIG"),
        EventEffect("stuff", region="RST", number=-2),
        EventEffect("stuff", region="ROG", number=-1),
    ),
    "e05": (
        EventEffect("war", region="POO"),
        EventEffect("famine"),
        EventEffect("stuff", region="ROG", number=-2),
    ),
    "e06": (
        EventEffect("war", region="RST"),
        EventEffect("stuff", region="SUP", number=-2),
        EventEffect("stuff", region="TIG", number=-1),
    ),
    "e07": (
        EventEffect("famine"),
        EventEffect("stuff", region="POO", number=-2),
        EventEffect("stuff", region="KOR", number=-2),
    ),
    "e08": (
        EventEffect("disaster"),
        EventEffect("stuff", region="TIG", number=-3),
    ),
    "e09": (
        EventEffect("disaster"),
        EventEffect("stuff", region="SUP", number=-2),
        EventEffect("stuff", region="RST", number=-1),
    ),
    "e10": (
        EventEffect("stuff", region="SUP", number=1),
        EventEffect("stuff", region="ROG", number=1),
        EventEffect("stuff", region="KOR", number=-2),
    ),
    "e11": (
        EventEffect("boom", region="SUP", number=2),
        EventEffect("stuff", region="SUP", number=-1),
        EventEffect("stuff", region="RST", number=-1),
    ),
    "e12": (
        EventEffect("boom", region="POO", number=2),
        EventEffect("stuff", region="POO", number=-1),
        EventEffect("stuff", region="KOR", number=-1),
    ),
    "e13": (
        EventEffect("threshold", region="KOR", score="cor", number=2),
        EventEffect("threshold", region="RST", score="cor", number=1),
        EventEffect("stuff", region="KOR", number=-1),
    ),
    "e14": (
        EventEffect("tax", number=5),
        EventEffect("stuff", region="RST", number=-1),
        EventEffect("stuff", region="TIG", number=-1),
    ),
    "e15": (
        EventEffect("award", score="med", number=2),
        EventEffect("stuff", region="RST", number=-2),
        EventEffect("stuff", region="POO", number=-1),
    ),
    "e16": (
        EventEffect("amnesty"),
        EventEffect("stuff", region="ROG", number=-2),
        EventEffect("stuff", region="POO", number=-1),
    ),
    "e17": (
        EventEffect("subsidy", number=3),
        EventEffect("stuff", region="TIG", number=-1),
        EventEffect("stuff", region="KOR", number=-1),
    ),
    "e18": (
        EventEffect("peace"),
        EventEffect("stuff", region="ROG", number=-2),
        EventEffect("stuff", region="POO", number=-1),
    ),
}


# The business plans (B-02).

PLAN_DATA: Mapping[Plan, Dealt] = {
    "p1": Dealt(plan="p1", scores=Scores(cor=3, cri=1, med=2, tec=5), billions=9, influence=4),
    "p2": Dealt(plan="p2", scores=Scores(cor=1, cri=5, med=2, tec=2), billions=10, influence=4),
    "p3": Dealt(plan="p3", scores=Scores(cor=3, cri=2, med=5, tec=1), billions=11, influence=7),
    "p4": Dealt(plan="p4", scores=Scores(cor=5, cri=1, med=2, tec=2), billions=10, influence=4),
    "p5": Dealt(plan="p5", scores=Scores(cor=3, cri=2, med=3, tec=2), billions=9, influence=4),
    "p6": Dealt(plan="p6", scores=Scores(cor=3, cri=3, med=1, tec=2), billions=8, influence=4),
}
