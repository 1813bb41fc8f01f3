"""What players do in Three Harbours, what happens, and the state that comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from service.rules.kernel import GameStarted
from service.rules.kit import Public, Secret

ROUNDS = 5
HARBOURS: tuple[Harbour, ...] = ("north", "east", "south")
Harbour = Literal["north", "east", "south"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sail:
    """Send the ship to a harbour."""

    harbour: Harbour


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractsDealt:
    """Each seat has a contract for a harbour; the other contracts are laid aside."""

    contracts: Annotated[tuple[Harbour, ...], Secret("seats")]
    aside: Annotated[tuple[Harbour, ...], Secret("nobody")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderSealed:
    """A seat has decided where its ship goes."""

    seat: Public[int]
    harbour: Annotated[Harbour, Secret("seat")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipsArrived:
    """The ships are where their orders say, and a die for each harbour has shown its goods."""

    round: Public[int]
    harbours: Public[tuple[Harbour, ...]]
    dice: Public[tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractsOpened:
    """The game is over, and everybody sees all contracts."""

    contracts: Public[tuple[Harbour, ...]]


Event = ContractsDealt | OrderSealed | ShipsArrived | ContractsOpened


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Goods, visited harbours and contracts by seat; sealed orders of the seats that have given theirs."""

    round: Public[int] = 1
    goods: Public[tuple[int, ...]]
    visits: Public[tuple[tuple[Harbour, ...], ...]]
    orders: Annotated[Mapping[int, Harbour], Secret("seats", among=HARBOURS)] = field(default_factory=dict)
    contracts: Annotated[tuple[Harbour, ...], Secret("seats", pool="contracts", until="over")] = ()
    aside: Annotated[tuple[Harbour, ...], Secret("nobody", pool="contracts")] = ()
    over: Public[bool] = False


def evolve(state: State | None, event: Event | GameStarted) -> State:
    """Return the state after the event."""
    if isinstance(event, GameStarted):
        return State(goods=(0,) * event.seats, visits=((),) * event.seats)
    assert state is not None
    match event:
        case ContractsDealt():
            return replace(state, contracts=event.contracts, aside=event.aside)
        case OrderSealed():
            return replace(state, orders={**state.orders, event.seat: event.harbour})
        case ContractsOpened():
            return replace(state, over=True)
    visits = tuple((*before, now) for before, now in zip(state.visits, event.harbours, strict=True))
    goods = tuple(had + share(event, here) for had, here in zip(state.goods, event.harbours, strict=True))
    return replace(state, round=state.round + 1, orders={}, goods=goods, visits=visits)


def share(arrived: ShipsArrived, harbour: Harbour) -> int:
    """Return the goods of each ship in a harbour: what its die shows, shared."""
    return arrived.dice[HARBOURS.index(harbour)] // arrived.harbours.count(harbour)
