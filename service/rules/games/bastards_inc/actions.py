"""Actions that a player may ask for; the tag in JSON is the class name in kebab case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from service.rules.games.bastards_inc.terms import (
    ActionCard,
    Business,
    Card,
    Entry,
    Field,
    Instruction,
    Location,
    Region,
    Score,
    Setting,
)
from service.rules.kernel import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegate:
    """A vice president of another seat: the seat, and the number of the VP there, from 1."""

    seat: int
    vp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Choose a card of the hand to be discarded before cards are drawn (B-20)."""

    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """End the answer of the drawing phase, with a bonus of 0 to 3 that is bought as an extra effort (B-20, B-21)."""

    bonus: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """End the answer of the drawing phase without drawing: the hand stays as it is after the discards (B-20)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collect:
    """Take these VPs back from the board, in rising order; none at all if it is empty (B-23)."""

    vps: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Place the free VP with the lowest number; `by` says how a region is entered, None elsewhere (B-31, B-35)."""

    to: Location
    by: Entry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Let:
    """Let the newcomer in (B-32)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight:
    """Pay Influence, 0 too, to keep the newcomer out (B-32)."""

    influence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """Pay one Influence more than the fighters together, and force the way in (B-33)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Yield:
    """Give the arrival up (B-33)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderWars:
    """Name the whole order in which the wars are fought (B-42)."""

    regions: tuple[Region, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Make a business with one's own `vps`, in the order of its slots, or with one of them and a partner's VP.

    `pay` is the side payment to the partner in Billions, negative if he pays (B-57). `replaces` is the business that
    leaves a full portfolio (B-58).
    """

    card: Business
    vps: tuple[int, ...]
    partner: Delegate | None = None
    pay: int = 0
    replaces: Business | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Launder:
    """Turn the black money of a VP into Billions (B-59)."""

    vp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sell:
    """Sell Stuff to the region where the VP stands (B-60)."""

    vp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """Run a media campaign with a VP on a media square (B-60)."""

    vp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hire:
    """Hire a VP for 12 Billions (B-60)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyPrize:
    """Buy the Nobel Peace Prize for 10 Influence, from the bank or from under the laureate (B-70)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """Pass, and be asked again when the turn comes round (B-51)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Pass now and every further time, until woken (B-53)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Play an action card; which of the other fields it needs follows from its kind (B-75).

    `vp` own VP (haven, extort, jet) · `target` another seat's VP (evict, extort) · `seat` (smear, sue) · `score`
    (improve any, smear) · `field` (war, peace, stuff: a region; jet: any field) · `business` (again).
    """

    card: ActionCard
    vp: int | None = None
    target: Delegate | None = None
    seat: int | None = None
    score: Score | None = None
    field: Field | None = None
    business: Business | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Give:
    """Give 1, 2, 5 or 10 Billions to another seat (B-54)."""

    seat: int
    billions: Literal[1, 2, 5, 10]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invite:
    """Invite the owner of another seat's VP to a joint venture, with a side payment of -2, 0 or 2 Billions (B-55)."""

    card: Business
    vp: int
    partner: Delegate
    pay: Literal[-2, 0, 2] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """Take the open invitation back (B-54)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agree:
    """Agree to the invitation of a seat (B-55)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Decline the invitation of a seat (B-55)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruct:
    """Set one of the three instructions to another value (B-16)."""

    instruction: Instruction
    setting: Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Expose:
    """Expose the illegal act that was announced (B-61)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepSilent:
    """Leave the illegal act alone (B-61)."""


Action = (
    Drop | Draw | Keep | Collect | Place | Let | Fight | Push | Yield | OrderWars
    | Deal | Launder | Sell | Campaign | Hire | BuyPrize | Pass | Done | Play
    | Give | Invite | Withdraw | Agree | Decline | Instruct | Expose | KeepSilent
)  # fmt: skip

ACTION_TYPES: dict[str, type[Action]] = by_name(get_args(Action))
