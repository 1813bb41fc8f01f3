"""The abilities of the Deluxe companies: R-74 to R-76."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import AddAgents, PlaceCard, SkipAbility, TakeOver, WithdrawAgents
from service.rules.games.new_corp_order.events import (
    AbilityLapsed,
    AgentsPlaced,
    AgentsWithdrawn,
    CardsPlaced,
    TurnBegan,
)
from tests.case import Case
from tests.rules.new_corp_order.tables import (
    ALICE,
    BOB,
    HOUSE,
    HQ,
    NEGATIVE,
    PLACEMENT,
    VIRAL,
    Tile,
    case,
    table,
    won,
)

GRID = {"A1": Tile("blue", 1), "B1": Tile("black", 3), "C1": Tile("white", 2)}


def taken(kind: str, **more: Any) -> Case:
    """Alice has just won D1, a company of a type, with two red agents on it."""
    return case.given(*won("D1", kind, **{"grid": GRID, "options": HOUSE} | more))


def listed(state: Any) -> list[Any]:
    """Alice's uses of the ability."""
    return [each for each in RULESET.legal(state, ALICE) if not isinstance(each, SkipAbility)]


@pytest.mark.parametrize(("company", "colour"), [("A1", "blue"), ("B1", "black"), ("D1", "red")])
@pytest.mark.parametrize("agents", [1, 2])
def test_r_74_one_or_two_agents_of_the_supply_join_a_company(company: str, colour: str, agents: int) -> None:
    here = taken(VIRAL)
    answer = here.when(ALICE, AddAgents(company=company, agents=agents))
    answer.then(AgentsPlaced(seat=ALICE, company=company, colour=colour, agents=agents), TurnBegan(seat=BOB))
    assert here.state.companies[company].agents + agents == answer.state.companies[company].agents
    assert here.state.supply[colour] - agents == answer.state.supply[colour]


@pytest.mark.parametrize("agents", [-1, 0, 3])
def test_r_74_no_other_number_of_agents_comes(agents: int) -> None:
    taken(VIRAL).when(ALICE, AddAgents(company="A1", agents=agents)).refused("wrong-number-of-agents", "R-74")


def test_r_74_what_the_supply_has_not_does_not_come() -> None:
    scarce = taken(VIRAL, grid={"A1": Tile("blue", 24), "B1": Tile("white"), "C1": Tile("black")}, others="white")
    assert 1 == scarce.state.supply["blue"]
    scarce.when(ALICE, AddAgents(company="A1", agents=2)).refused("supply-too-small", "R-74", left=1)
    assert [AddAgents(company="A1", agents=1)] == [each for each in listed(scarce.state) if each.company == "A1"]


def test_r_74_every_company_is_listed_with_one_agent_and_with_two() -> None:
    state = taken(VIRAL).state
    assert {AddAgents(company=square, agents=n) for square in state.companies for n in (1, 2)} == set(listed(state))


def test_r_75_a_card_of_the_hand_goes_to_the_hq_without_an_agent() -> None:
    here = taken(PLACEMENT, hands=[{"white": 2, "red": 1}])
    answer = here.when(ALICE, PlaceCard(colour="white"))
    answer.then(CardsPlaced(seat=ALICE, colour="white", cards=1), TurnBegan(seat=BOB))
    assert (1, 1) == (answer.state.hands[ALICE]["white"], answer.state.hqs[ALICE].cards["white"])
    assert here.state.companies == answer.state.companies and here.state.supply == answer.state.supply


def test_r_75_only_cards_of_ones_own_hand_can_be_placed() -> None:
    here = taken(PLACEMENT, hands=[{"white": 2, "red": 1}, {"blue": 3}])
    here.when(ALICE, PlaceCard(colour="blue")).refused("cards-not-in-hand", "R-75", colour="blue", held=0)
    assert [PlaceCard(colour="red"), PlaceCard(colour="white")] == listed(here.state)


def test_r_75_with_an_empty_hand_the_ability_lapses() -> None:
    grid = {"A1": Tile("red", 3), "B1": Tile("black", 1, PLACEMENT), "C1": Tile("black")}
    here = case.given(*table(2, grid=grid, hqs=[HQ({"red": 2})], options=HOUSE))
    here.when(ALICE, TakeOver(source="A1", target="B1", agents=2)).then_includes(
        AbilityLapsed(seat=ALICE, company="B1")
    )


@pytest.mark.parametrize("agents", [1, 2])
def test_r_76_one_or_two_agents_of_a_company_go_back_to_the_supply(agents: int) -> None:
    here = taken(NEGATIVE)
    answer = here.when(ALICE, WithdrawAgents(company="B1", agents=agents))
    answer.then(AgentsWithdrawn(company="B1", colour="black", agents=agents), TurnBegan(seat=BOB))
    assert 3 - agents == answer.state.companies["B1"].agents
    assert here.state.supply["black"] + agents == answer.state.supply["black"]


def test_r_76_one_agent_stays() -> None:
    taken(NEGATIVE).when(ALICE, WithdrawAgents(company="A1", agents=1)).refused("last-agent-stays", "R-76", square="A1")
    taken(NEGATIVE).when(ALICE, WithdrawAgents(company="C1", agents=2)).refused("last-agent-stays", "R-76", square="C1")


@pytest.mark.parametrize("agents", [-1, 0, 3])
def test_r_76_no_other_number_of_agents_goes(agents: int) -> None:
    taken(NEGATIVE).when(ALICE, WithdrawAgents(company="B1", agents=agents)).refused("wrong-number-of-agents", "R-76")


def test_r_76_every_company_with_agents_to_spare_is_listed() -> None:
    expected = {("B1", 1), ("B1", 2), ("C1", 1), ("D1", 1)}
    assert expected == {(each.company, each.agents) for each in listed(taken(NEGATIVE).state)}


@pytest.mark.parametrize(
    ("kind", "action"),
    [
        (VIRAL, WithdrawAgents(company="B1", agents=1)),
        (PLACEMENT, AddAgents(company="B1", agents=1)),
        (NEGATIVE, PlaceCard(colour="red")),
    ],
)
def test_r_30_a_company_has_its_own_ability_and_no_other(kind: str, action: Any) -> None:
    taken(kind, hands=[{"red": 1}]).when(ALICE, action).refused("other-ability", "R-30", ability=kind)


@pytest.mark.parametrize("action", [AddAgents(company="D4", agents=1), WithdrawAgents(company="D4", agents=1)])
def test_r_02_a_square_off_the_grid_has_no_company(action: Any) -> None:
    kind = VIRAL if isinstance(action, AddAgents) else NEGATIVE
    taken(kind).when(ALICE, action).refused("no-such-company", None, square="D4")
