"""Takeover: R-19 to R-22, with the consultants that change it."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import SkipAbility, TakeOver
from service.rules.games.new_corp_order.events import (
    AbilitySkipped,
    AgentsMoved,
    CardsDrawn,
    CardsRotated,
    CompanyTakenOver,
    ConsultantUsed,
    DecisionReached,
    EndTriggered,
    TakeoverFailed,
    TurnBegan,
)
from tests.rules.new_corp_order.tables import (
    ADVISOR,
    ALICE,
    BOB,
    BROADCAST,
    CONTRACTOR,
    DEALMAKER,
    HQ,
    LAWYER,
    Tile,
    case,
    table,
)

GRID = {"A1": Tile("red", 4), "B1": Tile("blue", 2, BROADCAST), "A2": Tile("red", 1), "B2": Tile("black", 3)}


def given(red: int = 3, *consultants: str, rotated: int = 0, **more: Any) -> Any:
    """Alice's turn with red cards in her HQ; red has four agents on A1, blue two on B1."""
    hq = HQ({"red": red}, rotated={"red": rotated}, consultants=consultants)
    return case.given(*table(**{"grid": GRID, "hqs": [hq], **more}))


def take_over(agents: int, target: str = "B1", use: str | None = None, source: str = "A1") -> TakeOver:
    """Red's agents go from A1 to a neighbour."""
    return TakeOver(source=source, target=target, agents=agents, use=use)


def rotated(number: int) -> CardsRotated:
    """Alice's red cards were rotated."""
    return CardsRotated(hq=ALICE, colour="red", cards=number)


def failed(agents: int, target: str = "B1") -> TakeoverFailed:
    """Red's agents came back to A1."""
    return TakeoverFailed(seat=ALICE, source="A1", target=target, colour="red", agents=agents)


def won(agents: int, target: str = "B1", defender: str = "blue", defenders: int = 2) -> CompanyTakenOver:
    """Red's agents took a company over."""
    return CompanyTakenOver(
        seat=ALICE, source="A1", target=target, colour="red", agents=agents, defender=defender, defenders=defenders
    )


ABILITY = DecisionReached(seat=ALICE, decision="ability")
NEXT = TurnBegan(seat=BOB)


@pytest.mark.parametrize("agents", [1, 2])
def test_r_19_a_failed_attempt_rotates_the_cards_and_returns_the_agents(agents: int) -> None:
    here = given(3)
    answer = here.when(ALICE, take_over(agents))
    answer.then(rotated(agents), failed(agents), NEXT)
    assert here.state.companies == answer.state.companies
    assert (3 - agents, agents) == (answer.state.hqs[ALICE].cards["red"], answer.state.hqs[ALICE].rotated["red"])


@pytest.mark.parametrize("agents", [0, -1])
def test_r_19_at_least_one_agent_moves(agents: int) -> None:
    given(3).when(ALICE, take_over(agents)).refused("no-agents-moved", "R-19")


@pytest.mark.parametrize(("source", "target"), [("A1", "B2"), ("A1", "C1"), ("A1", "A1"), ("D1", "A1"), ("D1", "A2")])
def test_r_19_the_target_is_orthogonally_adjacent(source: str, target: str) -> None:
    here = given(3, grid={"A1": Tile("red", 4), "D1": Tile("red", 4)}, others="blue")
    here.when(ALICE, take_over(1, target, source=source)).refused("not-adjacent", "R-19", source=source, target=target)


def test_r_19_as_many_unrotated_cards_as_agents_are_needed() -> None:
    here = given(2, rotated=3)
    here.when(ALICE, take_over(3)).refused("too-few-cards", "R-19", colour="red", unrotated=2)
    here.when(ALICE, take_over(2)).then_includes(rotated(2))
    given(0, rotated=3).when(ALICE, take_over(1)).refused("too-few-cards", "R-19", colour="red", unrotated=0)


def test_r_19_at_least_one_agent_stays_on_the_source() -> None:
    here = given(5)
    here.when(ALICE, take_over(4)).refused("last-agent-stays", "R-19", square="A1")
    here.when(ALICE, take_over(5)).refused("last-agent-stays", "R-19", square="A1")
    here.when(ALICE, take_over(1, "B2", source="A2")).refused("last-agent-stays", "R-19", square="A2")
    here.when(ALICE, take_over(3)).then_includes(won(3))


@pytest.mark.parametrize(("source", "target"), [("A4", "A1"), ("A1", "A4"), ("E1", "A1")])
def test_r_19_source_and_target_are_on_the_grid(source: str, target: str) -> None:
    given(3).when(ALICE, take_over(1, target, source=source)).refused("no-such-company", None)


