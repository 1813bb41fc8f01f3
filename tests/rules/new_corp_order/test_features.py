"""What computer players see in a position: numbers that follow from the rules."""

from __future__ import annotations

import pytest

from tests.rules.playouts import chance_of, few, played, seeds


@pytest.mark.parametrize("seats", [2, 3, 4])
@few
@seeds
def test_the_lead_is_that_of_the_standings(seats: int, seed: int) -> None:
    ruleset, game = played("new-corp-order", seats, seed)
    assert ruleset.valuation is not None
    for state in game.states[:-1:3]:
        for seat in range(seats):
            scores = [each["total"] for each in ruleset.standings(state, seat)["seats"]]
            named = dict(zip(ruleset.valuation.names, ruleset.valuation.features(state, seat), strict=True))
            own = scores.pop(seat)
            which = "" if state.final_turns is None else "last-"
            assert named[f"{which}lead"] == own - max(scores)
            assert named[f"{which}lead-over-mean"] == own - sum(scores) / len(scores)
            assert named["lead-early"] == pytest.approx(named["lead"] * len(state.deck) / 50)


@pytest.mark.parametrize("seats", [2, 3, 4])
@few
@seeds
def test_in_the_last_round_a_hand_is_worth_something_only_to_a_seat_that_has_a_turn_yet(seats: int, seed: int) -> None:
    ruleset, game = played("new-corp-order", seats, seed)
    assert ruleset.valuation is not None
    last = [state for state in game.states[:-1] if state.final_turns is not None and state.phase == "turn"]
    for number, state in enumerate(last):
        turns_yet = {state.active, *(later.active for later in last[number + 1 :])}
        for seat in range(seats):
            named = dict(zip(ruleset.valuation.names, ruleset.valuation.features(state, seat), strict=True))
            assert named["last-one"] and not named["one"]
            assert named["last-others-yet"] >= len(turns_yet - {seat})
            assert bool(named["last-hand-yet"]) <= (seat in turns_yet and any(state.hands[seat].values()))
    assert last


@pytest.mark.parametrize("seats", [2, 3])
@few
@seeds
def test_the_best_capture_is_one_that_the_rules_allow(seats: int, seed: int) -> None:
    ruleset, game = played("new-corp-order", seats, seed)
    assert ruleset.valuation is not None
    seen = 0
    for state in game.states[:-1]:
        seat = state.active
        named = dict(zip(ruleset.valuation.names, ruleset.valuation.features(state, seat), strict=True))
        if named["capture"] and state.phase == "turn":
            taken = [
                fact
                for action in ruleset.legal(state, seat)
                if type(action).__name__ == "TakeOver"
                for fact in ruleset.decide(state, seat, action, chance_of(1))
                if type(fact).__name__ == "CompanyTakenOver"
            ]
            seen += 1
            assert taken or _last_of_a_colour(state)
    assert seen


def _last_of_a_colour(state: object) -> bool:
    companies = state.companies.values()  # type: ignore[attr-defined]
    colours = [company.colour for company in companies]
    return any(colours.count(colour) == 1 for colour in colours)
