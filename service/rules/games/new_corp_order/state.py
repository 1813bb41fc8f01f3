"""State of the table: every card, agent and tile, and whose decision is due."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from service.rules.games.new_corp_order.events import GameEnded
from service.rules.games.new_corp_order.terms import Colour, CompanyType, Consultant, Counts, Square

Phase = Literal["conglomerates", "turn", "second-card", "placement", "ability", "discard", "over"]
Consultants = Mapping[Consultant, int]
"""Numbers of consultants; every type of the game is a key (R-70)."""


class Company(NamedTuple):
    """A tile of the grid, and the agents that control it."""

    name: str
    type: CompanyType
    colour: Colour
    agents: int


Companies = Mapping[Square, Company]
"""The grid, row by row from A1."""


class Hq(NamedTuple):
    """A player's open area: unrotated cards, rotated cards, agents, consultants."""

    cards: Counts
    rotated: Counts
    agents: Counts
    consultants: Consultants


# A Struct, since each event makes a new one: with a named tuple the fold of a log takes half as long again.
class State(Struct, frozen=True):
    """Everything on and under the table; immutable, its parts are shared between states.

    `hands`, `hqs` and `objectives` are by seat, in solo ODS's second; solo's three objectives are everybody's.
    `display` has a card or None for each slot from the left, `deck` its top card first. `box` counts the cards
    that are out of the game. `final_turns` is the number of turns yet to begin once the end is triggered.
    """

    revision: int
    seats: int
    companies: Companies
    supply: Counts
    consultants: Consultants
    display: tuple[Colour | None, ...]
    deck: tuple[Colour, ...]
    box: Counts
    hands: tuple[Counts, ...]
    hqs: tuple[Hq, ...]
    objectives: tuple[tuple[CompanyType, ...], ...]
    active: int = 0
    phase: Phase = "turn"
    decision: int = 0
    turn: int = 0
    used: Consultant | None = None
    taken_over: Square | None = None
    to_place: tuple[Colour, ...] = ()
    final_turns: int | None = None
    colours: tuple[tuple[Colour, Colour], ...] = ()
    marker: int = 0
    result: GameEnded | None = None

    # Called as that of the named tuples that it holds.
    def _replace(self, **changes: Any) -> State:
        return replace(self, **changes)

    @property
    def solo(self) -> bool:
        """Return whether this is a game against ODS."""
        return self.seats == 1


def available(state: State) -> int:
    """Return how many cards a Plot could take, from display and deck together."""
    return sum(card is not None for card in state.display) + len(state.deck)


def cards_due(state: State) -> int:
    """Return how many cards a Plot has yet to take: two, one after the first, or what there is (R-12)."""
    return min(1 if state.phase == "second-card" else 2, available(state))
