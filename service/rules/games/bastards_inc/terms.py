"""Terms of the game as types: places, scores, cards, plans, events, instructions."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

Region = Literal["SUP", "RST", "TIG", "KOR", "ROG", "POO"]
"""A region, from the top of the pyramid to its foot."""

Square = Literal["TLK", "PTY", "NWS"]
"""A media square."""

Field = Literal["SUP", "RST", "TIG", "KOR", "ROG", "POO", "TLK", "PTY", "NWS"]
"""A region or a media square."""

Location = Literal["SUP", "RST", "TIG", "KOR", "ROG", "POO", "TLK", "PTY", "NWS", "VIP"]
"""A field or the VIP Lounge."""

Score = Literal["cor", "cri", "med", "tec"]
"""A score of a business plan: Corruption, Crime, Media power, Technology."""

Business = Literal[
    "b01", "b02", "b03", "b04", "b05", "b06", "b07", "b08", "b09", "b10", "b11", "b12",
    "b13", "b14", "b15", "b16", "b17", "b18", "b19", "b20", "b21", "b22", "b23", "b24",
]  # fmt: skip

Card = Literal[
    "b01", "b02", "b03", "b04", "b05", "b06", "b07", "b08", "b09", "b10", "b11", "b12",
    "b13", "b14", "b15", "b16", "b17", "b18", "b19", "b20", "b21", "b22", "b23", "b24",
    "a01", "a02", "a03", "a04", "a05", "a06", "a07", "a08", "a09", "a10",
    "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19", "a20",
    "a21", "a22", "a23", "a24", "a25", "a26", "a27", "a28", "a29", "a30",
]  # fmt: skip
"""A business (`b`) or an action card (`a`)."""

ActionCard = Literal[
    "a01", "a02", "a03", "a04", "a05", "a06", "a07", "a08", "a09", "a10",
    "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19", "a20",
    "a21", "a22", "a23", "a24", "a25", "a26", "a27", "a28", "a29", "a30",
]  # fmt: skip

EventCard = Literal[
    "e01", "e02", "e03", "e04", "e05", "e06", "e07", "e08", "e09",
    "e10", "e11", "e12", "e13", "e14", "e15", "e16", "e17", "e18",
]  # fmt: skip

Plan = Literal["p1", "p2", "p3", "p4", "p5", "p6"]
"""A business plan: the company that a player runs."""

Instruction = Literal["guard", "watch", "venture"]
Guard = Literal["ask", "open"]
Watch = Literal["ask", "never", "always"]
Venture = Literal["ask", "open", "closed"]
Setting = Literal["ask", "open", "closed", "never", "always"]
"""Value of an instruction (B-16)."""

Entry = Literal["cor", "cri", "prize", "papers"]
"""Way into a region: by Corruption, by Crime, as laureate, with the Diplomatic Passport (B-31, B-35)."""

Phase = Literal["draw", "collect", "place", "challenge", "push", "wars", "business", "expose", "over"]
"""Decision now due; in draw, collect, challenge and expose several seats decide unseen and at once."""

Row = Literal["skirmish", "offensive", "carnage", "intervention", "scorched-earth", "nuclear-war"]
"""A row of the war table."""

REGIONS: tuple[Region, ...] = get_args(Region)
SQUARES: tuple[Square, ...] = get_args(Square)
FIELDS: tuple[Field, ...] = get_args(Field)
LOCATIONS: tuple[Location, ...] = get_args(Location)
SCORES: tuple[Score, ...] = get_args(Score)
CARDS: tuple[Card, ...] = get_args(Card)
EVENT_CARDS: tuple[EventCard, ...] = get_args(EventCard)
PLANS: tuple[Plan, ...] = get_args(Plan)
SETTINGS: dict[Instruction, tuple[Setting, ...]] = {
    "guard": get_args(Guard),
    "watch": get_args(Watch),
    "venture": get_args(Venture),
}
SECRETLY_SET: tuple[Instruction, ...] = ("guard", "watch")
"""The instructions that only their owner sees (B-05)."""

LOUNGE: Literal["VIP"] = "VIP"
NEWS: Literal["NWS"] = "NWS"
PITY: Literal["PTY"] = "PTY"
UPPERMOST: Literal["SUP"] = "SUP"
ROGUES: Literal["ROG"] = "ROG"


class Scores(NamedTuple):
    """The four scores of a business plan, each from 0 to 6."""

    cor: int
    cri: int
    med: int
    tec: int


class Vp(NamedTuple):
    """A vice president, as events name it: its seat, and its number there from 1."""

    seat: int
    vp: int
