"""ODS's plots: R-63 to R-65."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.new_corp_order.actions import PlayOds
from service.rules.games.new_corp_order.events import (
    AgentsPlaced,
    CardSwept,
    CardTaken,
    CompanyTakenOver,
    DisplayRefilled,
    EndTriggered,
    GameEnded,
    MarkerMoved,
    PriorityFollowed,
    TurnBegan,
)
from tests.case import Answer
from tests.rules.new_corp_order.tables import (
    AMBIENT,
    BROADCAST,
    GUERRILLA,
    HQ,
    ODS,
    ONLINE,
    PLAYER,
    PRINT,
    SOCIAL,
    Tile,
    case,
    solo,
)

BLUE_A1_WHITE_D3 = {"A1": Tile("blue", 1, PRINT), "D3": Tile("white", 1, PRINT)}
BEFORE = {"A": 3, "B": 0, "C": 1, "D": 2}


def ods_turn(*display: str | None, column: str = "A", **more: Any) -> Answer:
    """What ODS does with a display: red and black are the player's, companies not told are red's."""
    told = {"grid": BLUE_A1_WHITE_D3, "others": "red", "marker": BEFORE[column], **more}
    return case.given(*solo(display=display, active=ODS, **told)).when(ODS, PlayOds())


def taken(answer: Answer) -> list[tuple[str, str]]:
    """The cards that ODS took, as (slot, colour)."""
    facts = [fact for fact in answer.facts if isinstance(fact, CardTaken)]
    assert all((ODS, "hq") == (fact.seat, fact.to) for fact in facts)
    return [(fact.source, fact.card) for fact in facts]


def swept(answer: Answer) -> list[tuple[str, str]]:
    """The cards that ODS discarded, as (slot, colour)."""
    return [(fact.slot, fact.card) for fact in answer.facts if isinstance(fact, CardSwept)]


def priorities(answer: Answer) -> list[str]:
    """What ODS followed."""
    return [fact.priority for fact in answer.facts if isinstance(fact, PriorityFollowed)]


def placed(answer: Answer) -> list[tuple[str, str, int]]:
    """Where agents went, as (company, colour, number)."""
    return [(fact.company, fact.colour, fact.agents) for fact in answer.facts if isinstance(fact, AgentsPlaced)]


def test_r_63_b_1_two_cards_of_a_colour_are_taken_and_their_agents_go_to_one_company() -> None:
    answer = ods_turn("red", "blue", "blue", "white")
    answer.then(
        MarkerMoved(column=0),
        PriorityFollowed(priority="B-1"),
        CardTaken(seat=ODS, source="2", card="blue", to="hq"),
        CardTaken(seat=ODS, source="3", card="blue", to="hq"),
        PriorityFollowed(priority="BB-3"),
        AgentsPlaced(seat=ODS, company="A1", colour="blue", agents=2),
        TurnBegan(seat=PLAYER),
    )
    assert ("red", None, None, "white") == answer.state.display
    assert 2 == answer.state.hqs[ODS].cards["blue"]


def test_r_63_b_1_the_leftmost_two_of_three_or_four() -> None:
    assert [("1", "blue"), ("3", "blue")] == taken(ods_turn("blue", "white", "blue", "blue"))
    assert [("1", "blue"), ("2", "blue")] == taken(ods_turn("blue", "blue", "blue", "blue"))


def test_r_63_b_1_a_pair_comes_before_one_of_each() -> None:
    assert [("2", "white"), ("4", "white")] == taken(ods_turn("blue", "white", "red", "white", ods=HQ({"blue": 5})))


PAIRS = ("blue", "white", "white", "blue")


@pytest.mark.parametrize(
    ("ods", "colour"),
    [
        (HQ(), "blue"),
        (HQ({"white": 1}), "white"),
        (HQ({"white": 1, "blue": 1}), "blue"),
        (HQ({"blue": 1}, rotated={"white": 2}), "white"),
        (HQ({"blue": 3}, rotated={"white": 2}), "blue"),
        (HQ({"red": 5, "white": 1}), "white"),
    ],
)
def test_r_63_b_1_of_two_pairs_the_colour_with_more_cards_in_the_hq_then_further_left(ods: HQ, colour: str) -> None:
    expected = {"blue": [("1", "blue"), ("4", "blue")], "white": [("2", "white"), ("3", "white")]}
    answer = ods_turn(*PAIRS, ods=ods)
    assert (expected[colour], "B-1") == (taken(answer), priorities(answer)[0])


def test_r_63_b_1_agents_in_the_hq_are_no_cards() -> None:
    assert ("1", "blue") == taken(ods_turn(*PAIRS, ods=HQ(agents={"white": 3})))[0]


def test_r_63_b_2_one_of_each_colour_are_both_taken() -> None:
    answer = ods_turn("red", "white", "black", "blue")
    assert [("2", "white"), ("4", "blue")] == taken(answer)
    assert "B-2" == priorities(answer)[0] and [] == swept(answer)


def test_r_63_b_3_the_only_card_is_taken_and_one_of_the_players_goes_to_the_box() -> None:
    answer = ods_turn("red", "blue", "black", "red")
    answer.then(
        MarkerMoved(column=0),
        PriorityFollowed(priority="B-3"),
        CardTaken(seat=ODS, source="2", card="blue", to="hq"),
        CardSwept(slot="1", card="red"),
        PriorityFollowed(priority="BB-3"),
        AgentsPlaced(seat=ODS, company="A1", colour="blue", agents=1),
        TurnBegan(seat=PLAYER),
    )
    assert (None, None, "black", "red") == answer.state.display
    assert 6 == answer.state.box["red"]


@pytest.mark.parametrize(
    ("hq", "expected"),
    [
        (HQ({"black": 1}), ("3", "black")),
        (HQ({"black": 1, "red": 1}), ("1", "red")),
        (HQ({"red": 1}, rotated={"black": 2}), ("3", "black")),
        (HQ(rotated={"black": 1, "red": 2}), ("1", "red")),
        (HQ({"white": 4, "black": 1}), ("3", "black")),
    ],
)
def test_r_63_b_3_of_the_colour_of_which_the_player_has_more_in_the_hq_then_further_left(
    hq: HQ, expected: tuple[str, str]
) -> None:
    assert [expected] == swept(ods_turn("red", "blue", "black", "black", hq=hq))


def test_r_63_b_3_a_colour_that_is_not_in_the_display_is_not_discarded() -> None:
    assert [("3", "red")] == swept(ods_turn(None, "blue", "red", None, hq=HQ({"black": 4})))


def test_r_63_b_3_without_a_card_of_the_players_only_its_own_is_taken() -> None:
    answer = ods_turn(None, "blue", None, None, deck=("white", "red", "black", "blue", "red"))
    assert ([("2", "blue")], [], "B-3") == (taken(answer), swept(answer), priorities(answer)[0])


OBJECTIVES = (ONLINE, GUERRILLA, BROADCAST)


def places(grid: dict[str, Tile], column: str = "A") -> tuple[str, str]:
    """Where ODS puts blue's two agents, and what it followed."""
    answer = ods_turn("red", "blue", "blue", "white", column=column, grid=grid, objectives=OBJECTIVES)
    assert "B-1" == priorities(answer)[0]
    ((company, colour, agents),) = placed(answer)
    assert ("blue", 2) == (colour, agents)
    return company, priorities(answer)[1]


