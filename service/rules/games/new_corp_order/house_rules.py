"""House rules: which company types and consultants are in a game (R-70, R-71, R-73, R-77)."""

from __future__ import annotations

from service.rules.games.new_corp_order.terms import (
    COMPANY_TYPES,
    CONSULTANTS,
    DELUXE_CONSULTANTS,
    DELUXE_TYPES,
    CompanyType,
    Consultant,
)
from service.rules.kernel import Dice, Json

ACCOUNTANT: Consultant = "corporate-accountant"
"""The one consultant of the option of the same name."""
OPTIONS = ("corporate-accountant", "deluxe")
"""The options that add house rules; alone against ODS they add nothing (R-70)."""
REPLACED = len(DELUXE_TYPES)
"""Company types of the book that make room for the Deluxe ones (R-73)."""


def house_rules(seats: int, options: Json) -> tuple[str, ...]:
    """Return the options whose house rules a game is played with (R-70)."""
    return tuple(name for name in OPTIONS if seats > 1 and options.get(name, False))


def consultants_of(seats: int, options: Json) -> tuple[Consultant, ...]:
    """Return the consultants of a game: the book's, and those of its house rules (R-71, R-77)."""
    chosen = house_rules(seats, options)
    accountant = (ACCOUNTANT,) if "corporate-accountant" in chosen else ()
    return (*CONSULTANTS, *accountant, *(DELUXE_CONSULTANTS if "deluxe" in chosen else ()))


def in_supply(consultant: Consultant, seats: int) -> int:
    """Return how many cards of a consultant the supply holds at the start of a game for two and more (R-05, R-71)."""
    if consultant == ACCOUNTANT:
        return 1
    return 0 if consultant == "corporate-lawyer" and seats == 2 else seats - 1


def dealt(seats: int, options: Json) -> tuple[Consultant, ...]:
    """Return the consultants of which one card each is shuffled and dealt (R-05, R-71, R-77)."""
    return tuple(each for each in consultants_of(seats, options) if each != ACCOUNTANT and in_supply(each, seats))


def draw_types(seats: int, options: Json, chance: Dice) -> tuple[CompanyType, ...]:
    """Return the six company types of a game: the book's, three of them replaced at random in a Deluxe game (R-73)."""
    if "deluxe" not in house_rules(seats, options):
        return COMPANY_TYPES
    boxed = chance.shuffle("replaced-types", COMPANY_TYPES)[:REPLACED]
    return (*(kind for kind in COMPANY_TYPES if kind not in boxed), *DELUXE_TYPES)
