"""The consultants: R-11 and R-16, and those that change an infiltration, R-17 and R-18."""

from __future__ import annotations

import pytest

from service.rules.games.new_corp_order.actions import TakeOver
from service.rules.games.new_corp_order.events import ConsultantTaken, TurnBegan
from tests.rules.new_corp_order.placing import GRID, agents, cards, given, got, infiltrate, infiltrations, used
from tests.rules.new_corp_order.tables import (
    ADVISOR,
    ALICE,
    BOB,
    CONTRACTOR,
    DEALMAKER,
    HQ,
    LAWYER,
    Tile,
    case,
    table,
)


def test_r_11_a_consultant_returns_to_the_supply_before_the_action() -> None:
    answer = given({"red": 1, "blue": 1}, ADVISOR).when(ALICE, infiltrate(("red", 1, "A1"), use=ADVISOR, joker="blue"))
    answer.then(used(ADVISOR), cards("red", 1), cards("blue", 1), agents("A1", "red", 2), TurnBegan(seat=BOB))
    assert 0 == answer.state.hqs[ALICE].consultants[ADVISOR]
    assert 2 == answer.state.consultants[ADVISOR]


def test_r_11_only_a_consultant_of_ones_own_is_used() -> None:
    placing = infiltrate(("red", 1, "A1"), use=ADVISOR, joker="blue")
    given({"red": 1, "blue": 1}, DEALMAKER).when(ALICE, placing).refused(
        "consultant-not-held", "R-11", consultant=ADVISOR
    )


@pytest.mark.parametrize("consultant", [DEALMAKER, CONTRACTOR])
def test_r_11_a_consultant_of_takeovers_does_not_fit_an_infiltration(consultant: str) -> None:
    placing = infiltrate(("red", 1, "A1"), use=consultant)
    given({"red": 1}, consultant).when(ALICE, placing).refused("consultant-does-not-fit", "R-11", consultant=consultant)


@pytest.mark.parametrize("consultant", [ADVISOR, LAWYER])
def test_r_11_a_consultant_of_infiltrations_does_not_fit_a_takeover(consultant: str) -> None:
    here = case.given(*table(3, grid=GRID, hqs=[HQ({"red": 2}, consultants=[consultant])]))
    here.when(ALICE, TakeOver(source="C1", target="B1", agents=2, use=consultant)).refused(
        "consultant-does-not-fit", "R-11", consultant=consultant
    )


def test_r_16_three_cards_of_a_colour_may_fetch_a_consultant() -> None:
    here = given({"red": 3})
    answer = here.when(ALICE, infiltrate(("red", 3, "A1"), take=CONTRACTOR))
    answer.then(cards("red", 3), agents("A1", "red", 3), got(CONTRACTOR), TurnBegan(seat=BOB))
    assert 1 == answer.state.hqs[ALICE].consultants[CONTRACTOR]
    assert 0 == answer.state.consultants[CONTRACTOR]


def test_r_16_taking_a_consultant_is_optional() -> None:
    here = given({"red": 3}, grid={"A1": Tile("red")}, others="blue")
    here.when(ALICE, infiltrate(("red", 3, "A1"))).then(cards("red", 3), agents("A1", "red", 3), TurnBegan(seat=BOB))
    takes = {action.take for action in infiltrations(here.state) if action.placements[0].cards == 3}
    assert {None, ADVISOR, DEALMAKER, CONTRACTOR} == takes
    assert {None} == {action.take for action in infiltrations(here.state) if action.placements[0].cards < 3}


def test_r_16_two_cards_fetch_no_consultant() -> None:
    placing = infiltrate(("red", 2, "A1"), take=CONTRACTOR)
    given({"red": 3}).when(ALICE, placing).refused("too-few-cards-for-consultant", "R-16")


def test_r_16_the_supply_must_have_the_consultant() -> None:
    here = case.given(*table(2, grid=GRID, hands=[{"red": 3}], hqs=[HQ(), HQ(consultants=[ADVISOR, CONTRACTOR])]))
    assert 0 == here.state.consultants[CONTRACTOR]
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=CONTRACTOR)).refused(
        "consultant-not-in-supply", "R-16", consultant=CONTRACTOR
    )
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=LAWYER)).refused(
        "consultant-not-in-supply", "R-16", consultant=LAWYER
    )


