"""What computer players see in a game against ODS: numbers that follow from the rules."""

from __future__ import annotations

from typing import Any

from service.players.match import Chair, play
from service.players.player import player
from tests.rules.playouts import chance_of, few, played, seeds

ODS = 1


def named(ruleset: Any, state: Any) -> dict[str, float]:
    valuation = ruleset.valuation.alone
    return dict(zip(valuation.names, valuation.features(state, 0), strict=True))


def taken(ruleset: Any, state: Any, seat: int, action: Any) -> list[Any]:
    """Return the companies that an action takes over."""
    events = ruleset.decide(state, seat, action, chance_of(1))
    return [state.companies[event.target] for event in events if type(event).__name__ == "CompanyTakenOver"]


@few
@seeds
def test_the_lead_is_that_of_the_standings(seed: int) -> None:
    ruleset, game = played("new-corp-order", 1, seed)
    for state in game.states:
        own, others = (each["total"] for each in ruleset.standings(state, 0)["seats"])
        assert named(ruleset, state)["lead"] == own - others


@few
@seeds
def test_what_ods_would_take_is_what_it_takes(seed: int) -> None:
    ruleset, game = played("new-corp-order", 1, seed)
    for state in game.states:
        turn = ruleset.automaton(state)
        if turn is not None:
            scoring = [each.type in state.objectives[ODS] for each in taken(ruleset, state, ODS, turn[1])]
            seen = named(ruleset, state)
            assert (seen["ods-scores"], seen["ods-takes"]) == (sum(scoring), len(scoring) - sum(scoring))


@few
@seeds
def test_what_is_in_reach_is_what_a_takeover_wins(seed: int) -> None:
    ruleset, game = played("new-corp-order", 1, seed)
    for state in game.states[:-1]:
        if state.active == 0 and state.phase == "turn":
            won = {each.name: each for action in ruleset.legal(state, 0) for each in taken(ruleset, state, 0, action)}
            won = {name: each for name, each in won.items() if each.colour not in state.colours[0]}
            scoring = sum(each.type in state.objectives[0] for each in won.values())
            seen = named(ruleset, state)
            assert (seen["prizes"], seen["targets"]) == (scoring, len(won) - scoring)


def test_normal_wins_most_games_against_ods() -> None:
    ruleset, _ = played("new-corp-order", 1, 1)
    chair = Chair("normal", player(ruleset, 1, "normal").choose)
    ends = [play(ruleset, [chair], f"alone:{number}")[1] for number in range(6)]
    assert sum(0 in end["winners"] for end in ends) >= 4
