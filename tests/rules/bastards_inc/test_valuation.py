"""The features of a position, and the balance of the game in self-play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from statistics import mean
from typing import Any

import pytest

from service.rules.games.bastards_inc.edition import BUSINESS_DATA, CARD_DATA, NORMAL, SHORT
from service.rules.games.bastards_inc.features import NAMES, features
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import PLANS
from tests.rules.bastards_inc.bots import EARNER, KINDS, Played, game
from tests.rules.bastards_inc.support import ALICE, BOB, table
from tests.rules.bastards_inc.waits import mean_waits


def numbers(state: State, seat: int = ALICE) -> dict[str, float]:
    """Return the features by their names."""
    return dict(zip(NAMES, features(state, seat), strict=True))


def with_vps(*places: Any, **company: Any) -> State:
    """Return a table at which Alice's vice presidents stand at these places."""
    return table(companies={ALICE: {"vps": places, **company}})


@pytest.mark.parametrize(
    ("state", "name", "value"),
    [
        (with_vps("VIP", "VIP"), "free", 2),
        (with_vps("POO", "VIP"), "free", 1),
        # Technology is 3 at a table of mediocre companies: 0 in POO, and 2 short in SUP.
        (with_vps("POO", "VIP"), "sale", 3),
        (with_vps("SUP", "VIP"), "sale", 8 - 5),
        (with_vps("TLK", "NWS"), "campaign", 6),
        (with_vps("PTY", "VIP")._replace(wars=("ROG",)), "campaign", 6),
        # b01 takes Technology 2 and a vice president in TIG.
        (with_vps("TIG", "VIP", hand=("b01",)), "deal", 3),
        (with_vps("KOR", "VIP", hand=("b01",)), "deal", 0),
        (with_vps(("POO", 4), "VIP"), "laundry", 4),
        (with_vps(("POO", 4), "VIP"), "black-money", 4),
    ],
)
def test_a_vice_president_counts_by_what_it_can_earn(state: State, name: str, value: float) -> None:
    assert numbers(state)[name] == value


def test_in_a_war_nothing_can_be_earned() -> None:
    found = numbers(with_vps(("POO", 4), "VIP")._replace(wars=("POO",)))
    assert (found["at-war"], found["sale"], found["laundry"]) == (1, 0, 0)


def test_what_is_decided_unseen_counts_before_it_is_paid() -> None:
    drawing = table(phase="draw", answers=((ALICE, 2),))
    assert (numbers(drawing)["owed"], numbers(drawing)["cards"]) == (5, 2)
    collecting = table(phase="collect", companies={ALICE: {"vps": ("POO", "POO")}}, answers=((ALICE, (2,)),))
    assert (numbers(collecting)["free"], numbers(collecting)["sale"]) == (1, 3)
    fighting = table(phase="challenge", answers=((ALICE, 1),))
    assert numbers(fighting)["owed"] == 3


def test_what_another_has_decided_unseen_counts_for_nobody_else() -> None:
    drawing = table(phase="draw", answers=((BOB, 2),))
    assert features(drawing, ALICE) == features(drawing._replace(answers=()), ALICE)


def test_in_the_last_round_nothing_is_left_for_later() -> None:
    found = numbers(table(companies={ALICE: {"vps": ("POO", "VIP", "VIP")}})._replace(round=7))
    assert found["vice-presidents"] == 1 and found["vice-presidents-left"] == 0


# Self-play keeps the balance within measured bounds: a change of data shows. The games are always the same.
# `pytest -m slow -s` prints the figures.


@cache
def games(table: str, seats: int = 4, short: bool = False, number: int = 600) -> Sequence[Played]:
    """Return games: all seats earners, or each of them one of the four kinds at random."""
    played = []
    for each in range(number):
        rng = Random(f"{table}:{each}")
        tastes = [EARNER] * seats if table == "equal" else [rng.choice(KINDS) for _ in range(seats)]
        played.append(game(tastes, {"short-game": short}, f"balance:{table}:{each}"))
    _print(f"{table}, {seats} seats{', short' * short}", played)
    return played


def wins_by_place(played: Sequence[Played]) -> list[float]:
    """Return the share of wins in percent by place, the first start player's first."""
    won: Counter[int] = Counter()
    seats = len(played[0].plans)
    for each in played:
        for seat in each.winners:
            won[(seat - each.start_player) % seats] += 1
    return [100 * won[place] / won.total() for place in range(seats)]


def wins_by_plan(played: Sequence[Played]) -> dict[str, float]:
    """Return the share of wins in percent by business plan."""
    won = Counter(each.plans[seat] for each in played for seat in each.winners)
    return {plan: 100 * won[plan] / won.total() for plan in PLANS}


def nuclear(played: Sequence[Played]) -> float:
    """Return the share of games in percent that end in nuclear war."""
    return 100 * sum(each.reason == "nuclear-war" for each in played) / len(played)


tables = pytest.mark.parametrize("table", ["equal", "mix"])


@pytest.mark.slow
def test_no_place_at_the_table_wins_much_more_than_another() -> None:
    assert all(20 <= share <= 30 for share in wins_by_place([*games("equal"), *games("mix")]))


@pytest.mark.slow
def test_no_business_plan_wins_much_more_than_another() -> None:
    assert all(10 <= share <= 25 for share in wins_by_plan([*games("equal"), *games("mix")]).values())


@pytest.mark.slow
@tables
def test_nuclear_war_ends_some_games_and_not_many(table: str) -> None:
    assert 2 <= nuclear(games(table)) <= 10


@pytest.mark.slow
@tables
def test_a_game_ends_in_time_and_seldom_long_before(table: str) -> None:
    played = games(table)
    assert max(each.rounds for each in played) <= NORMAL.rounds
    assert 6.2 <= mean(each.rounds for each in played) <= 7


@pytest.mark.slow
@tables
def test_nobody_is_asked_too_often_or_for_too_much_at_once(table: str) -> None:
    played = games(table)
    assert mean(each.waits for each in played) <= 12
    assert max(each.most_legal for each in played) <= 300


@pytest.mark.slow
@tables
def test_moves_given_ahead_save_a_third_of_the_waits_or_more(table: str) -> None:
    without, with_orders = (mean_waits(table, way, 12) for way in ("instructions", "orders"))
    assert with_orders <= min(7, without * 0.7)


@pytest.mark.slow
@tables
def test_every_card_is_played(table: str) -> None:
    done = sum((each.done for each in games(table)), Counter())
    assert {*CARD_DATA, *BUSINESS_DATA} <= set(done)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "short"), [(2, False), (3, False), (5, False), (6, False), (4, True)])
def test_other_numbers_of_players_and_the_short_game_keep_within_wider_bounds(seats: int, short: bool) -> None:
    played = games("mix", seats, short, 150)
    assert max(each.rounds for each in played) <= (SHORT if short else NORMAL).rounds
    assert mean(each.waits for each in played) <= 12
    assert max(each.most_legal for each in played) <= 300
    assert nuclear(played) <= 12
    assert all(abs(share - 100 / seats) <= 12 for share in wins_by_place(played))


def _print(table: str, played: Sequence[Played]) -> None:
    places = " ".join(f"{share:.1f}" for share in wins_by_place(played))
    plans = " ".join(f"{plan} {share:.1f}" for plan, share in wins_by_plan(played).items())
    print(f"\n{table}: {len(played)} games, wins by place {places}, by plan {plans}, nuclear {nuclear(played):.1f} %")
    print(f"rounds {mean(each.rounds for each in played):.2f}, waits {mean(each.waits for each in played):.1f}")
