"""What happened before the first turn: the facts of the setup (R-01 to R-07, R-50)."""

from __future__ import annotations

from dataclasses import dataclass

from service.rules.games.new_corp_order.terms import Colour, CompanyType, Consultant


@dataclass(frozen=True, slots=True, kw_only=True)
class CompaniesLaid:
    """The names of the companies on the grid, row by row from A1, and of those in the box (R-02)."""

    grid: tuple[str, ...]
    boxed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsScattered:
    """The colour of the first agent of each company, row by row from A1 (R-02)."""

    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectivesDealt:
    """Each seat's two objectives, and those it put into the box for being alike (secret but for the seat; R-04)."""

    objectives: tuple[tuple[CompanyType, ...], ...]
    returned: tuple[tuple[CompanyType, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectivesLaidOut:
    """Solo: the three objectives (secret until the colours are chosen; R-50)."""

    objectives: tuple[CompanyType, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsultantsDealt:
    """Each seat's first consultant (R-05)."""

    consultants: tuple[Consultant, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDealt:
    """Each seat's hand (secret but for the seat), the display from slot 1 (secret in solo until the colours are
    chosen), the deck from its top (secret for all), and how many of each colour went to the box (R-06)."""

    hands: tuple[tuple[Colour, ...], ...]
    display: tuple[Colour, ...]
    deck: tuple[Colour, ...]
    boxed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConglomeratesChosen:
    """Solo: whose colours are whose; one agent of each went from the supply to its side's HQ (R-50)."""

    player: tuple[Colour, Colour]
    ods: tuple[Colour, Colour]