WHITE = {"D2": Tile("white", 1, AMBIENT)}


def test_r_64_bb_1_an_objective_match_with_a_neighbour_that_has_as_many_or_more() -> None:
    grid = {**WHITE, "A1": Tile("blue", 2, ONLINE), "A3": Tile("blue", 1, PRINT), "C3": Tile("blue", 1, ONLINE)}
    assert ("C3", "BB-1") == places(grid)
    assert ("A1", "BB-1") == places({**grid, "B1": Tile("black", 2)})
    assert ("A1", "BB-1") == places({**grid, "B1": Tile("white", 3)})


def test_r_64_bb_2_then_any_objective_match() -> None:
    grid = {**WHITE, "A1": Tile("blue", 1, PRINT), "C3": Tile("blue", 2, ONLINE), "C1": Tile("blue", 1, SOCIAL)}
    assert ("C3", "BB-2") == places(grid)


def test_r_64_bb_3_then_a_neighbour_that_has_as_many_or_more() -> None:
    grid = {**WHITE, "A1": Tile("blue", 2, PRINT), "C3": Tile("blue", 1, SOCIAL)}
    assert ("C3", "BB-3") == places(grid)
    assert ("A1", "BB-3") == places({**grid, "A2": Tile("red", 2)})


def test_r_64_bb_4_then_any_company_of_the_colour() -> None:
    grid = {**WHITE, "A1": Tile("blue", 2, PRINT), "C3": Tile("blue", 2, SOCIAL)}
    assert ("A1", "BB-4") == places(grid)


@pytest.mark.parametrize(("column", "first"), [("A", "A3"), ("B", "C1"), ("C", "C1"), ("D", "A3")])
def test_r_64_the_first_company_in_scan_order_that_qualifies(column: str, first: str) -> None:
    grid = {**WHITE, "A3": Tile("blue", 1, ONLINE), "C1": Tile("blue", 1, ONLINE), "C3": Tile("blue", 1, GUERRILLA)}
    assert (first, "BB-1") == places(grid, column)


