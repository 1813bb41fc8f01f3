"""Moves of ODS: marker, takeovers, Plots and the flipped table (R-60 to R-66)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import PlayOds
from service.rules.games.new_corp_order.events import (
    AgentsPlaced,
    CardsRotated,
    CardSwept,
    CardTaken,
    CompanyTakenOver,
    DecisionReached,
    DisplayRefilled,
    EndTriggered,
    GameEnded,
    MarkerMoved,
    PriorityFollowed,
    TableFlipped,
    TurnBegan,
)
from tests.case import Answer
from tests.rules.new_corp_order.support import (
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

SPARE = {"D1": Tile("red", 9, AMBIENT), "D3": Tile("black", 9, AMBIENT)}
"""Companies of the player's that nobody reaches, so that no colour is at its last."""
BEFORE = {"A": 3, "B": 0, "C": 1, "D": 2}
"""Column of the marker before ODS's turn, by the column that it moves to."""


def ods_turn(grid: dict[str, Tile], column: str = "A", **more: Any) -> Answer:
    """Let ODS move with the marker in a column: blue and white are its colours, companies not told are white's."""
    told = {"others": "white", "ods": HQ({"blue": 9}), "marker": BEFORE[column], **more}
    return case.given(*solo(grid={**SPARE, **grid}, active=ODS, **told)).when(ODS, PlayOds())


def takes(answer: Answer, target: str, priority: str) -> CompanyTakenOver:
    """Check that ODS takes a company over, following a priority."""
    assert [PriorityFollowed(priority=priority)] == [f for f in answer.facts if isinstance(f, PriorityFollowed)]
    (taken,) = (fact for fact in answer.facts if isinstance(fact, CompanyTakenOver))
    assert target == taken.target
    return taken


@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_r_60_the_marker_goes_one_column_to_the_right_and_from_the_last_to_the_first(before: int, after: int) -> None:
    answer = case.given(*solo(active=ODS, marker=before)).when(ODS, PlayOds())
    assert MarkerMoved(column=after) == answer.facts[0]
    assert after == answer.state.marker


@pytest.mark.parametrize(("column", "first"), [("A", "A2"), ("B", "B1"), ("C", "B1"), ("D", "A2")])
def test_r_60_the_scan_goes_down_the_markers_column_then_right_and_wraps(column: str, first: str) -> None:
    grid = {"A2": Tile("red", 1, PRINT), "B1": Tile("red", 1, PRINT), "B3": Tile("red", 1, SOCIAL)}
    if column == "C":
        grid = {"B1": Tile("red", 1, PRINT), "B3": Tile("red", 1, SOCIAL)}
    takes(ods_turn({**grid, "B2": Tile("blue", 5, SOCIAL)}, column), first, "A-scan")


def test_r_61_a_company_in_reach_is_taken_over() -> None:
    grid = {"A1": Tile("blue", 3), "B1": Tile("red", 1)}
    answer = ods_turn(grid)
    answer.then(
        MarkerMoved(column=0),
        PriorityFollowed(priority="A"),
        CardsRotated(hq=ODS, colour="blue", cards=2),
        CompanyTakenOver(seat=ODS, source="A1", target="B1", colour="blue", agents=2, defender="red", defenders=1),
        TurnBegan(seat=PLAYER),
    )
    assert 1 == answer.state.hqs[ODS].agents["red"]


def test_r_61_ods_uses_the_fewest_cards_that_suffice() -> None:
    taken = takes(ods_turn({"A1": Tile("blue", 9), "B1": Tile("red", 4)}), "B1", "A")
    assert (5, 4) == (taken.agents, taken.defenders)


OUT_OF_REACH = {
    "one agent has to stay": ({"A1": Tile("blue", 2), "B1": Tile("red", 1)}, {}),
    "as many are not enough": ({"A1": Tile("blue", 3), "B1": Tile("red", 2)}, {}),
    "too few cards": ({"A1": Tile("blue", 9), "B1": Tile("red", 2)}, {"ods": HQ({"blue": 2})}),
    "rotated cards": ({"A1": Tile("blue", 9), "B1": Tile("red", 2)}, {"ods": HQ({"blue": 2}, rotated={"blue": 3})}),
    "cards of the other colour": ({"A1": Tile("blue", 9), "B1": Tile("red", 2)}, {"ods": HQ({"white": 9})}),
    "only diagonally adjacent": ({"A1": Tile("blue", 9), "B2": Tile("red", 1)}, {}),
    "a company of its own": ({"A1": Tile("blue", 9)}, {}),
    "the last company of a colour": (
        {"A1": Tile("blue", 9), "B1": Tile("red", 1), "D1": Tile("black", 9), "D2": Tile("white", 1)},
        {},
    ),
}


