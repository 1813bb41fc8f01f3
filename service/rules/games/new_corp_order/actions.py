"""Actions of the players. Each class is one action; its tag in JSON is the class name in kebab case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from service.rules.games.new_corp_order.terms import Colour, Consultant, Source, Square
from service.rules.kernel import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Take one or two cards, one after the other; after a single pick the second is a decision of its own (R-12)."""

    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Cards of one colour from the hand, and the company that gets their agents."""

    colour: Colour
    cards: int
    company: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class Infiltrate:
    """Place cards and agents (R-15); a second placement needs the Corporate Lawyer, a joker the Media Advisor.

    `joker` is the colour of the one extra card that counts as the main colour (R-17), `take` the consultant taken
    for three or more cards (R-16).
    """

    placements: tuple[Placement, ...]
    use: Consultant | None = None
    joker: Colour | None = None
    take: Consultant | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOver:
    """Rotate as many cards as agents go from the source to the orthogonally adjacent target (R-19).

    With the Corporate Accountant it is one card fewer (R-72).
    """

    source: Square
    target: Square
    agents: int
    use: Consultant | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """Put the cards above the hand limit into the box, face down (R-14)."""

    cards: tuple[Colour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One agent goes from one company to another."""

    source: Square
    target: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAgents:
    """Broadcast Network: move one or two agents of one colour, one after the other (R-31)."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RotateCards:
    """Guerrilla Marketing: rotate one or two unrotated cards of one colour in one HQ (R-32)."""

    hq: int
    colour: Colour
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card in an HQ: its colour, and whether it is rotated."""

    colour: Colour
    rotated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeCards:
    """Print Media: exchange a card of one's own HQ with one of another player's (R-33)."""

    give: Card
    hq: int
    take: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class UnrotateCards:
    """Ambient Advertising: unrotate one or two cards, any colours, in one HQ (R-34)."""

    hq: int
    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveCard:
    """Social Media: put one card of any one HQ into the box (R-35)."""

    hq: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeAgents:
    """Online Marketing: all agents of two companies change places (R-36)."""

    first: Square
    second: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAgents:
    """Viral Marketing: one or two agents of the supply join a company of their colour (R-74)."""

    company: Square
    agents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceCard:
    """Product Placement: put one card from the hand into one's own HQ, without an agent (R-75)."""

    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawAgents:
    """Negative Campaigning: one or two agents of a company go back to the supply (R-76)."""

    company: Square
    agents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipAbility:
    """Leave the ability of the company that was taken over unused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseConglomerates:
    """Solo: choose the two colours to play; ODS gets the others (R-50)."""

    colours: tuple[Colour, Colour]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceAgents:
    """Solo: place the agents of the cards just taken, one company for each of their colours (R-51)."""

    companies: tuple[Square, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOds:
    """Let ODS move its marker and follow its priorities (R-60 to R-66)."""


DeluxeAbility = AddAgents | PlaceCard | WithdrawAgents
Ability = (
    MoveAgents | RotateCards | ExchangeCards | UnrotateCards | RemoveCard | ExchangeAgents | DeluxeAbility | SkipAbility
)
Action = Plot | Infiltrate | TakeOver | Discard | Ability | ChooseConglomerates | PlaceAgents | PlayOds

ACTION_TYPES: dict[str, type[Action]] = by_name(get_args(Action))


def rotated_by(action: TakeOver) -> int:
    """Return how many cards a Takeover rotates: one for each agent, one fewer with the Corporate Accountant (R-72)."""
    return action.agents - (action.use == "corporate-accountant")


def cards_of(placement: Placement, action: Infiltrate) -> int:
    """Return how many cards count as the placement's colour: its own and a joker (R-17)."""
    return placement.cards + (action.joker is not None)


def agents_of(placement: Placement, action: Infiltrate) -> int:
    """Return how many agents a placement brings: one for each card, one more with the Spin Doctor (R-78)."""
    return cards_of(placement, action) + (action.use == "spin-doctor")
