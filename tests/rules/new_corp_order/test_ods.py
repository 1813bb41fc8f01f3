"""ODS's turn: the marker and takeovers (R-60 to R-62), and the flipped table (R-66)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import PlayOds
from service.rules.games.new_corp_order.events import (
    CardsRotated,
    CompanyTakenOver,
    DecisionReached,
    GameEnded,
    MarkerMoved,
    PriorityFollowed,
    TableFlipped,
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

SPARE = {"D1": Tile("red", 9, AMBIENT), "D3": Tile("black", 9, AMBIENT)}
"""Companies of the player's that nobody reaches, so that no colour is at its last."""
BEFORE = {"A": 3, "B": 0, "C": 1, "D": 2}
"""Where the marker stands before ODS's turn, by the column that it comes to."""


def ods_turn(grid: dict[str, Tile], column: str = "A", **more: Any) -> Answer:
    """What ODS does with the marker in a column: blue and white are its colours, companies not told are white's."""
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