def test_r_64_agents_are_placed_colour_by_colour_in_the_order_of_the_display() -> None:
    answer = ods_turn("red", "white", "black", "blue")
    assert [("D3", "white", 1), ("A1", "blue", 1)] == placed(answer)
    kinds = [type(fact) for fact in answer.facts[4:8]]
    assert [PriorityFollowed, AgentsPlaced, PriorityFollowed, AgentsPlaced] == kinds


def test_r_64_the_second_colour_is_judged_with_the_first_already_placed() -> None:
    grid = {"A1": Tile("blue", 1, PRINT), "B1": Tile("white", 2, ONLINE)}
    after = ods_turn("blue", "white", "red", "red", grid=grid, objectives=OBJECTIVES)
    assert ["B-2", "BB-3", "BB-1"] == priorities(after)
    before = ods_turn("white", "blue", "red", "red", grid=grid, objectives=OBJECTIVES)
    assert ["B-2", "BB-2", "BB-3"] == priorities(before)


def test_r_65_c_1_two_alike_of_the_players_cards_are_discarded() -> None:
    answer = ods_turn("black", "red", "red", None)
    answer.then(
        MarkerMoved(column=0),
        PriorityFollowed(priority="C-1"),
        CardSwept(slot="2", card="red"),
        CardSwept(slot="3", card="red"),
        TurnBegan(seat=PLAYER),
    )
    assert (7, 5) == (answer.state.box["red"], answer.state.box["black"])


def test_r_65_c_1_a_pair_comes_first_whatever_is_in_the_hq() -> None:
    assert [("1", "red"), ("2", "red")] == swept(ods_turn("red", "red", "red", "black", hq=HQ({"black": 4})))


@pytest.mark.parametrize(
    ("hq", "colour"),
    [
        (HQ(), "red"),
        (HQ({"black": 1}), "black"),
        (HQ({"red": 1}, rotated={"black": 2}), "black"),
        (HQ({"red": 1}, rotated={"black": 1}), "red"),
    ],
)
def test_r_65_c_1_of_two_pairs_the_colour_with_more_cards_in_the_hq_then_further_left(hq: HQ, colour: str) -> None:
    answer = ods_turn("red", "black", "black", "red", hq=hq)
    expected = {"red": [("1", "red"), ("4", "red")], "black": [("2", "black"), ("3", "black")]}
    assert (expected[colour], ["C-1"]) == (swept(answer), priorities(answer))


def test_r_65_c_2_one_of_each_are_discarded() -> None:
    answer = ods_turn(None, "black", None, "red", deck=("white", "red", "black", "blue"))
    assert ([("2", "black"), ("4", "red")], ["C-2"]) == (swept(answer), priorities(answer))


def test_r_65_c_3_a_single_card_is_discarded() -> None:
    answer = ods_turn(None, None, "black", None, deck=("white", "red", "black", "blue"))
    assert ([("3", "black")], ["C-3"]) == (swept(answer), priorities(answer))


def test_r_51_the_display_is_refilled_when_ods_has_emptied_it() -> None:
    refill = DisplayRefilled(cards=(("1", "white"), ("2", "red"), ("3", "black"), ("4", "blue")))
    deck = ("white", "red", "black", "blue", "red")
    for display in [(None, "blue", None, "blue"), (None, "red", None, "blue"), ("red", "red", None, None)]:
        answer = ods_turn(*display, deck=deck)
        answer.then_includes(refill, TurnBegan(seat=PLAYER))
        assert [refill, TurnBegan(seat=PLAYER)] == list(answer.facts[-2:])
    ods_turn("red", "blue", "blue", None, deck=deck).then_none_is(DisplayRefilled)


def test_r_52_the_game_ends_when_ods_has_emptied_the_display_and_too_few_cards_are_left() -> None:
    answer = ods_turn(None, "blue", None, "blue", deck=("white", "red", "black"))
    assert [("A1", "blue", 2)] == placed(answer), "agents are placed on the last plot too"
    assert isinstance(answer.facts[-1], GameEnded)
    answer.then_none_is(TurnBegan).then_none_is(DisplayRefilled).then_none_is(EndTriggered)


def test_r_63_a_takeover_comes_before_a_plot() -> None:
    grid = {"A1": Tile("blue", 3, PRINT), "D3": Tile("white", 1, PRINT)}
    answer = ods_turn("red", "blue", "blue", "white", grid=grid, ods=HQ({"blue": 2}))
    assert 1 == len([fact for fact in answer.facts if isinstance(fact, CompanyTakenOver)])
    assert [] == taken(answer)


def test_r_51_the_display_is_not_looked_at_after_a_takeover() -> None:
    grid = {"A1": Tile("blue", 3, PRINT), "D3": Tile("white", 1, PRINT)}
    answer = ods_turn(None, None, None, None, grid=grid, ods=HQ({"blue": 2}), deck=())
    answer.then_none_is(GameEnded).then_none_is(DisplayRefilled)