def test_r_16_the_type_used_this_turn_is_not_taken_again() -> None:
    here = given({"red": 3, "blue": 1}, ADVISOR)
    using = {"use": ADVISOR, "joker": "blue"}
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=ADVISOR, **using)).refused(
        "consultant-just-used", "R-16", consultant=ADVISOR
    )
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=DEALMAKER, **using)).then_includes(got(DEALMAKER))
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=ADVISOR)).then_includes(got(ADVISOR))
    takes = {action.take for action in infiltrations(here.state) if action.use == ADVISOR}
    assert {None, DEALMAKER, CONTRACTOR} == takes


def test_r_16_one_consultant_even_if_two_colours_qualify() -> None:
    here = given({"red": 3, "blue": 3}, LAWYER, players=3)
    placing = infiltrate(("red", 3, "A1"), ("blue", 3, "B1"), use=LAWYER, take=ADVISOR)
    answer = here.when(ALICE, placing)
    answer.then_includes(used(LAWYER), got(ADVISOR), TurnBegan(seat=BOB))
    assert 1 == len([fact for fact in answer.facts if isinstance(fact, ConsultantTaken)])


def test_r_16_three_cards_of_two_colours_do_not_qualify() -> None:
    placing = infiltrate(("red", 2, "A1"), ("blue", 2, "B1"), use=LAWYER, take=ADVISOR)
    given({"red": 2, "blue": 2}, LAWYER, players=3).when(ALICE, placing).refused("too-few-cards-for-consultant", "R-16")


def test_r_16_the_second_colour_may_qualify() -> None:
    placing = infiltrate(("red", 1, "A1"), ("blue", 3, "B1"), use=LAWYER, take=ADVISOR)
    given({"red": 1, "blue": 3}, LAWYER, players=3).when(ALICE, placing).then_includes(got(ADVISOR))


def test_r_17_the_joker_counts_as_the_main_colour_and_stays_its_own_in_the_hq() -> None:
    here = given({"red": 2, "blue": 1}, ADVISOR)
    answer = here.when(ALICE, infiltrate(("red", 2, "A1"), use=ADVISOR, joker="blue", take=DEALMAKER))
    answer.then(
        used(ADVISOR),
        cards("red", 2),
        cards("blue", 1),
        agents("A1", "red", 3),
        got(DEALMAKER),
        TurnBegan(seat=BOB),
    )
    assert (2, 1) == (answer.state.hqs[ALICE].cards["red"], answer.state.hqs[ALICE].cards["blue"])


def test_r_17_a_joker_needs_the_media_advisor() -> None:
    here = given({"red": 2, "blue": 1}, ADVISOR)
    here.when(ALICE, infiltrate(("red", 2, "A1"), joker="blue")).refused("joker-needs-media-advisor", "R-17")


def test_r_17_the_media_advisor_needs_a_joker() -> None:
    here = given({"red": 2, "blue": 1}, ADVISOR)
    here.when(ALICE, infiltrate(("red", 2, "A1"), use=ADVISOR)).refused("media-advisor-needs-joker", "R-17")


def test_r_17_the_joker_is_of_another_colour() -> None:
    here = given({"red": 3}, ADVISOR)
    here.when(ALICE, infiltrate(("red", 2, "A1"), use=ADVISOR, joker="red")).refused(
        "joker-of-main-colour", "R-17", colour="red"
    )


def test_r_17_at_least_one_card_is_of_the_main_colour() -> None:
    here = given({"red": 3, "blue": 1}, ADVISOR)
    here.when(ALICE, infiltrate(("red", 0, "A1"), use=ADVISOR, joker="blue")).refused("no-cards-placed", "R-15")


def test_r_17_the_joker_is_in_the_hand() -> None:
    here = given({"red": 3}, ADVISOR)
    here.when(ALICE, infiltrate(("red", 1, "A1"), use=ADVISOR, joker="blue")).refused(
        "cards-not-in-hand", "R-15", colour="blue", held=0
    )


