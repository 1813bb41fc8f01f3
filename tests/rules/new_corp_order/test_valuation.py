"""Features, valuation and candidates of computer players follow from the rules."""

from __future__ import annotations

from typing import Any

import pytest

from service.players.match import Chair, play
from service.players.player import player
from service.rules.games.new_corp_order.actions import Plot, TakeOver
from service.rules.games.new_corp_order.legal import legal
from service.rules.games.new_corp_order.valuation import candidates
from service.rules.lookahead import after
from tests.rules.playouts import TRIED, chance_of, few, played, seeds


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


# Against ODS.

ODS = 1


def solo_numbers(ruleset: Any, state: Any) -> dict[str, float]:
    valuation = ruleset.valuation.alone
    return dict(zip(valuation.names, valuation.features(state, 0), strict=True))


def companies_taken(ruleset: Any, state: Any, seat: int, action: Any) -> list[Any]:
    """Return the companies that an action takes over."""
    events = ruleset.decide(state, seat, action, chance_of(1))
    return [state.companies[event.target] for event in events if type(event).__name__ == "CompanyTakenOver"]


@few
@seeds
def test_the_lead_is_that_of_the_standings_in_solo(seed: int) -> None:
    ruleset, game = played("new-corp-order", 1, seed)
    for state in game.states:
        own, others = (each["total"] for each in ruleset.standings(state, 0)["seats"])
        assert solo_numbers(ruleset, state)["lead"] == own - others


@few
@seeds
def test_what_ods_would_take_is_what_it_takes(seed: int) -> None:
    ruleset, game = played("new-corp-order", 1, seed)
    for state in game.states:
        turn = ruleset.automaton(state)
        if turn is not None:
            scoring = [each.type in state.objectives[ODS] for each in companies_taken(ruleset, state, ODS, turn[1])]
            seen = solo_numbers(ruleset, state)
            assert (seen["ods-scores"], seen["ods-takes"]) == (sum(scoring), len(scoring) - sum(scoring))


@few
@seeds
def test_what_is_in_reach_is_what_a_takeover_wins(seed: int) -> None:
    ruleset, game = played("new-corp-order", 1, seed)
    for state in game.states[:-1]:
        if state.active == 0 and state.phase == "turn":
            won = {
                each.name: each
                for action in ruleset.legal(state, 0)
                for each in companies_taken(ruleset, state, 0, action)
            }
            won = {name: each for name, each in won.items() if each.colour not in state.colours[0]}
            scoring = sum(each.type in state.objectives[0] for each in won.values())
            seen = solo_numbers(ruleset, state)
            assert (seen["prizes"], seen["targets"]) == (scoring, len(won) - scoring)


def test_normal_wins_most_games_against_ods() -> None:
    ruleset, _ = played("new-corp-order", 1, 1)
    chair = Chair("normal", player(ruleset, 1, "normal").choose)
    ends = [play(ruleset, [chair], f"alone:{number}")[1] for number in range(6)]
    assert sum(0 in end["winners"] for end in ends) >= 4


# Candidates: no action that another does as well.

RULESET_TRIED = TRIED["new-corp-order"]


def on_turn(seats: int, display: tuple[str | None, ...], deck: int = 9) -> tuple[Any, int]:
    """Return a position at the beginning of a turn with such a display and so many cards in the deck."""
    _, game = played("new-corp-order", seats, 3)
    state = next(step.before for step in game.steps if step.before.phase == "turn" and step.before.turn > 9)
    return state._replace(display=display, deck=state.deck[:deck]), state.active


def plots(state: Any, seat: int) -> set[tuple[str, ...]]:
    return {action.sources for action in candidates(state, seat) if isinstance(action, Plot)}


def test_of_cards_of_one_colour_the_first_are_taken() -> None:
    state, seat = on_turn(3, ("red", "blue", "red", "red", "blue"))
    assert plots(state, seat) == {("deck",), ("1", "2"), ("1", "3"), ("2", "5")}


def test_a_card_of_the_display_is_not_taken_alone_while_a_second_one_is_due() -> None:
    state, seat = on_turn(3, ("red", None, None, None, "blue"), deck=0)
    assert plots(state, seat) == {("1", "5")}
    assert plots(state._replace(phase="second-card"), seat) == {("1",), ("5",)}
    assert plots(state._replace(display=("red", None, None, None, None)), seat) == {("1",)}


def test_every_pair_that_is_legal_is_there_in_a_form_of_its_own_or_as_the_deck_first() -> None:
    state, seat = on_turn(4, ("red", "blue", "red", "white", "black"))
    shown = dict(zip("12345", state.display, strict=True))
    legal_pairs = {
        frozenset(shown[source] for source in action.sources)
        for action in legal(state, seat)
        if isinstance(action, Plot) and len(action.sources) == 2 and "deck" not in action.sources
    }
    tried = {frozenset(shown[source] for source in pair) for pair in plots(state, seat) if "deck" not in pair}
    assert tried == legal_pairs and len(tried) == 7


def test_a_takeover_that_fails_is_no_candidate() -> None:
    _, game = played("new-corp-order", 2, 3)
    failing = 0
    for step in game.steps:
        if isinstance(step.action, TakeOver) and after(
            RULESET_TRIED, step.before, step.seat, step.action, chance_of(1)
        ):
            lost = step.after.companies == step.before.companies
            failing += lost
            assert (step.action in candidates(step.before, step.seat)) != lost
    assert failing, "no Takeover has failed in this game"
