"""Count the waits for players in a round: with nothing given in advance, with instructions, and with orders.

`python -m tests.rules.bastards_inc.waits` plays games of four and prints the figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, Final, NamedTuple

from service.rules.chance import Chance
from service.rules.games.bastards_inc import RULESET
from service.rules.games.bastards_inc.actions import Action, Done
from service.rules.games.bastards_inc.deal_again import deal_again
from service.rules.games.bastards_inc.decide import decide, to_act
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.legal import ahead, legal
from service.rules.games.bastards_inc.orders import draw_at_once, wars_in_order
from service.rules.games.bastards_inc.state import State, updated
from service.rules.games.bastards_inc.view import view
from service.rules.order_conditions import conditions_of, value_at
from tests.bench.figures import figure
from tests.rules.bastards_inc.bots import EARNER, KINDS, Taste, choose, started

AHEAD: Final = 5
"""Moves that are given ahead at a time."""
GAMES: Final = 40
MOST: Final = 12
"""About a dozen waits of a player in a round of four players are wanted at most."""


class Order(NamedTuple):
    """A move given ahead, and what stood then at the places of the view that it rests on."""

    action: Action
    rests_on: Mapping[str, Any]


class Player(NamedTuple):
    """A bot, its orders that wait, and whether it gives any."""

    taste: Taste
    orders: list[Order]
    gives: bool


def waits(tastes: Sequence[Taste], seed: str, gives: bool) -> float:
    """Return how often each player of a game is waited for in a round.

    A seat that has an order or an auto-answer for its decision is not waited for.
    """
    chance, rng = Chance(sha256(seed.encode()).digest()), Random(seed)
    players = [Player(taste, [], gives) for taste in tastes]
    state, counted, waited_for = started(len(tastes), {}, chance), 0, frozenset[int]()
    while state.phase != "over":
        seat = min(to_act(state))
        action = _given(state, seat, players[seat])
        if action is None:
            counted += seat not in waited_for
            waited_for |= {seat}
            action = choose(state, seat, legal(state, seat), tastes[seat], rng)
            state = _after(state, seat, action, chance)
            players[seat].orders.extend(_plan(state, seat, players[seat], rng))
        else:
            state = _after(state, seat, action, chance)
        waited_for &= to_act(state)
    return counted / len(tastes) / state.round


def _given(state: State, seat: int, player: Player) -> Action | None:
    """Return the move that was given ahead for the decision, None if the player has to be asked."""
    if not player.gives:
        return None
    seen, ways = view(state, seat), legal(state, seat)
    if state.phase == "business" and player.orders:
        first = player.orders.pop(0)
        if first.action in ways and all(value_at(seen, at) == value for at, value in first.rests_on.items()):
            return first.action
        player.orders.clear()
    return draw_at_once(seen, ways) if _hoards(state, seat) else wars_in_order(seen, ways)


def _hoards(state: State, seat: int) -> bool:
    """Say whether cards are drawn without a look at the hand: when there is no money for more of them."""
    return state.phase == "draw" and state.companies[seat].billions <= 8


def _plan(state: State, seat: int, player: Player, rng: Random) -> list[Order]:
    """Return what the player would do in its next turns if the others did nothing, as far as it knows."""
    orders: list[Order] = []
    if not player.gives or player.orders or state.phase != "business" or seat in to_act(state):
        return orders
    seen, chance = view(state, seat), Chance(rng.randbytes(32))
    table = deal_again(state, seat, chance)
    while len(orders) < AHEAD and table.phase == "business" and not (orders and isinstance(orders[-1].action, Done)):
        table = updated(table, seat, instructed=(), gave=False, invited=False)
        table = table._replace(active=seat, asked=frozenset({seat}))
        action = choose(table, seat, ahead(table, seat), player.taste, rng)
        orders.append(Order(action, {at: value_at(seen, at) for at in conditions_of(RULESET, seen, seat, action)}))
        table = _after(table, seat, action, chance)
    return orders


def _after(state: State, seat: int, action: Action, chance: Chance) -> State:
    for event in decide(state, seat, action, chance):
        state = evolve(state, event)
    return state


def mean_waits(table: str, way: str, games: int) -> float:
    """Return the mean of games of four equal bots, or of a mix of all kinds."""
    found = []
    for number in range(games):
        rng = Random(f"{table}:{number}")
        tastes = [EARNER if table == "equal" else rng.choice(KINDS) for _ in range(4)]
        if way == "nothing":
            tastes = [taste._replace(settings={}) for taste in tastes]
        found.append(waits(tastes, f"balance:{table}:{number}", way == "orders"))
    return sum(found) / games


def main() -> None:
    """Print the waits of a player in a round."""
    for table in ("equal", "mix"):
        for way in ("nothing", "instructions", "orders"):
            figure("waits_per_round", mean_waits(table, way, GAMES), "waits", MOST, 6, table=table, given=way)


if __name__ == "__main__":
    main()