def test_r_17_the_supply_must_hold_an_agent_for_the_joker_too() -> None:
    grid = {"A1": Tile("red", 24), "B1": Tile("blue")}
    here = given({"red": 1, "blue": 1}, ADVISOR, grid=grid, others="black")
    assert 1 == here.state.supply["red"]
    here.when(ALICE, infiltrate(("red", 1, "A1"), use=ADVISOR, joker="blue")).refused("supply-too-small", "R-15")
    here.when(ALICE, infiltrate(("red", 1, "A1"))).then_includes(agents("A1", "red", 1))


def test_r_17_every_colour_held_is_listed_as_joker() -> None:
    here = given({"red": 1, "blue": 1, "white": 2}, ADVISOR, grid={"A1": Tile("red")}, others="black")
    listed = {(action.placements[0].cards, action.joker) for action in infiltrations(here.state)}
    assert {(1, None), (1, "blue"), (1, "white")} == listed


def test_r_18_the_corporate_lawyer_places_two_colours() -> None:
    here = given({"red": 2, "blue": 1}, LAWYER, players=3)
    here.when(ALICE, infiltrate(("red", 2, "C1"), ("blue", 1, "B1"), use=LAWYER)).then(
        used(LAWYER),
        cards("red", 2),
        agents("C1", "red", 2),
        cards("blue", 1),
        agents("B1", "blue", 1),
        TurnBegan(seat=BOB),
    )


def test_r_18_a_second_colour_needs_the_corporate_lawyer() -> None:
    here = given({"red": 2, "blue": 1}, LAWYER, players=3)
    placing = infiltrate(("red", 2, "C1"), ("blue", 1, "B1"))
    here.when(ALICE, placing).refused("second-colour-needs-corporate-lawyer", "R-18")


def test_r_18_the_corporate_lawyer_needs_two_colours() -> None:
    here = given({"red": 2, "blue": 1}, LAWYER, players=3)
    here.when(ALICE, infiltrate(("red", 2, "C1"), use=LAWYER)).refused("corporate-lawyer-needs-two-colours", "R-18")
    same = infiltrate(("red", 1, "A1"), ("red", 1, "C1"), use=LAWYER)
    here.when(ALICE, same).refused("corporate-lawyer-needs-two-colours", "R-18")


def test_r_18_each_colour_has_at_least_one_card() -> None:
    here = given({"red": 2, "blue": 1}, LAWYER, players=3)
    placing = infiltrate(("red", 2, "C1"), ("blue", 0, "B1"), use=LAWYER)
    here.when(ALICE, placing).refused("no-cards-placed", "R-15")


def test_r_18_each_colour_goes_to_a_company_of_its_own() -> None:
    here = given({"red": 2, "blue": 1}, LAWYER, players=3)
    placing = infiltrate(("red", 2, "C1"), ("blue", 1, "A1"), use=LAWYER)
    here.when(ALICE, placing).refused("other-colour-there", "R-15", square="A1")


def test_r_18_the_corporate_lawyer_is_not_combined_with_a_joker() -> None:
    here = given({"red": 2, "blue": 1, "white": 1}, LAWYER, ADVISOR, players=3)
    two = (("red", 1, "C1"), ("blue", 1, "B1"))
    here.when(ALICE, infiltrate(*two, use=LAWYER, joker="white")).refused("joker-needs-media-advisor", "R-17")
    here.when(ALICE, infiltrate(*two, use=ADVISOR, joker="white")).refused(
        "second-colour-needs-corporate-lawyer", "R-18"
    )


def test_r_18_three_colours_are_too_many() -> None:
    here = given({"red": 1, "blue": 1, "white": 1}, LAWYER, players=3, grid={**GRID, "D1": Tile("white")})
    here.when(ALICE, infiltrate(("red", 1, "C1"), ("blue", 1, "B1"), ("white", 1, "D1"), use=LAWYER)).refused()


def test_r_18_both_orders_are_accepted_and_one_is_listed() -> None:
    grid = {"A1": Tile("red"), "B1": Tile("blue")}
    here = given({"red": 1, "blue": 1}, LAWYER, players=3, grid=grid, others="black")
    two = (("red", 1, "A1"), ("blue", 1, "B1"))
    states = [here.when(ALICE, infiltrate(*order, use=LAWYER)).state for order in (two, two[::-1])]
    assert states[0] == states[1]
    assert 1 == len([action for action in infiltrations(here.state) if action.use == LAWYER])
