"""The table as it stands: regions, companies, piles, and what is being decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from service.rules.games.bastards_inc.actions import Delegate
from service.rules.games.bastards_inc.events import ActAnnounced, EventRevealed, GameEnded, VicePresidentArrived
from service.rules.games.bastards_inc.terms import (
    REGIONS,
    Business,
    Card,
    EventCard,
    Guard,
    Instruction,
    Location,
    Phase,
    Plan,
    Region,
    Scores,
    Venture,
    Vp,
    Watch,
)


class VicePresident(NamedTuple):
    """Location of a VP, and the black money on it in Billions."""

    at: Location = "VIP"
    black: int = 0


class Folder(NamedTuple):
    """A business in front of a player; `turned` until the next business phase."""

    card: Business
    turned: bool


class Invitation(NamedTuple):
    """An open invitation to a joint venture; `agreed` once the partner has agreed (B-55)."""

    card: Business
    vp: int
    partner: Delegate
    pay: int
    agreed: bool = False


class Company(NamedTuple):
    """A player's company. The number of a VP is its index in `vps` + 1.

    `hand` is in the order of the cards' ids. `free` are the numbers of the VPs yet to be placed. `dropped` are cards
    of the hand chosen to be discarded. `instructed`, `gave` and `invited` hold for the turn, `invitations` counts
    those of the round, `secrets` the instructions of the game whose content nobody else was told.
    """

    plan: Plan
    scores: Scores
    billions: int
    influence: int
    vps: tuple[VicePresident, ...]
    hand: tuple[Card, ...] = ()
    portfolio: tuple[Folder, ...] = ()
    guard: Guard = "ask"
    watch: Watch = "ask"
    venture: Venture = "ask"
    dropped: tuple[Card, ...] = ()
    free: tuple[int, ...] = ()
    instructed: tuple[Instruction, ...] = ()
    secrets: int = 0
    gave: bool = False
    invited: bool = False
    invitations: int = 0
    invitation: Invitation | None = None
    done: bool = False
    immune: bool = False


Answer = int | tuple[int, ...] | bool | None
"""By phase: draw the bonus, None to draw nothing; collect the VPs; challenge Influence, None to let in; expose
whether to."""


class State(NamedTuple):
    """Everything on and under the table; immutable, its parts are shared between states.

    `stuff` is by region in the order of REGIONS, `wars` in the order of their outbreak. `cards` and `events` have the
    top card first; `discards` and `revealed` the latest last, `revealed` with the event in force. `asked` are the seats
    asked that have not answered; `answers` those of the others. `passes` counts the passes in a row. `reshuffled` are
    the discards that have become the draw pile, by reshuffle.
    """

    revision: int
    companies: tuple[Company, ...]
    rounds: int
    target: int
    stuff: tuple[int, ...] = (0,) * len(REGIONS)
    wars: tuple[Region, ...] = ()
    cards: tuple[Card, ...] = ()
    events: tuple[EventCard, ...] = ()
    discards: tuple[Card, ...] = ()
    revealed: tuple[EventCard, ...] = ()
    in_force: EventRevealed | None = None
    laureate: int | None = None
    bunker: int | None = None
    round: int = 0
    start_player: int = 0
    phase: Phase = "draw"
    decision: int = 0
    active: int = 0
    back: bool = False
    asked: frozenset[int] = frozenset()
    answers: tuple[tuple[int, Answer], ...] = ()
    arrival: VicePresidentArrived | None = None
    bids: int = 0
    passes: int = 0
    act: ActAnnounced | None = None
    reshuffled: tuple[frozenset[Card], ...] = ()
    events_shuffled: int = 0
    result: GameEnded | None = None


# Reading and changing companies and their vice presidents.

IN_LOUNGE = VicePresident()
"""In the Lounge, without black money."""

NEW_TURN: Final[Mapping[str, Any]] = {"instructed": (), "gave": False, "invited": False}
"""Fields of a company that a new turn resets: acts allowed once per turn (B-16, B-54)."""


def company(state: State, seat: int) -> Company:
    """Return the company of a seat."""
    return state.companies[seat]


def with_company(companies: tuple[Company, ...], seat: int, **fields: Any) -> tuple[Company, ...]:
    """Return the companies with other values in some fields of one."""
    return (*companies[:seat], companies[seat]._replace(**fields), *companies[seat + 1 :])


def updated(state: State, seat: int, **fields: Any) -> State:
    """Return the state with other values in some fields of a company."""
    return state._replace(companies=with_company(state.companies, seat, **fields))


def with_money(state: State, seat: int, *, billions: int = 0, influence: int = 0) -> State:
    """Return the state with so many Billions and Influence more, or less, of a company."""
    own = state.companies[seat]
    return updated(state, seat, billions=own.billions + billions, influence=own.influence + influence)


def vice_president(state: State, seat: int, vp: int) -> VicePresident:
    """Return the VP with a number from 1."""
    return state.companies[seat].vps[vp - 1]


def with_vp(state: State, seat: int, vp: int, changed: VicePresident) -> State:
    """Return the state with another place or other black money of a VP."""
    vps = state.companies[seat].vps
    return updated(state, seat, vps=(*vps[: vp - 1], changed, *vps[vp:]))


def sent_home(state: State, vps: Iterable[tuple[int, int]]) -> State:
    """Return the state with VPs (seat, number) in the Lounge, their black money lost (B-13)."""
    for seat, vp in vps:
        state = with_vp(state, seat, vp, IN_LOUNGE)
    return state


def standing(state: State, seat: int, place: Location) -> list[Vp]:
    """Return the VPs of a seat that are in a place, in the order of their numbers."""
    return [Vp(seat, number) for number, vp in enumerate(state.companies[seat].vps, 1) if vp.at == place]
