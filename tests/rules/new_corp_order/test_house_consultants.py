"""The consultants of the house rules: R-72, R-78, R-79."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import TakeOver
from service.rules.games.new_corp_order.events import (
    AgentsMoved,
    CardsRotated,
    CompanyTakenOver,
    ConsultantTaken,
    ConsultantUsed,
    DefenderHired,
    TakeoverFailed,
    TurnBegan,
)
from tests.case import Case
from tests.rules.new_corp_order.placing import agents, cards, given, got, infiltrate, infiltrations, used
from tests.rules.new_corp_order.tables import (
    ACCOUNTANT,
    ALICE,
    BOB,
    CONTRACTOR,
    DEALMAKER,
    HEADHUNTER,
    HOUSE,
    HQ,
    PLACEMENT,
    SPIN_DOCTOR,
    Tile,
    case,
    table,
)

GRID = {"A1": Tile("red", 5), "B1": Tile("black", 3, PLACEMENT), "A2": Tile("red", 1), "B2": Tile("black", 1)}


def attacking(reds: int, consultant: str, **more: Any) -> Case:
    """Alice's turn with red cards to rotate and a consultant."""
    return case.given(
        *table(2, **{"grid": GRID, "options": HOUSE, "hqs": [HQ({"red": reds}, {}, {}, [consultant])]} | more)
    )


def take_over(agents: int, use: str | None, target: str = "B1") -> TakeOver:
    return TakeOver(source="A1", target=target, agents=agents, use=use)


def takeovers(state: Any, use: str) -> set[tuple[str, int]]:
    """Alice's Takeovers from A1 with a consultant: target and number of agents."""
    listed = [each for each in RULESET.legal(state, ALICE) if isinstance(each, TakeOver)]
    return {(each.target, each.agents) for each in listed if each.source == "A1" and each.use == use}


def test_r_72_with_the_accountant_a_takeover_rotates_one_card_fewer_than_agents_move() -> None:
    answer = attacking(3, ACCOUNTANT).when(ALICE, take_over(4, ACCOUNTANT))
    answer.then_includes(
        ConsultantUsed(seat=ALICE, consultant=ACCOUNTANT), CardsRotated(hq=ALICE, colour="red", cards=3)
    )
    assert answer.facts[2] == CompanyTakenOver(
        seat=ALICE, source="A1", target="B1", colour="red", agents=4, defender="black", defenders=3
    )
    assert 1 == answer.state.consultants[ACCOUNTANT]


def test_r_72_at_least_one_card_is_rotated_so_two_agents_move() -> None:
    attacking(3, ACCOUNTANT).when(ALICE, take_over(1, ACCOUNTANT)).refused(
        "corporate-accountant-needs-two-agents", "R-72"
    )
    answer = attacking(1, ACCOUNTANT).when(ALICE, take_over(2, ACCOUNTANT, "A2"))
    answer.then_includes(AgentsMoved(source="A1", target="A2", colour="red", agents=2))


def test_r_72_one_card_is_spared_and_not_two() -> None:
    attacking(2, ACCOUNTANT).when(ALICE, take_over(4, ACCOUNTANT)).refused("too-few-cards", "R-19", unrotated=2)
    attacking(3, ACCOUNTANT).when(ALICE, take_over(4, None)).refused("too-few-cards", "R-19", unrotated=3)


def test_r_72_one_agent_stays_behind_all_the_same() -> None:
    attacking(5, ACCOUNTANT).when(ALICE, take_over(5, ACCOUNTANT)).refused("last-agent-stays", "R-19")


@pytest.mark.parametrize(("reds", "numbers"), [(0, set()), (1, {2}), (2, {2, 3}), (3, {2, 3, 4}), (5, {2, 3, 4})])
def test_r_72_what_the_accountant_makes_possible_is_listed(reds: int, numbers: set[int]) -> None:
    listed = takeovers(attacking(reds, ACCOUNTANT).state, ACCOUNTANT)
    assert {(target, number) for target in ("A2", "B1") for number in numbers} == listed


def test_r_72_the_sentence_says_how_many_cards_are_rotated() -> None:
    told = RULESET.describe(take_over(4, ACCOUNTANT), ALICE, "en", ("Alice", "Bob"))
    assert told == "Takeover with the Corporate Accountant: rotate 3 cards and move 4 agents from A1 to B1."


def test_r_78_the_spin_doctor_brings_one_agent_more_than_cards() -> None:
    answer = given({"red": 2}, SPIN_DOCTOR, options=HOUSE).when(ALICE, infiltrate(("red", 2, "A1"), use=SPIN_DOCTOR))
    answer.then(used(SPIN_DOCTOR), cards("red", 2), agents("A1", "red", 3), TurnBegan(seat=BOB))


