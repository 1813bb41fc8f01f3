"""What happens in the business phase (B-50 to B-76): facts, never inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from service.rules.games.bastards_inc.actions import Deal, Delegate, Play, Sell
from service.rules.games.bastards_inc.terms import Business, Region, Square


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


BusinessEvent = (
    BusinessBegun | FeePaid | TurnPassed | SeatWoken | BusinessTurned
    | ActAnnounced | ExposureAnswered | ActExposed | DealMade | MoneyLaundered | StuffSold | CampaignRun
    | VicePresidentHired | PrizeBought | PrizeReturned | MoneyGiven
    | VentureOffered | VentureAgreed | VentureDeclined | VentureWithdrawn | InvitationLapsed
)  # fmt: skip

BUSINESS_EVENTS: tuple[type[BusinessEvent], ...] = get_args(BusinessEvent)