@pytest.mark.parametrize("why", OUT_OF_REACH)
def test_r_61_out_of_reach_is(why: str) -> None:
    grid, more = OUT_OF_REACH[why]
    answer = ods_turn(grid, **more)
    answer.then_none_is(CompanyTakenOver).then_none_is(CardsRotated)


def test_r_61_exactly_enough_cards_and_agents_are_in_reach() -> None:
    takes(ods_turn({"A1": Tile("blue", 4), "B1": Tile("red", 2)}, ods=HQ({"blue": 3}, rotated={"blue": 1})), "B1", "A")


def test_r_61_of_several_sources_the_one_with_most_agents_attacks() -> None:
    grid = {"A2": Tile("blue", 4), "B1": Tile("blue", 5), "B2": Tile("red", 1), "C2": Tile("blue", 4)}
    for column in "ABCD":
        assert "B1" == takes(ods_turn(grid, column), "B2", "A").source


@pytest.mark.parametrize(("column", "source"), [("A", "A2"), ("B", "B1"), ("C", "C2"), ("D", "A2")])
def test_r_61_then_the_first_source_in_scan_order(column: str, source: str) -> None:
    grid = {"A2": Tile("blue", 4), "B1": Tile("blue", 4), "B2": Tile("red", 1), "C2": Tile("blue", 4)}
    assert source == takes(ods_turn(grid, column), "B2", "A").source


def test_r_61_a_source_without_cards_of_its_colour_does_not_count() -> None:
    grid = {"A2": Tile("blue", 3), "B1": Tile("white", 9), "B2": Tile("red", 1)}
    assert "A2" == takes(ods_turn(grid), "B2", "A").source
    both = ods_turn(grid, ods=HQ({"blue": 9, "white": 2}))
    taken = takes(both, "B2", "A")
    assert ("B1", "white") == (taken.source, taken.colour)


@pytest.mark.parametrize("kind", [ONLINE, GUERRILLA, BROADCAST, PRINT, SOCIAL, AMBIENT])
def test_r_61_ods_never_uses_company_abilities(kind: str) -> None:
    spare = {"D1": Tile("red", 9), "D3": Tile("black", 9)}
    grid = {**spare, "A1": Tile("blue", 3), "B1": Tile("red", 1, kind)}
    answer = ods_turn(grid, hq=HQ({"red": 2}))
    answer.then_none_is(DecisionReached)
    assert TurnBegan(seat=PLAYER) == answer.facts[-1]


def test_r_61_an_attack_on_either_of_the_players_colours() -> None:
    taken = takes(ods_turn({"A1": Tile("blue", 3), "B1": Tile("black", 1)}), "B1", "A")
    assert "black" == taken.defender


def test_r_53_a_card_of_the_players_colours_is_not_rotated_for_a_takeover_of_ods() -> None:
    grid = {"A1": Tile("red", 9), "B1": Tile("black", 1), "C1": Tile("blue", 1)}
    ods_turn(grid, ods=HQ({"red": 5})).then_none_is(CompanyTakenOver)


def test_r_62_a_1_an_objective_match_comes_first() -> None:
    grid = {"A1": Tile("blue", 9), "A2": Tile("red", 3, PRINT), "B1": Tile("red", 1, ONLINE)}
    takes(ods_turn(grid), "B1", "A-1")


def test_r_62_a_2_then_the_most_agents() -> None:
    for kinds in [(PRINT, SOCIAL), (ONLINE, GUERRILLA)]:
        grid = {"A1": Tile("blue", 9), "A2": Tile("red", 1, kinds[0]), "B1": Tile("red", 2, kinds[1])}
        takes(ods_turn(grid), "B1", "A-2")


def test_r_62_the_criteria_narrow_the_choice_one_after_the_other() -> None:
    grid = {
        "B2": Tile("blue", 9),
        "B1": Tile("red", 3, PRINT),
        "A2": Tile("red", 1, ONLINE),
        "C2": Tile("red", 2, GUERRILLA),
    }
    takes(ods_turn(grid), "C2", "A-2")


NEIGHBOURS = {
    "B2": Tile("blue", 9, PRINT),
    "A2": Tile("red", 1, PRINT),
    "C2": Tile("red", 1, SOCIAL),
    "C1": Tile("black", 9, SOCIAL),
}


def test_r_62_a_3_then_the_most_adjacent_companies_of_the_players() -> None:
    takes(ods_turn(NEIGHBOURS), "C2", "A-3")


