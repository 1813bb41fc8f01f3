"""Terms of the rulebook as types: colours, company types, consultants, squares of the grid, counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Colour = Literal["red", "black", "blue", "white"]
"""A conglomerate, by the colour of its cards and agents."""

BookType = Literal[
    "online-marketing",
    "guerrilla-marketing",
    "broadcast-network",
    "print-media",
    "social-media",
    "ambient-advertising",
]
DeluxeType = Literal["viral-marketing", "product-placement", "negative-campaigning"]
"""The company types of the house rules (R-73)."""
CompanyType = Literal[BookType, DeluxeType]

BookConsultant = Literal["media-advisor", "dealmaker", "corporate-lawyer", "military-contractor"]
DeluxeConsultant = Literal["spin-doctor", "headhunter"]
"""The further consultants of the house rules (R-77)."""
Consultant = Literal[BookConsultant, "corporate-accountant", DeluxeConsultant]

Square = Literal[
    "A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "C1", "C2", "C3", "C4", "D1", "D2", "D3", "D4"
]  # fmt: skip
"""A place of the grid: column A-D from the left, row 1-4 (1-3 with one or two players) from the top."""

Source = Literal["1", "2", "3", "4", "5", "deck"]
"""Source of a card: a display slot, counted from the left, or the top of the deck."""

COLOURS: tuple[Colour, ...] = get_args(Colour)
COMPANY_TYPES: tuple[CompanyType, ...] = get_args(BookType)
DELUXE_TYPES: tuple[CompanyType, ...] = get_args(DeluxeType)
ALL_TYPES: tuple[CompanyType, ...] = get_args(CompanyType)
CONSULTANTS: tuple[Consultant, ...] = get_args(BookConsultant)
DELUXE_CONSULTANTS: tuple[Consultant, ...] = get_args(DeluxeConsultant)
ALL_CONSULTANTS: tuple[Consultant, ...] = get_args(Consultant)
SQUARES: tuple[Square, ...] = get_args(Square)
SLOTS: tuple[Source, ...] = ("1", "2", "3", "4", "5")

Counts = Mapping[Colour, int]
"""Numbers by colour; every colour is a key. Never changed in place."""

NONE: Counts = {"red": 0, "black": 0, "blue": 0, "white": 0}

ODS = 1
"""ODS's seat in a solo game."""

HAND_LIMIT = 6

CARDS_FOR_CONSULTANT = 3
"""Cards of one colour that let a player take a consultant (R-16)."""

NAMES: Mapping[CompanyType, tuple[str, str, str]] = {
    "online-marketing": ("Pretty Obscure Inc", "Best Branding Co.", "Clickbaiter"),
    "guerrilla-marketing": ("WordOfMouth", "Bubblegum Corp.", "Adrian Ashton Inc."),
    "broadcast-network": ("ThoughtApparatus Inc.", "Leap Light & Sound", "Armogida Enterprises"),
    "print-media": ("readalot", "Generic Sub Inc", "Home Robbins L.L.P."),
    "social-media": ("Lluna's Channel", "xcurbr", "Brown Star Winks Ltd."),
    "ambient-advertising": ("Lorgalis Group", "Holografx", "All Around You"),
    "viral-marketing": ("Sneeze & Share", "MemeWorks", "Chainletter Inc."),
    "product-placement": ("Logo In Shot", "Label Forward", "Prop & Bottle Co."),
    "negative-campaigning": ("Mud & Partners", "OppoSearch", "Second Thoughts Inc."),
}
"""The 18 companies of the book by type (R-07), then the nine of the house rules, whose names are our own (R-73)."""

TYPE_OF: Mapping[str, CompanyType] = {name: kind for kind, names in NAMES.items() for name in names}


def add(counts: Counts, colour: Colour, number: int) -> Counts:
    """Return the counts with `number` more of a colour (fewer, if it is negative)."""
    return {**counts, colour: counts[colour] + number}


def count(cards: tuple[Colour, ...] | list[Colour]) -> Counts:
    """Return how many cards of each colour there are."""
    counts = dict(NONE)
    for card in cards:
        counts[card] += 1
    return counts