def test_r_19_failing_attempts_are_listed() -> None:
    listed = [action for action in RULESET.legal(given(3).state, ALICE) if isinstance(action, TakeOver)]
    numbers = [action.agents for action in listed if (action.source, action.target) == ("A1", "B1")]
    assert [1, 2, 3] == sorted(numbers)


def test_r_20_success_needs_more_agents_than_the_target_holds() -> None:
    answer = given(3).when(ALICE, take_over(3))
    answer.then(rotated(3), won(3), ABILITY)
    assert ("red", 3) == (answer.state.companies["B1"].colour, answer.state.companies["B1"].agents)
    assert 1 == answer.state.companies["A1"].agents
    assert frozenset({ALICE}) == RULESET.to_act(answer.state)


def test_r_20_the_military_contractor_needs_only_as_many() -> None:
    here = given(3, CONTRACTOR)
    used = ConsultantUsed(seat=ALICE, consultant=CONTRACTOR)
    here.when(ALICE, take_over(2, use=CONTRACTOR)).then(used, rotated(2), won(2), ABILITY)
    here.when(ALICE, take_over(1, use=CONTRACTOR)).then(used, rotated(1), failed(1), NEXT)


def test_r_11_the_military_contractor_may_be_used_where_it_is_not_needed() -> None:
    here = given(3, CONTRACTOR)
    used = ConsultantUsed(seat=ALICE, consultant=CONTRACTOR)
    here.when(ALICE, take_over(3, use=CONTRACTOR)).then(used, rotated(3), won(3), ABILITY)
    merged = AgentsMoved(source="A1", target="A2", colour="red", agents=1)
    here.when(ALICE, take_over(1, "A2", use=CONTRACTOR)).then(used, rotated(1), merged, NEXT)


def test_r_11_a_takeover_uses_only_a_consultant_of_ones_own() -> None:
    here = given(3, DEALMAKER)
    here.when(ALICE, take_over(2, use=CONTRACTOR)).refused("consultant-not-held", "R-11", consultant=CONTRACTOR)


@pytest.mark.parametrize("consultant", [ADVISOR, LAWYER])
def test_r_11_only_the_consultants_of_takeovers_are_listed_with_one(consultant: str) -> None:
    here = given(3, consultant, DEALMAKER, players=3)
    uses = {action.use for action in RULESET.legal(here.state, ALICE) if isinstance(action, TakeOver)}
    assert {None, DEALMAKER} == uses


LAST_BLUE = {"A1": Tile("red", 4), "B1": Tile("blue", 2), "A2": Tile("red"), "C3": Tile("white")}


def test_r_20_the_last_agents_of_a_colour_are_not_taken_over() -> None:
    here = given(3, grid=LAST_BLUE, others="black")
    here.when(ALICE, take_over(3)).refused("last-of-colour", "R-20", colour="blue")
    listed = [action for action in RULESET.legal(here.state, ALICE) if isinstance(action, TakeOver)]
    assert 3 not in [action.agents for action in listed if action.target == "B1"]


def test_r_20_an_attempt_on_the_last_of_a_colour_that_fails_anyway_is_legal() -> None:
    here = given(3, CONTRACTOR, grid=LAST_BLUE, others="black")
    here.when(ALICE, take_over(2)).then(rotated(2), failed(2), NEXT)
    here.when(ALICE, take_over(2, use=CONTRACTOR)).refused("last-of-colour", "R-20", colour="blue")
    here.when(ALICE, take_over(1, use=CONTRACTOR)).then_includes(failed(1))


def test_r_20_the_last_company_but_one_of_a_colour_may_be_taken() -> None:
    here = given(3, grid={**LAST_BLUE, "D3": Tile("blue")}, others="black")
    here.when(ALICE, take_over(3)).then_includes(won(3))


DRAWN = CardsDrawn(seat=ALICE, cards=("white", "blue"))
DECK = ("white", "blue", "red")


def test_r_21_the_dealmaker_draws_two_after_a_failed_attempt() -> None:
    used = ConsultantUsed(seat=ALICE, consultant=DEALMAKER)
    answer = given(3, DEALMAKER, deck=DECK).when(ALICE, take_over(1, use=DEALMAKER))
    answer.then(used, rotated(1), failed(1), DRAWN, NEXT)
    assert ("red",) == answer.state.deck