def test_r_62_a_4_then_the_nearest_to_an_edge() -> None:
    grid = {**NEIGHBOURS, "C1": Tile("white", 1)}
    takes(ods_turn(grid, "C"), "A2", "A-4")


def test_r_62_what_is_left_is_decided_by_the_scan() -> None:
    grid = {"B2": Tile("blue", 9, SOCIAL), "A2": Tile("red", 1, PRINT), "B1": Tile("red", 1, PRINT)}
    takes(ods_turn(grid, "A"), "A2", "A-scan")
    takes(ods_turn(grid, "B"), "B1", "A-scan")


def test_r_66_ods_flips_the_table_and_wins_when_it_can_do_nothing() -> None:
    answer = ods_turn({}, ods=HQ(), display=(None,) * 4, hq=HQ(agents={"white": 9}))
    answer.then_includes(MarkerMoved(column=0), PriorityFollowed(priority="D"), TableFlipped())
    end = answer.facts[-1]
    assert isinstance(end, GameEnded) and (ODS,) == end.winners and 4 == len(answer.facts)
    outcome = RULESET.outcome(answer.state)
    assert outcome is not None and [ODS] == list(outcome["winners"])


def test_r_66_a_takeover_comes_before_the_table() -> None:
    answer = ods_turn({"A1": Tile("blue", 3), "B1": Tile("red", 1)}, display=(None,) * 4)
    answer.then_none_is(TableFlipped)
    takes(answer, "B1", "A")


# Plots.

BLUE_A1_WHITE_D3 = {"A1": Tile("blue", 1, PRINT), "D3": Tile("white", 1, PRINT)}


def ods_turn_with_display(*display: str | None, column: str = "A", **more: Any) -> Answer:
    """Let ODS move with a display: red and black are the player's, companies not told are red's."""
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
    """Return the priorities that ODS followed."""
    return [fact.priority for fact in answer.facts if isinstance(fact, PriorityFollowed)]


def placed(answer: Answer) -> list[tuple[str, str, int]]:
    """Return the agents placed, as (company, colour, number)."""
    return [(fact.company, fact.colour, fact.agents) for fact in answer.facts if isinstance(fact, AgentsPlaced)]


def test_r_63_b_1_two_cards_of_a_colour_are_taken_and_their_agents_go_to_one_company() -> None:
    answer = ods_turn_with_display("red", "blue", "blue", "white")
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
    assert [("1", "blue"), ("3", "blue")] == taken(ods_turn_with_display("blue", "white", "blue", "blue"))
    assert [("1", "blue"), ("2", "blue")] == taken(ods_turn_with_display("blue", "blue", "blue", "blue"))


def test_r_63_b_1_a_pair_comes_before_one_of_each() -> None:
    assert [("2", "white"), ("4", "white")] == taken(
        ods_turn_with_display("blue", "white", "red", "white", ods=HQ({"blue": 5}))
    )


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
    answer = ods_turn_with_display(*PAIRS, ods=ods)
    assert (expected[colour], "B-1") == (taken(answer), priorities(answer)[0])


def test_r_63_b_1_agents_in_the_hq_are_no_cards() -> None:
    assert ("1", "blue") == taken(ods_turn_with_display(*PAIRS, ods=HQ(agents={"white": 3})))[0]


def test_r_63_b_2_one_of_each_colour_are_both_taken() -> None:
    answer = ods_turn_with_display("red", "white", "black", "blue")
    assert [("2", "white"), ("4", "blue")] == taken(answer)
    assert "B-2" == priorities(answer)[0] and [] == swept(answer)


def test_r_63_b_3_the_only_card_is_taken_and_one_of_the_players_goes_to_the_box() -> None:
    answer = ods_turn_with_display("red", "blue", "black", "red")
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
    assert [expected] == swept(ods_turn_with_display("red", "blue", "black", "black", hq=hq))


def test_r_63_b_3_a_colour_that_is_not_in_the_display_is_not_discarded() -> None:
    assert [("3", "red")] == swept(ods_turn_with_display(None, "blue", "red", None, hq=HQ({"black": 4})))


def test_r_63_b_3_without_a_card_of_the_players_only_its_own_is_taken() -> None:
    answer = ods_turn_with_display(None, "blue", None, None, deck=("white", "red", "black", "blue", "red"))
    assert ([("2", "blue")], [], "B-3") == (taken(answer), swept(answer), priorities(answer)[0])


OBJECTIVES = (ONLINE, GUERRILLA, BROADCAST)


