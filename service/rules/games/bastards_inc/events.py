"""What has happened: facts, never inputs. "Secret" says who must not see a field; redact.py keeps to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from service.rules.games.bastards_inc.business_events import BUSINESS_EVENTS, BusinessEvent
from service.rules.games.bastards_inc.card_events import CARD_EVENTS, CardEvent
from service.rules.games.bastards_inc.setup_events import PilesShuffled, PlansDealt, StuffLaid
from service.rules.games.bastards_inc.terms import (
    Card,
    Entry,
    Field,
    Instruction,
    Phase,
    Setting,
    Vp,
)
from service.rules.games.bastards_inc.war_events import WAR_EVENTS, WarEvent
from service.rules.kernel import by_name


class Bid(NamedTuple):
    """What a seat has answered to an arrival: Influence to keep it out, or None if it lets it in."""

    seat: int
    influence: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegun:
    """A round begins; immunity and what was counted per round are cleared (B-50)."""

    round: int
    start_player: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionReached:
    """The seats are asked, each unseen by the others if they are several; the number of the decision rises (B-07)."""

    phase: Phase
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """The turn goes to a seat that is asked: to place VPs, or in the business phase.

    `back` says that VPs are placed counter-clockwise, all that are left (B-30).
    """

    seat: int
    back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionGiven:
    """A seat has set an instruction; guard and watch are secret but for the seat: what and to what (B-05, B-16)."""

    seat: int
    instruction: Instruction
    setting: Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardChosen:
    """A seat will discard a card; that it has chosen one, and which, is secret but for the seat (B-20)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawChosen:
    """A seat has ended its answer of the drawing phase; the bonus is secret but for the seat (B-20).

    The bonus is None if the seat draws nothing.
    """

    seat: int
    bonus: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PricePaid:
    """A seat has paid the bank for an effort, a card or a VP, in Billions and then in Influence (B-10, B-11)."""

    seat: int
    billions: int
    influence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDiscarded:
    """The cards that a seat has chosen lie on the discard pile, for all to see (B-20)."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDrawn:
    """A seat drew the top cards of the pile; others see how many (B-20, B-24)."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsReshuffled:
    """The discard pile was shuffled under the draw pile, which was empty; the order is secret for everybody (B-24)."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionChosen:
    """A seat has chosen the VPs to collect; which is secret but for the seat until all have chosen (B-23)."""

    seat: int
    vps: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VicePresidentsCollected:
    """VPs of a seat came back to the Lounge, without their black money (B-23)."""

    seat: int
    vps: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacingBegun:
    """All VPs in the Lounge are free to be placed (B-23)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VicePresidentArrived:
    """A free VP comes to a field, where it may yet be kept out (B-31, B-32)."""

    seat: int
    vp: int
    field: Field
    by: Entry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VicePresidentRested:
    """A free VP was sent straight to the Lounge (B-31)."""

    seat: int
    vp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeAnswered:
    """A seat has answered the arrival: Influence, or None to let it in; secret but for the seat (B-32)."""

    seat: int
    influence: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BidsRevealed:
    """All answers to the arrival are open, in the order of the seats; the fighters have paid (B-32)."""

    bids: tuple[Bid, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrivalForced:
    """The newcomer paid Influence and is in; the VPs of the fighters on the field went to the Lounge (B-33)."""

    seat: int
    vp: int
    field: Field
    influence: int
    home: tuple[Vp, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrivalRepelled:
    """The newcomer gave up: this VP and its seat's others on the field went to the Lounge (B-33).

    `asked` is False if there was not enough Influence to choose.
    """

    seat: int
    vp: int
    field: Field
    home: tuple[Vp, ...]
    asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VicePresidentPlaced:
    """The VP that had arrived stands on the field, and nobody had fought it (B-31, B-32)."""

    seat: int
    vp: int
    field: Field


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded:
    """A round is over; the worth of every seat after it (B-80)."""

    round: int
    worths: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """The game is over: the totals by seat, and who has won, nobody after most nuclear wars (B-80 to B-82)."""

    reason: Literal["last-round", "target", "nuclear-war"]
    winners: tuple[int, ...]
    worths: tuple[int, ...]


PhaseEvent = (
    PlansDealt | StuffLaid | PilesShuffled
    | RoundBegun | DecisionReached | TurnBegan | InstructionGiven
    | DiscardChosen | DrawChosen | PricePaid | CardsDiscarded | CardsDrawn | CardsReshuffled
    | CollectionChosen | VicePresidentsCollected | PlacingBegun
    | VicePresidentArrived | VicePresidentRested | ChallengeAnswered | BidsRevealed
    | ArrivalForced | ArrivalRepelled | VicePresidentPlaced
    | RoundEnded | GameEnded
)  # fmt: skip
Event = PhaseEvent | WarEvent | BusinessEvent | CardEvent

EVENT_TYPES: dict[str, type[Event]] = by_name((*get_args(PhaseEvent), *WAR_EVENTS, *BUSINESS_EVENTS, *CARD_EVENTS))
