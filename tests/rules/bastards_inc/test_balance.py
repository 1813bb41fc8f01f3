"""Self-play keeps the balance within the bounds that were measured, so that a change of data is seen.

The games are always the same. Run it with `pytest -m slow -s` to read the figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from statistics import mean

import pytest

from service.rules.games.bastards_inc.edition import BUSINESS_DATA, CARD_DATA, NORMAL, SHORT
from service.rules.games.bastards_inc.terms import PLANS
from tests.rules.bastards_inc.bots import EARNER, KINDS, Played, game
from tests.rules.bastards_inc.waits import mean_waits

pytestmark = pytest.mark.slow


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


def test_no_place_at_the_table_wins_much_more_than_another() -> None:
    assert all(20 <= share <= 30 for share in wins_by_place([*games("equal"), *games("mix")]))


def test_no_business_plan_wins_much_more_than_another() -> None:
    assert all(10 <= share <= 25 for share in wins_by_plan([*games("equal"), *games("mix")]).values())


@tables
def test_nuclear_war_ends_some_games_and_not_many(table: str) -> None:
    assert 2 <= nuclear(games(table)) <= 10


@tables
def test_a_game_ends_in_time_and_seldom_long_before(table: str) -> None:
    played = games(table)
    assert max(each.rounds for each in played) <= NORMAL.rounds
    assert 6.2 <= mean(each.rounds for each in played) <= 7


@tables
def test_nobody_is_asked_too_often_or_for_too_much_at_once(table: str) -> None:
    played = games(table)
    assert mean(each.waits for each in played) <= 12
    assert max(each.most_legal for each in played) <= 300


@tables
def test_moves_given_ahead_save_a_third_of_the_waits_or_more(table: str) -> None:
    without, with_orders = (mean_waits(table, way, 12) for way in ("instructions", "orders"))
    assert with_orders <= min(7, without * 0.7)


@tables
def test_every_card_is_played(table: str) -> None:
    done = sum((each.done for each in games(table)), Counter())
    assert {*CARD_DATA, *BUSINESS_DATA} <= set(done)


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
