"""Hints and analyses go by what a seat knows, tell reasons that hold, and are the same again."""

from __future__ import annotations

import pytest

from service.players.analysis import (
    Chances,
    PlayedStep,
    Prediction,
    analyse_step,
    binned,
    brier,
    brier_of_constant,
    public_chances,
    turning_points,
)
from service.players.hints import MOST, hints
from service.players.levels import dice_for
from service.players.player import lookalike_state
from service.rules.kernel import fold
from service.views.table import hint_reasons
from tests.players.test_player import seat_to_act
from tests.rules.playouts import TABLES, TRIED, chance_of, played

EVERY = 29


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_seats_that_cannot_see_the_difference_get_the_same_hints(name: str, seats: int) -> None:
    ruleset, game = played(name, seats, 1)
    for number, state in enumerate(game.states[:-1:EVERY]):
        seat = seat_to_act(ruleset, state, seats)
        if seat is not None:
            twin = lookalike_state(ruleset, state, seat, chance_of(1_000))
            found = hints(ruleset, seats, state, seat, chance_of(number))
            assert found == hints(ruleset, seats, twin, seat, chance_of(number))
            assert len(found) <= MOST
            assert {each.action for each in found} <= set(ruleset.legal(state, seat))


def test_the_points_that_a_hint_promises_are_won() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    promised = 0
    for state in game.states[40:-1:7]:
        seat = seat_to_act(ruleset, state, 2)
        for hint in hints(ruleset, 2, state, seat, chance_of(1)) if seat is not None else ():
            after = fold(ruleset, ruleset.decide(state, seat, hint.action, chance_of(2)), state)
            totals = [ruleset.standings(each, seat)["seats"][seat]["total"] for each in (state, after)]
            for reason in hint.reasons:
                if reason.what == "points":
                    assert totals[1] - totals[0] == reason.change
                    promised += 1
    assert promised


@pytest.mark.parametrize(("name", "seats"), [("new-corp-order", 1), ("new-corp-order", 4), ("bastards-inc", 3)])
def test_what_speaks_for_a_move_is_said_in_words_of_the_game_in_every_language(name: str, seats: int) -> None:
    ruleset, game = played(name, seats, 1)
    named = set()
    for number, state in enumerate(game.states[:-1:9]):
        seat = seat_to_act(ruleset, state, seats)
        for hint in hints(ruleset, seats, state, seat, chance_of(number)) if seat is not None else ():
            named |= {reason.what for reason in hint.reasons}
            told = [hint_reasons(ruleset, seats, hint, language) for language in ("en", "de", "fr")]
            assert {len(each) for each in told} == {len(hint.reasons)}
            assert all(text and "{" not in text for each in told for text in each)
    assert len(named - {"points", "others", "better", "wins"}) > 2


def test_of_a_game_that_knows_nothing_of_positions_an_estimate_speaks_for_a_move() -> None:
    ruleset, game = played("sealed-bids", 3, 1)
    found = []
    for number, state in enumerate(game.states[:-1]):
        seat = seat_to_act(ruleset, state, 3)
        found += hints(ruleset, 3, state, seat, chance_of(number)) if seat is not None else []
    told = [hint_reasons(ruleset, 3, each, "en") for each in found]
    assert any(text.startswith("estimated points above your average move: +") for each in told for text in each)


def test_of_a_move_that_wins_the_game_nothing_else_is_said() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    last = game.states[-2]
    [seat] = ruleset.to_act(last)
    won = [
        hint
        for hint in hints(ruleset, 2, last, seat, chance_of(1))
        if ruleset.outcome(fold(ruleset, ruleset.decide(last, seat, hint.action, chance_of(2)), last))
    ]
    assert won and all(hint_reasons(ruleset, 2, hint, "en") == ["wins the game"] for hint in won)


def test_public_chances_know_nothing_that_a_spectator_does_not() -> None:
    ruleset, game = played("new-corp-order", 3, 1)
    chances, state = Chances(ruleset, 3), game.states[30]
    twin = lookalike_state(ruleset, state, None, chance_of(7))
    assert twin != state
    assert public_chances(chances, state, chance_of(1)) == public_chances(chances, twin, chance_of(1))


def test_a_step_looked_at_again_is_told_the_same_and_the_end_is_certain() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    chances = Chances(ruleset, 2)
    middle = PlayedStep(30, None, None, game.states[29], game.states[30])
    assert analyse_step(chances, "a", middle) == analyse_step(chances, "a", middle)
    last = analyse_step(chances, "a", PlayedStep(90, None, None, game.states[-2], game.states[-1])).point
    assert sorted(last.public) == [pytest.approx(0), pytest.approx(1)] or last.public == [0.5, 0.5]


def test_the_best_move_has_lost_nothing_and_another_one_is_judged_by_two_budgets() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    chances = Chances(ruleset, 2)
    state = next(each for each in game.states[20:] if seat_to_act(ruleset, each, 2) == 0)
    found = [
        analyse_step(chances, "a", PlayedStep(1, 0, action, state, state)).lost
        for action in ruleset.legal(state, 0)[:12]
    ]
    judged = [each for each in found if each is not None]
    assert judged
    assert all(each.least <= each.most for each in judged)
    assert {each.better for each in judged}.isdisjoint(each.action for each in judged if each.most > 0.05)


def test_turning_points_are_told_in_the_order_of_the_game() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    chances = Chances(ruleset, 2)
    points = [
        analyse_step(chances, "a", PlayedStep(number, None, None, None, state)).point
        for number, state in enumerate(game.states)
    ]
    found = turning_points(points)
    assert found and [each.seq for each in found] == sorted(each.seq for each in found)
    assert all(abs(each.after - each.before) >= 0.05 for each in found)


def test_forecasts_are_compared_with_what_came() -> None:
    made = [Prediction(0.9, 1), Prediction(0.9, 0), Prediction(0.1, 0), Prediction(0.1, 0)]
    assert brier(made) == pytest.approx((0.01 + 0.81 + 0.01 + 0.01) / 4)
    assert brier_of_constant(made) == pytest.approx(0.1875)
    assert [(each.won, each.number) for each in binned(made)] == [(0, 2), (0.5, 2)]


def test_dice_of_hints_follow_from_what_a_record_tells() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    state = game.states[20]
    seat = seat_to_act(TRIED["new-corp-order"], state, 2) or 0
    assert hints(ruleset, 2, state, seat, dice_for("g", 3, seat, "hard")) == hints(
        ruleset, 2, state, seat, dice_for("g", 3, seat, "hard")
    )
