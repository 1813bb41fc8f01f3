"""The last round (R-40), forced passes (R-10), and who wins (R-46)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import (
    Discard,
    Infiltrate,
    Placement,
    Plot,
    SkipAbility,
    TakeOver,
)
from service.rules.games.new_corp_order.events import (
    AbilitySkipped,
    AgentsPlaced,
    CardsDiscarded,
    CardsPlaced,
    CardTaken,
    DisplayRefilled,
    EndTriggered,
    GameEnded,
    TurnBegan,
    TurnPassed,
)
from tests.rules.new_corp_order.tables import (
    ALICE,
    AMBIENT,
    BOB,
    CAROL,
    CONTRACTOR,
    DEALMAKER,
    GUERRILLA,
    HQ,
    ONLINE,
    PRINT,
    SOCIAL,
    Tile,
    case,
    just_won,
    table,
)

GRID = {"A1": Tile("red", 2, ONLINE), "B1": Tile("red", 1, GUERRILLA), "C1": Tile("blue", 1, ONLINE)}
PLOT = Plot(sources=("1", "2"))
PLACING = Infiltrate(placements=(Placement(colour="red", cards=1, company="A1"),))


def whose_turns(facts: tuple[Any, ...]) -> list[int]:
    """The seats whose turns began."""
    return [fact.seat for fact in facts if isinstance(fact, TurnBegan)]


@pytest.mark.parametrize("trigger", [ALICE, BOB, CAROL])
def test_r_40_everybody_has_one_more_turn_and_the_triggering_player_the_last(trigger: int) -> None:
    here = case.given(*table(3, active=trigger, deck=(), hands=[{"red": 3}] * 3, grid=GRID))
    answer = here.when(trigger, PLOT)
    answer.then_includes(EndTriggered(seat=trigger))
    order = whose_turns(answer.facts)
    while RULESET.outcome(answer.state) is None:
        answer = answer.case_after.when(order[-1], PLACING)
        order += whose_turns(answer.facts)
    assert [(trigger + step) % 3 for step in (1, 2, 3)] == order
    assert isinstance(answer.facts[-1], GameEnded)
    assert frozenset() == RULESET.to_act(answer.state)


def test_r_40_a_later_failed_refill_triggers_nothing_new() -> None:
    here = case.given(*table(3, deck=("white",), final_turns=3))
    answer = here.when(ALICE, PLOT)
    answer.then(
        CardTaken(seat=ALICE, source="1", card="red", to="hand"),
        CardTaken(seat=ALICE, source="2", card="black", to="hand"),
        DisplayRefilled(cards=(("1", "white"),)),
        TurnBegan(seat=BOB),
    )
    assert 1 == answer.state.final_turns


def test_r_40_the_game_ends_after_the_last_turns_last_decision() -> None:
    here = case.given(*table(3, deck=(), hands=[{"red": 5}], final_turns=1))
    plotted = here.when(ALICE, PLOT)
    plotted.then_none_is(GameEnded)
    discarded = plotted.case_after.when(ALICE, Discard(cards=("black",)))
    discarded.then_includes(CardsDiscarded(seat=ALICE, cards=("black",)))
    assert isinstance(discarded.facts[-1], GameEnded)
    discarded.then_none_is(TurnBegan)


def test_r_40_the_last_ability_is_still_a_decision() -> None:
    hqs = [HQ(), HQ({"red": 1})]
    here = case.given(*table(2, grid=GRID, hqs=hqs, deck=(), final_turns=1), *just_won("B1", agents=1))
    answer = here.when(ALICE, SkipAbility())
    answer.then_includes(AbilitySkipped(seat=ALICE, company="B1"))
    assert isinstance(answer.facts[-1], GameEnded)


def test_r_40_after_the_end_nobody_acts() -> None:
    here = case.given(*table(2, grid=GRID, deck=(), hands=[{"red": 1}, {"red": 1}], final_turns=1))
    over = here.when(ALICE, PLACING).case_after
    for seat in (ALICE, BOB):
        over.when(seat, PLACING).refused("game-over", None)
        assert [] == list(RULESET.legal(over.state, seat))
    assert frozenset() == RULESET.to_act(over.state)


NOTHING = {"display": (None,) * 5, "deck": ()}


def test_r_10_a_player_without_a_legal_action_is_passed_over_in_the_same_step() -> None:
    here = case.given(*table(3, grid=GRID, hands=[{"red": 1}, {}, {"red": 1}], final_turns=3, **NOTHING))
    here.when(ALICE, PLACING).then(
        CardsPlaced(seat=ALICE, colour="red", cards=1),
        AgentsPlaced(seat=ALICE, company="A1", colour="red", agents=1),
        TurnPassed(seat=BOB),
        TurnBegan(seat=CAROL),
    )


def test_r_10_several_players_may_be_passed_over_and_the_game_ends() -> None:
    here = case.given(*table(3, grid=GRID, hands=[{"red": 1}], final_turns=3, **NOTHING))
    answer = here.when(ALICE, PLACING)
    answer.then_includes(TurnPassed(seat=BOB), TurnPassed(seat=CAROL))
    assert isinstance(answer.facts[-1], GameEnded)
    answer.then_none_is(TurnBegan)


def test_r_10_a_pass_uses_up_a_turn_of_the_last_round() -> None:
    here = case.given(*table(3, grid=GRID, hands=[{"red": 2}, {}, {"red": 1}], final_turns=2, active=CAROL, **NOTHING))
    answer = here.when(CAROL, PLACING)
    answer.then_includes(TurnBegan(seat=ALICE))
    assert isinstance(answer.case_after.when(ALICE, PLACING).facts[-1], GameEnded)


def test_r_10_a_player_with_a_legal_action_is_not_passed_over() -> None:
    here = {"grid": GRID, "hands": [{"red": 1}], "final_turns": 2}
    takeover = case.given(*table(2, hqs=[HQ(), HQ({"red": 1})], **here, **NOTHING))
    takeover.when(ALICE, PLACING).then_includes(TurnBegan(seat=BOB))
    plot = case.given(*table(2, display=(None, None, None, None, "red"), deck=(), **here))
    plot.when(ALICE, PLACING).then_includes(TurnBegan(seat=BOB))


def test_r_10_cards_without_agents_in_the_supply_are_no_legal_action() -> None:
    grid = {"A1": Tile("red", 24), "B1": Tile("blue", 1)}
    hands = [{"red": 1}, {"red": 2}]
    here = case.given(*table(2, grid=grid, others="black", hands=hands, final_turns=2, **NOTHING))
    assert 1 == here.state.supply["red"]
    here.when(ALICE, PLACING).then_includes(TurnPassed(seat=BOB))


def test_r_10_passing_is_no_action_and_no_list_holds_it() -> None:
    listed = RULESET.legal(case.given(*table(2)).state, ALICE)
    assert {Plot, TakeOver, Infiltrate} >= {type(action) for action in listed}


GOALS = [(SOCIAL, PRINT)] * 3
"""Objectives that no company of the grid below matches, but black's, of which nobody has a share."""