def test_r_78_two_cards_and_three_agents_fetch_no_consultant() -> None:
    here = given({"red": 3}, SPIN_DOCTOR, options=HOUSE)
    placing = infiltrate(("red", 2, "A1"), use=SPIN_DOCTOR, take=DEALMAKER)
    here.when(ALICE, placing).refused("too-few-cards-for-consultant", "R-16")
    three = infiltrate(("red", 3, "A1"), use=SPIN_DOCTOR, take=ACCOUNTANT)
    here.when(ALICE, three).then_includes(agents("A1", "red", 4), got(ACCOUNTANT))


def test_r_78_the_supply_has_to_have_the_further_agent() -> None:
    grid = {"A1": Tile("red", 22), "B1": Tile("blue")}
    here = given({"red": 2}, SPIN_DOCTOR, grid=grid, options=HOUSE)
    left = here.state.supply["red"]
    assert 1 == left
    here.when(ALICE, infiltrate(("red", 1, "A1"), use=SPIN_DOCTOR)).refused("supply-too-small", "R-78", left=1)
    assert not [each for each in infiltrations(here.state) if each.use == SPIN_DOCTOR]


def test_r_78_he_does_not_change_two_colours_or_bring_a_joker() -> None:
    here = given({"red": 1, "blue": 1}, SPIN_DOCTOR, options=HOUSE)
    two = infiltrate(("red", 1, "A1"), ("blue", 1, "B1"), use=SPIN_DOCTOR)
    here.when(ALICE, two).refused("second-colour-needs-corporate-lawyer", "R-18")
    joker = infiltrate(("red", 1, "A1"), use=SPIN_DOCTOR, joker="blue")
    here.when(ALICE, joker).refused("joker-needs-media-advisor", "R-17")


def test_r_79_the_headhunter_brings_a_second_defender_to_the_hq() -> None:
    answer = attacking(4, HEADHUNTER).when(ALICE, take_over(4, HEADHUNTER))
    answer.then_includes(DefenderHired(seat=ALICE, colour="black"))
    before = attacking(4, HEADHUNTER).state.supply["black"]
    assert (2, before + 1) == (answer.state.hqs[ALICE].agents["black"], answer.state.supply["black"])


def test_r_79_a_single_defender_is_all_there_is() -> None:
    grid = {**GRID, "B1": Tile("black", 1, PLACEMENT)}
    answer = attacking(4, HEADHUNTER, grid=grid).when(ALICE, take_over(2, HEADHUNTER))
    answer.then_none_is(DefenderHired)
    assert 1 == answer.state.hqs[ALICE].agents["black"]


def test_r_79_without_a_win_nobody_is_hired() -> None:
    lost = attacking(4, HEADHUNTER).when(ALICE, take_over(3, HEADHUNTER))
    lost.then_none_is(DefenderHired)
    lost.then_includes(TakeoverFailed(seat=ALICE, source="A1", target="B1", colour="red", agents=3))
    attacking(4, HEADHUNTER).when(ALICE, take_over(2, HEADHUNTER, "A2")).then_none_is(DefenderHired)


@pytest.mark.parametrize("consultant", [ACCOUNTANT, HEADHUNTER])
def test_r_11_those_of_takeovers_do_not_fit_an_infiltration(consultant: str) -> None:
    placing = infiltrate(("red", 1, "A1"), use=consultant)
    given({"red": 1}, consultant, options=HOUSE).when(ALICE, placing).refused(
        "consultant-does-not-fit", "R-11", consultant=consultant, fits="take-over"
    )


def test_r_11_the_spin_doctor_does_not_fit_a_takeover() -> None:
    attacking(4, SPIN_DOCTOR).when(ALICE, take_over(4, SPIN_DOCTOR)).refused(
        "consultant-does-not-fit", "R-11", fits="infiltrate"
    )


@pytest.mark.parametrize("consultant", [ACCOUNTANT, SPIN_DOCTOR, HEADHUNTER])
def test_r_70_without_house_rules_they_can_be_neither_used_nor_taken(consultant: str) -> None:
    here = given({"red": 3}, CONTRACTOR)
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=consultant)).refused("consultant-not-in-supply", "R-16")
    action = infiltrate(("red", 1, "A1"), use=SPIN_DOCTOR) if consultant == SPIN_DOCTOR else take_over(2, consultant)
    here.when(ALICE, action).refused("consultant-not-held", "R-11", consultant=consultant)


def test_r_16_the_only_accountant_is_gone_once_it_is_taken() -> None:
    hqs = [HQ(), HQ(consultants=[ACCOUNTANT])]
    here = case.given(*table(3, hands=[{"red": 3}], hqs=hqs, options=HOUSE, grid={"A1": Tile("red")}))
    placing = infiltrate(("red", 3, "A1"), take=ACCOUNTANT)
    here.when(ALICE, placing).refused("consultant-not-in-supply", "R-16", consultant=ACCOUNTANT)
    assert not [each for each in infiltrations(here.state) if each.take == ACCOUNTANT]
    assert (
        ConsultantTaken(seat=ALICE, consultant=HEADHUNTER)
        in here.when(ALICE, infiltrate(("red", 3, "A1"), take=HEADHUNTER)).facts
    )
