"""The letters of the notation: one per colour and consultant, two per company type."""

from __future__ import annotations

from collections.abc import Mapping

from service.rules.games.new_corp_order.terms import Colour, CompanyType, Consultant

COLOUR_LETTERS: Mapping[Colour, str] = {"red": "R", "black": "K", "blue": "B", "white": "W"}
"""K is black, as in printing; a B with a digit after it is always a square."""

CONSULTANT_LETTERS: Mapping[Consultant, str] = {
    "media-advisor": "M",
    "dealmaker": "D",
    "corporate-lawyer": "L",
    "military-contractor": "C",
    "corporate-accountant": "A",
    "spin-doctor": "S",
    "headhunter": "H",
}

TYPE_LETTERS: Mapping[CompanyType, str] = {
    "online-marketing": "OM",
    "guerrilla-marketing": "GM",
    "broadcast-network": "BN",
    "print-media": "PM",
    "social-media": "SM",
    "ambient-advertising": "AA",
    "viral-marketing": "VM",
    "product-placement": "PP",
    "negative-campaigning": "NC",
}

DECK = "D"
ROTATED = "'"
