"""The rules of Three Harbours."""

from __future__ import annotations

from service.rules.kernel import Dice, Json, Seat
from service.rules.kit import last_to_seal, waiting

from .records import HARBOURS, ROUNDS, ContractsDealt, ContractsOpened, Event, OrderSealed, Sail, ShipsArrived, State


def start(seats: int, options: Json, chance: Dice) -> list[Event]:
    """Deal the contracts."""
    deck = chance.shuffle("contracts", HARBOURS * 2)
    return [ContractsDealt(contracts=tuple(deck[:seats]), aside=tuple(deck[seats:]))]


def decide(state: State, seat: Seat, action: Sail, chance: Dice) -> list[Event]:
    """Seal the seat's order; with the last one all ships arrive."""
    events: list[Event] = [OrderSealed(seat=seat, harbour=action.harbour)]
    if last_to_seal(seat, to_act(state)):
        orders = {**state.orders, seat: action.harbour}
        dice = chance.roll(f"round {state.round}", 6, len(HARBOURS))
        events.append(
            ShipsArrived(round=state.round, harbours=tuple(orders[each] for each in sorted(orders)), dice=dice)
        )
        if state.round == ROUNDS:
            events.append(ContractsOpened(contracts=state.contracts))
    return events


def to_act(state: State) -> frozenset[Seat]:
    """Return the seats whose orders are not sealed."""
    return frozenset() if state.over else waiting(len(state.goods), state.orders)


def legal(state: State, seat: Seat) -> list[Sail]:
    """Return an order for each harbour."""
    return [Sail(harbour=harbour) for harbour in HARBOURS] if seat in to_act(state) else []


def scores(state: State) -> list[int]:
    """Return the goods, and two points for each visit to the harbour of the contract."""
    contracts = zip(state.goods, state.visits, state.contracts, strict=True)
    return [goods + 2 * visits.count(contract) for goods, visits, contract in contracts]