def ended(players: int, hqs: list[HQ], **grid: Tile) -> GameEnded:
    """The end of a game after Alice's last turn, in which she gets a white card; white and red have a company each."""
    laid = {"A1": Tile("red", 1, ONLINE), "D3": Tile("white", 1, AMBIENT), **grid}
    facts = table(
        players, grid=laid, others="black", hqs=hqs, hands=[{"white": 1}], objectives=GOALS[:players], final_turns=1
    )
    placing = Infiltrate(placements=(Placement(colour="white", cards=1, company="D3"),))
    last = case.given(*facts).when(ALICE, placing)
    outcome = RULESET.outcome(last.state)
    assert outcome is not None
    result = last.facts[-1]
    assert (list(result.winners), list(result.scores)) == (list(outcome["winners"]), list(outcome["scores"]))
    return result


def test_r_46_the_highest_score_wins() -> None:
    result = ended(3, [HQ(), HQ({"red": 1})], B1=Tile("red", 1, ONLINE))
    assert GameEnded(scores=(2, 4, 0), winners=(BOB,)) == result


def test_r_46_of_equals_the_one_with_more_agents_wins() -> None:
    result = ended(3, [HQ(), HQ(agents={"red": 1}), HQ()])
    assert GameEnded(scores=(2, 2, 0), winners=(BOB,)) == result


def test_r_46_agents_of_all_colours_count() -> None:
    result = ended(2, [HQ(agents={"white": 2}), HQ(agents={"red": 1, "white": 1, "blue": 1})])
    assert GameEnded(scores=(2, 2), winners=(BOB,)) == result


def test_r_46_still_tied_the_victory_is_shared() -> None:
    assert GameEnded(scores=(2, 2, 0), winners=(ALICE, BOB)) == ended(3, [HQ(), HQ({"red": 1})])
    result = ended(2, [HQ(agents={"white": 1}), HQ(agents={"red": 1})])
    assert GameEnded(scores=(2, 2), winners=(ALICE, BOB)) == result


def test_r_46_consultants_count_for_the_victory() -> None:
    result = ended(3, [HQ(consultants=[CONTRACTOR, DEALMAKER]), HQ({"red": 1})])
    assert GameEnded(scores=(3, 2, 0), winners=(ALICE,)) == result