def test_r_21_the_dealmaker_draws_two_after_a_merger() -> None:
    used = ConsultantUsed(seat=ALICE, consultant=DEALMAKER)
    merged = AgentsMoved(source="A1", target="A2", colour="red", agents=1)
    here = given(3, DEALMAKER, deck=DECK)
    here.when(ALICE, take_over(1, "A2", use=DEALMAKER)).then(used, rotated(1), merged, DRAWN, NEXT)


def test_r_21_the_dealmaker_draws_after_the_company_ability() -> None:
    used = ConsultantUsed(seat=ALICE, consultant=DEALMAKER)
    answer = given(3, DEALMAKER, deck=DECK).when(ALICE, take_over(3, use=DEALMAKER))
    answer.then(used, rotated(3), won(3), ABILITY)
    skipped = AbilitySkipped(seat=ALICE, company="B1")
    answer.case_after.when(ALICE, SkipAbility()).then(skipped, DRAWN, NEXT)


def test_r_21_without_the_dealmaker_nothing_is_drawn_after_the_ability() -> None:
    answer = given(3, DEALMAKER, deck=DECK).when(ALICE, take_over(3))
    answer.case_after.when(ALICE, SkipAbility()).then(AbilitySkipped(seat=ALICE, company="B1"), NEXT)


def test_r_21_the_dealmaker_draws_what_is_left() -> None:
    given(3, DEALMAKER, deck=("white",)).when(ALICE, take_over(1, use=DEALMAKER)).then_includes(
        failed(1), CardsDrawn(seat=ALICE, cards=("white",)), NEXT
    )
    nothing = given(3, DEALMAKER, deck=()).when(ALICE, take_over(1, use=DEALMAKER))
    nothing.then(ConsultantUsed(seat=ALICE, consultant=DEALMAKER), rotated(1), failed(1), NEXT)


def test_r_13_a_dealmaker_that_empties_the_deck_triggers_nothing() -> None:
    answer = given(3, DEALMAKER, deck=("white", "blue")).when(ALICE, take_over(1, use=DEALMAKER))
    answer.then_none_is(EndTriggered)
    assert () == answer.state.deck and answer.state.final_turns is None


def test_r_14_the_hand_limit_holds_after_a_dealmaker() -> None:
    here = given(3, DEALMAKER, deck=DECK, hands=[{"red": 5}])
    answer = here.when(ALICE, take_over(1, use=DEALMAKER))
    answer.then_includes(failed(1), DRAWN, DecisionReached(seat=ALICE, decision="discard"))
    answer.then_none_is(TurnBegan)


def test_r_14_the_discard_comes_after_ability_and_dealmaker() -> None:
    here = given(3, DEALMAKER, deck=DECK, hands=[{"red": 6}])
    answer = here.when(ALICE, take_over(3, use=DEALMAKER)).case_after.when(ALICE, SkipAbility())
    answer.then(AbilitySkipped(seat=ALICE, company="B1"), DRAWN, DecisionReached(seat=ALICE, decision="discard"))


def test_r_22_moving_onto_the_same_colour_merges_and_triggers_nothing() -> None:
    answer = given(3).when(ALICE, take_over(2, "A2"))
    answer.then(rotated(2), AgentsMoved(source="A1", target="A2", colour="red", agents=2), NEXT)
    assert (2, 3) == (answer.state.companies["A1"].agents, answer.state.companies["A2"].agents)
    assert 0 == sum(answer.state.hqs[ALICE].agents.values())


def test_r_22_a_merger_too_leaves_one_agent_behind() -> None:
    given(5).when(ALICE, take_over(4, "A2")).refused("last-agent-stays", "R-19", square="A1")


def test_r_22_one_defender_goes_to_the_hq_and_the_others_to_the_supply() -> None:
    here = given(5, grid={"A1": Tile("red", 6), "B1": Tile("blue", 3), "C1": Tile("blue")})
    answer = here.when(ALICE, take_over(4))
    answer.then_includes(won(4, defenders=3))
    assert {"red": 0, "black": 0, "blue": 1, "white": 0} == answer.state.hqs[ALICE].agents
    assert 2 == answer.state.supply["blue"] - here.state.supply["blue"]


def test_r_22_a_lone_defender_goes_to_the_hq() -> None:
    here = given(5, grid={"A1": Tile("red", 6), "B1": Tile("blue", 1), "C1": Tile("blue")})
    answer = here.when(ALICE, take_over(2))
    answer.then_includes(won(2, defenders=1))
    assert 1 == answer.state.hqs[ALICE].agents["blue"]
    assert 0 == answer.state.supply["blue"] - here.state.supply["blue"]