def places(grid: dict[str, Tile], column: str = "A") -> tuple[str, str]:
    """Return the company of blue's two agents, and the priority that ODS followed."""
    answer = ods_turn_with_display("red", "blue", "blue", "white", column=column, grid=grid, objectives=OBJECTIVES)
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
    answer = ods_turn_with_display("red", "white", "black", "blue")
    assert [("D3", "white", 1), ("A1", "blue", 1)] == placed(answer)
    kinds = [type(fact) for fact in answer.facts[4:8]]
    assert [PriorityFollowed, AgentsPlaced, PriorityFollowed, AgentsPlaced] == kinds


def test_r_64_the_second_colour_is_judged_with_the_first_already_placed() -> None:
    grid = {"A1": Tile("blue", 1, PRINT), "B1": Tile("white", 2, ONLINE)}
    after = ods_turn_with_display("blue", "white", "red", "red", grid=grid, objectives=OBJECTIVES)
    assert ["B-2", "BB-3", "BB-1"] == priorities(after)
    before = ods_turn_with_display("white", "blue", "red", "red", grid=grid, objectives=OBJECTIVES)
    assert ["B-2", "BB-2", "BB-3"] == priorities(before)


def test_r_65_c_1_two_alike_of_the_players_cards_are_discarded() -> None:
    answer = ods_turn_with_display("black", "red", "red", None)
    answer.then(
        MarkerMoved(column=0),
        PriorityFollowed(priority="C-1"),
        CardSwept(slot="2", card="red"),
        CardSwept(slot="3", card="red"),
        TurnBegan(seat=PLAYER),
    )
    assert (7, 5) == (answer.state.box["red"], answer.state.box["black"])


def test_r_65_c_1_a_pair_comes_first_whatever_is_in_the_hq() -> None:
    assert [("1", "red"), ("2", "red")] == swept(
        ods_turn_with_display("red", "red", "red", "black", hq=HQ({"black": 4}))
    )


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
    answer = ods_turn_with_display("red", "black", "black", "red", hq=hq)
    expected = {"red": [("1", "red"), ("4", "red")], "black": [("2", "black"), ("3", "black")]}
    assert (expected[colour], ["C-1"]) == (swept(answer), priorities(answer))


def test_r_65_c_2_one_of_each_are_discarded() -> None:
    answer = ods_turn_with_display(None, "black", None, "red", deck=("white", "red", "black", "blue"))
    assert ([("2", "black"), ("4", "red")], ["C-2"]) == (swept(answer), priorities(answer))


def test_r_65_c_3_a_single_card_is_discarded() -> None:
    answer = ods_turn_with_display(None, None, "black", None, deck=("white", "red", "black", "blue"))
    assert ([("3", "black")], ["C-3"]) == (swept(answer), priorities(answer))


def test_r_51_the_display_is_refilled_when_ods_has_emptied_it() -> None:
    refill = DisplayRefilled(cards=(("1", "white"), ("2", "red"), ("3", "black"), ("4", "blue")))
    deck = ("white", "red", "black", "blue", "red")
    for display in [(None, "blue", None, "blue"), (None, "red", None, "blue"), ("red", "red", None, None)]:
        answer = ods_turn_with_display(*display, deck=deck)
        answer.then_includes(refill, TurnBegan(seat=PLAYER))
        assert [refill, TurnBegan(seat=PLAYER)] == list(answer.facts[-2:])
    ods_turn_with_display("red", "blue", "blue", None, deck=deck).then_none_is(DisplayRefilled)


def test_r_52_the_game_ends_when_ods_has_emptied_the_display_and_too_few_cards_are_left() -> None:
    answer = ods_turn_with_display(None, "blue", None, "blue", deck=("white", "red", "black"))
    assert [("A1", "blue", 2)] == placed(answer), "agents are placed on the last plot too"
    assert isinstance(answer.facts[-1], GameEnded)
    answer.then_none_is(TurnBegan).then_none_is(DisplayRefilled).then_none_is(EndTriggered)


def test_r_63_a_takeover_comes_before_a_plot() -> None:
    grid = {"A1": Tile("blue", 3, PRINT), "D3": Tile("white", 1, PRINT)}
    answer = ods_turn_with_display("red", "blue", "blue", "white", grid=grid, ods=HQ({"blue": 2}))
    assert 1 == len([fact for fact in answer.facts if isinstance(fact, CompanyTakenOver)])
    assert [] == taken(answer)


def test_r_51_the_display_is_not_looked_at_after_a_takeover() -> None:
    grid = {"A1": Tile("blue", 3, PRINT), "D3": Tile("white", 1, PRINT)}
    answer = ods_turn_with_display(None, None, None, None, grid=grid, ods=HQ({"blue": 2}), deck=())
    answer.then_none_is(GameEnded).then_none_is(DisplayRefilled)
