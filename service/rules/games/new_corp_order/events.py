"""Events: facts, never inputs. "Secret" says who must not see a field; redact.py hides it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from service.rules.games.new_corp_order.actions import Card
from service.rules.games.new_corp_order.terms import Colour, CompanyType, Consultant, Source, Square
from service.rules.kernel import by_name


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


# Turns.

Decision = Literal["conglomerates", "second-card", "placement", "ability", "discard"]
Zone = Literal["hand", "hq", "box"]
Priority = Literal[
    "A", "A-1", "A-2", "A-3", "A-4", "A-scan",
    "B-1", "B-2", "B-3", "BB-1", "BB-2", "BB-3", "BB-4", "C-1", "C-2", "C-3", "D",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """The turn goes to a seat; its first decision is due."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionReached:
    """The seat whose turn it is has a further decision to make."""

    seat: int
    decision: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassed:
    """A seat had no legal action and was passed over (R-10)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTaken:
    """A Plot took a card; from the deck to a hand it is secret but for the seat (R-12, R-51)."""

    seat: int
    source: Source
    card: Colour
    to: Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayRefilled:
    """Empty display slots got cards from the deck, as (slot, card) from the left (R-12, R-51)."""

    cards: tuple[tuple[Source, Colour], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTriggered:
    """The display could not be refilled after the seat's Plot: the last round begins (R-13, R-40)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsultantUsed:
    """A consultant went back to the supply for its effect (R-11)."""

    seat: int
    consultant: Consultant


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsultantTaken:
    """A consultant came from the supply for three or more cards of one colour (R-16)."""

    seat: int
    consultant: Consultant


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsPlaced:
    """Cards of one colour went from a hand into its HQ (R-15, R-75)."""

    seat: int
    colour: Colour
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsPlaced:
    """Agents of a colour came from the supply to a company that held that colour (R-15, R-51, R-64, R-74)."""

    seat: int
    company: Square
    colour: Colour
    agents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsRotated:
    """Unrotated cards in an HQ were rotated (R-19, R-32)."""

    hq: int
    colour: Colour
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsUnrotated:
    """Rotated cards in an HQ were unrotated (R-34)."""

    hq: int
    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsMoved:
    """Agents joined others of their colour on another company (R-22, R-31)."""

    source: Square
    target: Square
    colour: Colour
    agents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeoverFailed:
    """Agents came back to where they had started: the target held too many of another colour (R-19)."""

    seat: int
    source: Square
    target: Square
    colour: Colour
    agents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyTakenOver:
    """The agents moved onto the target; one defender went to the seat's HQ, the others to the supply (R-20, R-22)."""

    seat: int
    source: Square
    target: Square
    colour: Colour
    agents: int
    defender: Colour
    defenders: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenderHired:
    """A Headhunter brought a second defender to the seat's HQ, from the supply (R-79)."""

    seat: int
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityLapsed:
    """The ability of the company taken over could change nothing, so there was nothing to decide (R-10)."""

    seat: int
    company: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilitySkipped:
    """The seat left the ability of the company unused."""

    seat: int
    company: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsExchanged:
    """A card of the seat's HQ and one of another HQ changed places, each keeping its rotation (R-33)."""

    seat: int
    gave: Card
    hq: int
    took: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRemoved:
    """A card went from an HQ to the box (R-35)."""

    hq: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsExchanged:
    """All agents of two companies changed places (R-36)."""

    first: Square
    second: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsWithdrawn:
    """Agents of a company went back to the supply (R-76)."""

    company: Square
    colour: Colour
    agents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDrawn:
    """The Dealmaker drew cards from the deck (secret but for the seat; R-21)."""

    seat: int
    cards: tuple[Colour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDiscarded:
    """Cards above the hand limit went to the box face down (which ones is secret but for the seat; R-14)."""

    seat: int
    cards: tuple[Colour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerMoved:
    """The ODS marker stands above another column, 0 being A (R-60)."""

    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityFollowed:
    """A priority decided ODS's next step: "A" with one company in reach, "A-scan" where A-1 to A-4 left several."""

    priority: Priority


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSwept:
    """ODS put a card of the player's colours from the display into the box (R-63, R-65)."""

    slot: Source
    card: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFlipped:
    """ODS could do nothing at all, flipped the table and won (R-66)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """The result: victory points by seat (ODS's last), and the seats that won; several share a victory (R-46)."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


Event = (
    CompaniesLaid | AgentsScattered | ObjectivesDealt | ObjectivesLaidOut | ConsultantsDealt | CardsDealt
    | TurnBegan | DecisionReached | TurnPassed | CardTaken | DisplayRefilled | EndTriggered | ConsultantUsed
    | ConsultantTaken | CardsPlaced | AgentsPlaced | CardsRotated | CardsUnrotated | AgentsMoved | TakeoverFailed
    | CompanyTakenOver | AbilityLapsed | AbilitySkipped | CardsExchanged | CardRemoved | AgentsExchanged
    | CardsDrawn | CardsDiscarded | ConglomeratesChosen | MarkerMoved | PriorityFollowed | CardSwept
    | TableFlipped | GameEnded | DefenderHired | AgentsWithdrawn
)  # fmt: skip

EVENT_TYPES: dict[str, type[Event]] = by_name(get_args(Event))
