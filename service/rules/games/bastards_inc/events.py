"""Events: facts, never inputs. "Secret" names who must not see a field; redact.py keeps to that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from service.rules.games.bastards_inc.actions import Deal, Delegate, Play, Sell
from service.rules.games.bastards_inc.terms import (
    ActionCard,
    Business,
    Card,
    Entry,
    EventCard,
    Field,
    Instruction,
    Phase,
    Plan,
    Region,
    Row,
    Score,
    Scores,
    Setting,
    Square,
    Vp,
)
from service.rules.kernel import by_name


class Dealt(NamedTuple):
    """Starting values of a seat."""

    plan: Plan
    scores: Scores
    billions: int
    influence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlansDealt:
    """Every seat got a business plan, in seat order, and so many VPs in the Lounge; the host's length is fixed (B-02).

    `rounds` and `target` are the length of the game: so many rounds, or a worth that ends it (B-80).
    """

    companies: tuple[Dealt, ...]
    vps: int
    rounds: int
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StuffLaid:
    """The regions got their Stuff, in the order of the board (B-04)."""

    stuff: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PilesShuffled:
    """Both piles are in a random order, the top card first; secret for everybody (B-03)."""

    cards: tuple[Card, ...]
    events: tuple[EventCard, ...]


# Rounds, decisions, drawing, placing (B-20 to B-35, B-80).


class Bid(NamedTuple):
    """Answer of a seat to an arrival: Influence to keep the VP out, or None to let it in."""

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


# The event of the round, and wars (B-40 to B-47).


class Boom(NamedTuple):
    """Sales in the region bring so many Billions more while the event is in force."""

    region: Region
    billions: int


class Threshold(NamedTuple):
    """The value of the region for this score is so much higher while the event is in force."""

    region: Region
    score: Score
    higher: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsReshuffled:
    """The revealed events, with the one in force, were shuffled anew; the order is secret for everybody (B-40)."""

    events: tuple[EventCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRevealed:
    """The top event is in force until the next one; its lasting effects, the others follow as events (B-40)."""

    event: EventCard
    famine: bool = False
    disaster: bool = False
    amnesty: bool = False
    booms: tuple[Boom, ...] = ()
    thresholds: tuple[Threshold, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyTaxed:
    """A seat with most Billions lost some to the bank (B-41)."""

    seat: int
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsidyPaid:
    """A seat got Billions from the bank by the event (B-41)."""

    seat: int
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardGiven:
    """A seat with the highest score got Influence by the event (B-41)."""

    seat: int
    influence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WarBrokeOut:
    """The region is at war (B-41, B-75)."""

    region: Region


@dataclass(frozen=True, slots=True, kw_only=True)
class WarEnded:
    """The region is at peace (B-41, B-44, B-46, B-75)."""

    region: Region


@dataclass(frozen=True, slots=True, kw_only=True)
class StuffChanged:
    """A region has so much more Stuff now, or less: what has really changed, never 0 (B-41, B-43, B-75)."""

    region: Region
    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WarsOrdered:
    """The start player has named the order of the wars, or there was but one (B-42)."""

    seat: int
    regions: tuple[Region, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WarFought:
    """A war was fought: the die, its sum with the Stuff, the row of the war table, who was flown out (B-43, B-46)."""

    region: Region
    die: int
    total: int
    row: Row
    home: tuple[Vp, ...] = ()


# The business phase (B-50 to B-76).


@dataclass(frozen=True, slots=True, kw_only=True)
class BusinessBegun:
    """The business phase begins: all businesses are upright, no invitation is open, nobody is done (B-50)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeePaid:
    """The laureate got Influence for speeches (B-73)."""

    seat: int
    influence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassed:
    """A seat has passed, unasked if it had nothing to decide or is done (B-51 to B-53).

    `done` says that it goes on passing.
    """

    seat: int
    asked: bool
    done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatWoken:
    """A seat that was done is asked again from its next turn on (B-53)."""

    seat: int
    cause: Literal["gift", "invitation", "answer", "venture", "card", "scoop", "prize", "war"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BusinessTurned:
    """A business was announced: it lies turned in the portfolio, from the hand or used again (B-58).

    `replaced` is the business that left the portfolio for the discard pile.
    """

    seat: int
    card: Business
    from_hand: bool
    replaced: Business | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActAnnounced:
    """An illegal act waits for the journalists: one of the three is set (B-61)."""

    seat: int
    sell: Sell | None = None
    deal: Deal | None = None
    play: Play | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposureAnswered:
    """A journalist has decided; secret but for the seat until all have (B-61)."""

    seat: int
    expose: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ActExposed:
    """The act came to nothing: the journalist's VP went to the Lounge, and Influence to its seat (B-63).

    `home` is the seller's VP, which goes to the Lounge too.
    """

    seat: int
    journalist: int
    vp: int
    influence: int
    home: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DealMade:
    """A business put its income as black money on each VP that takes part (B-55, B-58).

    `pay` is the side payment, which has changed hands (B-57).
    """

    seat: int
    card: Business
    vps: tuple[int, ...]
    income: int
    partner: Delegate | None = None
    pay: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyLaundered:
    """Black money of a VP became Billions; the VP went to the Lounge (B-59), or `stays` thanks to a haven (B-75)."""

    seat: int
    vp: int
    billions: int
    stays: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StuffSold:
    """A region bought Stuff, which it has one more of; the seller's VP went to the Lounge (B-60)."""

    seat: int
    vp: int
    region: Region
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRun:
    """A VP earned Influence on a media square and went to the Lounge (B-60)."""

    seat: int
    vp: int
    square: Square
    influence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VicePresidentHired:
    """A new VP waits in the Lounge; its number is the next of its seat (B-60, B-75)."""

    seat: int
    vp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeBought:
    """A seat is the laureate now; `former` lost the prize, None if it came from the bank (B-70)."""

    seat: int
    influence: int
    former: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeReturned:
    """The laureate gave the prize back to the bank (B-63, B-75)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyGiven:
    """Billions changed hands as a gift (B-54)."""

    seat: int
    to: int
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VentureOffered:
    """A seat invites the owner of a VP to a joint venture (B-55)."""

    seat: int
    card: Business
    vp: int
    partner: Delegate
    pay: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VentureAgreed:
    """The invited seat agreed to the invitation of `host`; the count of passes begins anew (B-55)."""

    seat: int
    host: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VentureDeclined:
    """The invited seat declined the invitation of `host` (B-54)."""

    seat: int
    host: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VentureWithdrawn:
    """A seat took its invitation back (B-54)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationLapsed:
    """The invitation of a seat cannot be met any more, or the phase is over (B-56)."""

    seat: int


# Action cards (B-75).


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed:
    """A card went from the hand to the discard pile, the Bunker to its owner; what it does follows (B-75).

    The card is a free one if `free`: then the action of the turn is still to come.
    """

    seat: int
    play: Play
    free: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PapersUsed:
    """The Diplomatic Passport was discarded to enter a region (B-35)."""

    seat: int
    card: ActionCard


@dataclass(frozen=True, slots=True, kw_only=True)
class BillionsGained:
    """A seat got Billions from the bank by a card (B-75)."""

    seat: int
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InfluenceGained:
    """A seat got Influence from the bank by a card (B-75)."""

    seat: int
    influence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BillionsTaken:
    """A seat took Billions from another one by a card (B-75)."""

    seat: int
    victim: int
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackMoneyTaken:
    """Black money moved from a VP of another seat to one's own beside it (B-75)."""

    seat: int
    vp: int
    victim: Delegate
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChanged:
    """A score of a seat rose or fell for good (B-75)."""

    seat: int
    score: Score
    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VicePresidentSentHome:
    """A VP went to the Lounge by a card of another seat, without its black money (B-13, B-75)."""

    seat: int
    vp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VicePresidentFlown:
    """A VP flew to a field with its luggage (B-75)."""

    seat: int
    vp: int
    field: Field


@dataclass(frozen=True, slots=True, kw_only=True)
class BusinessRighted:
    """A turned business is upright again (B-75)."""

    seat: int
    card: Business


@dataclass(frozen=True, slots=True, kw_only=True)
class BunkerTaken:
    """A seat has the Bunker, to the end of the game (B-74)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImmunityTaken:
    """A seat is immune: nobody exposes it this round (B-61, B-75)."""

    seat: int


Event = (
    PlansDealt | StuffLaid | PilesShuffled
    | RoundBegun | DecisionReached | TurnBegan | InstructionGiven
    | DiscardChosen | DrawChosen | PricePaid | CardsDiscarded | CardsDrawn | CardsReshuffled
    | CollectionChosen | VicePresidentsCollected | PlacingBegun
    | VicePresidentArrived | VicePresidentRested | ChallengeAnswered | BidsRevealed
    | ArrivalForced | ArrivalRepelled | VicePresidentPlaced
    | RoundEnded | GameEnded
    | EventRevealed | EventsReshuffled | MoneyTaxed | SubsidyPaid | AwardGiven
    | WarBrokeOut | WarEnded | StuffChanged | WarsOrdered | WarFought
    | BusinessBegun | FeePaid | TurnPassed | SeatWoken | BusinessTurned
    | ActAnnounced | ExposureAnswered | ActExposed | DealMade | MoneyLaundered | StuffSold | CampaignRun
    | VicePresidentHired | PrizeBought | PrizeReturned | MoneyGiven
    | VentureOffered | VentureAgreed | VentureDeclined | VentureWithdrawn | InvitationLapsed
    | CardPlayed | PapersUsed | BillionsGained | InfluenceGained | BillionsTaken | BlackMoneyTaken | ScoreChanged
    | VicePresidentSentHome | VicePresidentFlown | BusinessRighted | BunkerTaken | ImmunityTaken
)  # fmt: skip

EVENT_TYPES: dict[str, type[Event]] = by_name(get_args(Event))
