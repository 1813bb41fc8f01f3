"""Self-play with the house rules: no seat, ability or consultant stands out. `pytest -m slow -s` prints the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.abilities import EFFECTS
from service.rules.games.new_corp_order.actions import Infiltrate, TakeOver
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import COMPANY_TYPES, CONSULTANTS, DELUXE_CONSULTANTS, DELUXE_TYPES
from tests.rules.new_corp_order.self_play import Played, play
from tests.rules.new_corp_order.tables import ACCOUNTANT, ALICE, HOUSE

pytestmark = pytest.mark.slow

GAMES = 80
NEW = {ACCOUNTANT, *DELUXE_CONSULTANTS, *DELUXE_TYPES}
OF_NEW_TYPES = {EFFECTS[kind].action for kind in DELUXE_TYPES}
players = pytest.mark.parametrize("seats", [seats for seats in RULESET.meta.seats if seats > 1])


def leaves_new_things_to_alice(_: State, seat: int, action: Any) -> bool:
    """Whether an action of the others than Alice uses or takes what only the house rules have."""
    if seat == ALICE:
        return False
    if isinstance(action, TakeOver):
        return action.use in NEW
    return bool({action.use, action.take} & NEW) if isinstance(action, Infiltrate) else type(action) in OF_NEW_TYPES


def shares_of_wins(games: Iterable[Played]) -> dict[int, float]:
    """The share of victories of each seat; a shared victory is shared."""
    won: Counter[int] = Counter()
    for game in games:
        won.update(dict.fromkeys(game.winners, 1 / len(game.winners)))
    return {seat: round(won[seat] / GAMES, 3) for seat in sorted(won)}


@players
def test_no_seat_and_no_house_rule_stands_out(seats: int) -> None:
    games = [play(seats, HOUSE, f"balance {seats} {number}") for number in range(GAMES)]
    wins = shares_of_wins(games)
    abilities, consultants = sum((each.abilities for each in games), Counter()), Counter[str]()
    for each in games:
        consultants += each.consultants
    # A type of the book is in half of the games, so it counts twice; of the Accountant there is one card only.
    uses = {kind: abilities[kind] * (2 if kind in COMPANY_TYPES else 1) / GAMES for kind in EFFECTS}
    used = {each: consultants[each] / GAMES for each in (*CONSULTANTS, ACCOUNTANT, *DELUXE_CONSULTANTS)}
    print(f"\n{seats} players, wins by seat {wins}\nabilities a game {uses}\nconsultants a game {used}")
    assert all(abs(share - 1 / seats) < 0.18 for share in wins.values()) and len(wins) == seats
    of_book = sum(uses[kind] for kind in COMPANY_TYPES) / len(COMPANY_TYPES)
    assert all(0.4 * of_book < uses[kind] < 2 * of_book for kind in DELUXE_TYPES)
    usual = [used[each] for each in CONSULTANTS if used[each]]
    assert all(0.4 * min(usual) < used[each] < 1.6 * max(usual) for each in DELUXE_CONSULTANTS)
    assert 0.15 * min(usual) < used[ACCOUNTANT] < max(usual)


@players
def test_who_alone_uses_the_house_rules_is_not_far_ahead(seats: int) -> None:
    games = [play(seats, HOUSE, f"alone {seats} {number}", leaves_new_things_to_alice) for number in range(GAMES)]
    wins = shares_of_wins(games)
    print(f"\n{seats} players, Alice alone uses the house rules: wins by seat {wins}")
    assert abs(wins[ALICE] - 1 / seats) < 0.18
