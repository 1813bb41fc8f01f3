"""Scoring (R-41 to R-46, R-80) and the standings explained, with the rulebook's examples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import Infiltrate, Placement
from service.rules.games.new_corp_order.events import ConsultantTaken, GameEnded
from service.rules.kernel import Section
from tests.rules.new_corp_order.support import (
    ADVISOR,
    ALICE,
    AMBIENT,
    BOB,
    BROADCAST,
    CAROL,
    CONTRACTOR,
    DAVE,
    DEALMAKER,
    GUERRILLA,
    HQ,
    LAWYER,
    ONLINE,
    PRINT,
    SOCIAL,
    Tile,
    case,
    table,
)

FOUR_RED = {
    "A1": Tile("red", 1, PRINT),
    "B1": Tile("red", 4, PRINT),
    "C1": Tile("red", 1, SOCIAL),
    "D1": Tile("red", 2, BROADCAST),
}
NO_RED = [(AMBIENT, GUERRILLA)] * 4
"""Objectives that none of red's companies matches."""


def standings(players: int, hqs: list[HQ], viewer: int | None = ALICE, **more: Any) -> Any:
    """Return the standings if the game ended now; red has four companies, black, blue and white the rest."""
    facts = table(players, **{"grid": FOUR_RED, "hqs": hqs, "objectives": NO_RED[:players], **more})
    return RULESET.standings(case.given(*facts).state, viewer)


def red(told: Any, seat: int) -> tuple[int, int | None, int]:
    """A seat's shares, rank and victory points of red."""
    row = told["seats"][seat]["conglomerates"]["red"]
    return row["shares"], row["rank"], row["vp"]


def test_r_41_a_card_is_one_share_and_an_agent_two() -> None:
    told = standings(2, [HQ({"blue": 3}, rotated={"blue": 2}, agents={"blue": 2})])
    row = told["seats"][ALICE]["conglomerates"]["blue"]
    assert (9, 2) == (row["shares"], row["agents"]), "Lluna's nine shares"


def test_r_41_no_share_scores_nothing() -> None:
    told = standings(3, [HQ(), HQ({"red": 1})])
    assert [(0, None, 0), (1, 1, 8), (0, None, 0)] == [red(told, seat) for seat in (ALICE, BOB, CAROL)]
    assert 0 == red(standings(2, [HQ(), HQ()]), ALICE)[2]


def test_r_41_cards_in_a_hand_are_no_shares() -> None:
    assert (0, None, 0) == red(standings(2, [HQ(), HQ()], hands=[{"red": 4}]), ALICE)


def test_r_42_the_most_shares_score_two_for_each_company() -> None:
    told = standings(3, [HQ({"red": 3}), HQ({"red": 2}), HQ({"red": 1})])
    assert [(3, 1, 8), (2, 2, 4), (1, None, 0)] == [red(told, seat) for seat in range(3)]
    assert 4 == told["companies"]["red"]


def test_r_42_of_equal_shares_those_with_most_agents_of_the_colour_are_first() -> None:
    told = standings(3, [HQ({"red": 4}), HQ({"red": 2}, agents={"red": 1}), HQ({"red": 4}, agents={"black": 3})])
    assert [(4, 2, 4), (4, 1, 8), (4, 2, 4)] == [red(told, seat) for seat in range(3)]


def test_r_42_everyone_with_the_highest_pair_scores_two() -> None:
    told = standings(4, [HQ({"red": 2}), HQ({"red": 2}), HQ({"red": 1}), HQ({"red": 1})])
    assert [(2, 1, 8), (2, 1, 8), (1, 2, 4), (1, 2, 4)] == [red(told, seat) for seat in range(4)]


def test_r_43_everyone_with_the_second_highest_pair_scores_one_and_nobody_else() -> None:
    told = standings(4, [HQ({"red": 5}), HQ({"red": 3}), HQ({"red": 1}, agents={"red": 1}), HQ({"red": 3})])
    assert [(5, 1, 8), (3, None, 0), (3, 2, 4), (3, None, 0)] == [red(told, seat) for seat in range(4)]
    assert (None, 0) == red(told, DAVE)[1:]


def test_r_43_second_most_shares_score_nothing_with_two_players() -> None:
    told = standings(2, [HQ({"red": 3}), HQ({"red": 2})])
    assert (3, 1, 8) == red(told, ALICE)
    assert 0 == red(told, BOB)[2] and 1 != red(told, BOB)[1]


def test_r_43_two_players_with_the_highest_pair_both_score() -> None:
    told = standings(2, [HQ({"red": 3}), HQ({"red": 3})])
    assert [(3, 1, 8), (3, 1, 8)] == [red(told, ALICE), red(told, BOB)]


def objectives(told: Any, seat: int) -> Any:
    """A seat's victory points for objectives."""
    return told["seats"][seat]["objectives"]["vp"]


def test_r_44_each_matching_company_of_a_scoring_colour_is_worth_two() -> None:
    told = standings(3, [HQ({"red": 3}), HQ({"red": 1})], objectives=[(PRINT, SOCIAL), NO_RED[0], NO_RED[0]])
    assert 2 * 3 == objectives(told, ALICE)
    assert 3 == told["seats"][ALICE]["objectives"]["companies"]["red"]
    assert [PRINT, SOCIAL] == list(told["seats"][ALICE]["objectives"]["types"])


def test_r_44_second_place_counts_objectives_too() -> None:
    told = standings(3, [HQ({"red": 1}), HQ({"red": 3})], objectives=[(PRINT, SOCIAL), NO_RED[0], NO_RED[0]])
    assert 2 * 3 == objectives(told, ALICE)


def test_r_44_a_colour_that_scores_nothing_counts_no_objectives() -> None:
    hqs = [HQ({"red": 1}), HQ({"red": 3}), HQ({"red": 2})]
    assert 0 == objectives(standings(3, hqs, objectives=[(PRINT, SOCIAL), NO_RED[0], NO_RED[0]]), ALICE)


def test_r_44_objectives_are_counted_for_everybody_at_the_end() -> None:
    hqs = [HQ({"red": 1}), HQ({"red": 3}), HQ()]
    result = last_turn(3, hqs, [(AMBIENT, GUERRILLA), (PRINT, SOCIAL), (PRINT, SOCIAL)])
    assert 8 + 6 == result.scores[BOB] and 0 == result.scores[CAROL]


def test_r_44_the_others_objectives_are_not_told_before_the_end() -> None:
    hqs = [HQ({"red": 3}), HQ({"red": 1}), HQ()]
    for viewer in (BOB, None):
        one = standings(3, hqs, viewer, objectives=[(PRINT, SOCIAL), (ONLINE, AMBIENT), (ONLINE, AMBIENT)])
        other = standings(3, hqs, viewer, objectives=[(AMBIENT, GUERRILLA), (ONLINE, AMBIENT), (ONLINE, AMBIENT)])
        assert one == other
        assert one["seats"][ALICE]["objectives"]["types"] is None


def last_turn(players: int, hqs: list[HQ], objectives: list[tuple[str, str]]) -> GameEnded:
    """The end of a game of red's four companies, after a last turn of Alice's for white's only company, D4."""
    grid = {**FOUR_RED, "D4": Tile("white", 1, AMBIENT)}
    facts = table(
        players, grid=grid, others="black", hqs=hqs, hands=[{"black": 1}], objectives=objectives, final_turns=1
    )
    placing = Infiltrate(placements=(Placement(colour="black", cards=1, company="A2"),))
    return case.given(*facts).when(ALICE, placing).facts[-1]


CONSULTANTS = {
    (): 0,
    (DEALMAKER,): 0,
    (DEALMAKER, DEALMAKER): 0,
    (DEALMAKER, ADVISOR): 1,
    (DEALMAKER, DEALMAKER, ADVISOR): 1,
    (DEALMAKER, ADVISOR, LAWYER): 1,
    (DEALMAKER, DEALMAKER, ADVISOR, ADVISOR): 2,
    (DEALMAKER, DEALMAKER, ADVISOR, LAWYER): 2,
    (DEALMAKER, ADVISOR, LAWYER, CONTRACTOR): 2 + 1,
    (DEALMAKER, DEALMAKER, DEALMAKER, DEALMAKER, ADVISOR): 1,
    (DEALMAKER, DEALMAKER, DEALMAKER, ADVISOR, ADVISOR, LAWYER, CONTRACTOR): 3 + 1,
}


@pytest.mark.parametrize("held", CONSULTANTS, ids=lambda held: "+".join(held) or "none")
def test_r_45_pairs_of_different_consultants_score_and_all_four_types_once_more(held: tuple[str, ...]) -> None:
    told = standings(4, [HQ(consultants=held)])["seats"][ALICE]["consultants"]
    assert CONSULTANTS[held] == told["vp"]
    assert (4 == len(set(held))) == bool(told["all_four"])
    assert told["vp"] - (4 == len(set(held))) == told["pairs"]


def test_r_45_silvias_consultants_are_worth_four() -> None:
    here = case.given(*table(4, hqs=[HQ(consultants=[DEALMAKER])], grid=FOUR_RED))
    more = [DEALMAKER, DEALMAKER, ADVISOR, ADVISOR, LAWYER, CONTRACTOR]
    here = here.given(*(ConsultantTaken(seat=ALICE, consultant=consultant) for consultant in more))
    silvia = RULESET.standings(here.state, ALICE)["seats"][ALICE]["consultants"]
    assert (3, True, 4) == (silvia["pairs"], bool(silvia["all_four"]), silvia["vp"])


def test_r_44_karen_alba_and_olja_score_red_as_the_rulebook_says() -> None:
    karen, alba, olja = HQ({"red": 5}, rotated={"red": 4}), HQ({"red": 4}, agents={"red": 1}), HQ({"red": 6})
    goals = [(PRINT, AMBIENT), (ONLINE, GUERRILLA), (SOCIAL, ONLINE)]
    told = standings(3, [karen, alba, olja], objectives=goals)
    assert [(9, 1, 8), (6, 2, 4), (6, None, 0)] == [red(told, seat) for seat in range(3)]
    assert 4 == objectives(told, ALICE)
    for seat, points in ((ALICE, 4), (BOB, 0), (CAROL, 0)):
        assert points == objectives(standings(3, [karen, alba, olja], seat, objectives=goals), seat)


def test_r_44_karen_alba_and_olja_at_the_end_of_the_game() -> None:
    karen, alba, olja = HQ({"red": 5}, rotated={"red": 4}), HQ({"red": 4}, agents={"red": 1}), HQ({"red": 6})
    result = last_turn(3, [karen, alba, olja], [(PRINT, AMBIENT), (ONLINE, GUERRILLA), (SOCIAL, ONLINE)])
    black = 11 * 2
    matching = [kind for kind in _black_kinds() if kind in (PRINT, AMBIENT)]
    assert (8 + 4 + black + 2 * len(matching), 4, 0) == result.scores
    assert (ALICE,) == result.winners


def _black_kinds() -> list[str]:
    grid = {**FOUR_RED, "D4": Tile("white", 1, AMBIENT)}
    state = case.given(*table(3, grid=grid, others="black")).state
    return [company.type for company in state.companies.values() if company.colour == "black"]


def test_r_44_a_total_adds_conglomerates_objectives_and_consultants() -> None:
    hqs = [HQ({"red": 3}, consultants=[DEALMAKER, ADVISOR]), HQ({"red": 1})]
    told = standings(3, hqs, objectives=[(PRINT, SOCIAL), NO_RED[0], NO_RED[0]])
    assert 8 + 6 + 1 == told["seats"][ALICE]["total"]


# The standings explained in words.

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
EXPLAINED_NAMES = ("Alice", "Bob", "Carol")
EXAMPLE = [HQ({"red": 9}), HQ({"red": 4}, agents={"red": 1}), HQ({"red": 6})]
"""Karen, Alba and Olja of the rulebook's example, as Alice, Bob and Carol."""


def sections(
    players: int, hqs: list[HQ], viewer: int | None = ALICE, language: str = "en", **more: object
) -> dict[str, Section]:
    """The explanation of a table, by the titles of its parts, in which a point and its unit are not held together."""
    told = RULESET.explain(standings(players, hqs, viewer, **more), viewer, language, EXPLAINED_NAMES[:players])
    return {
        each.title: replace(each, lines=tuple(line.replace(NO_BREAK_SPACE, " ") for line in each.lines))
        for each in told
    }


def test_r_42_and_43_the_example_says_who_is_first_and_second_and_why() -> None:
    red = sections(3, EXAMPLE)["Red: controls 4 companies"]
    assert red.head == ("Player", "Cards", "Agents", "Shares", "Place", "Pts")
    assert red.rows[:2] == (("Alice (you)", "9", "0", "9", "1st", "8"), ("Bob", "4", "1", "6", "2nd", "4"))
    assert red.lines == (
        "Most shares: Alice (you) (9 shares). 2 victory points for each company: 2 × 4 = 8.",
        "Second most: Bob (6 shares). 1 victory point for each company: 4.",
        "Several hold 6 shares; between them the agents of this colour in the HQ decide (Bob 1, Carol 0).",
        "Nothing for Carol: only the most and the second most shares score.",
    )


def test_r_42_who_is_level_in_shares_and_agents_scores_in_full() -> None:
    red = sections(3, [HQ({"red": 3}), HQ({"red": 3}), HQ()])["Red: controls 4 companies"]
    assert red.lines == (
        "Most shares: Alice (you) and Bob (3 shares). 2 victory points for each company: 2 × 4 = 8.",
        "Alice (you) and Bob are level in shares and in agents, so each scores in full.",
    )


def test_r_43_with_two_players_the_second_most_shares_score_nothing_and_that_is_said() -> None:
    told = sections(2, [HQ({"red": 1}), HQ({"red": 2})])
    assert (
        "Nothing for Alice (you): with two players only the most shares score."
        in told["Red: controls 4 companies"].lines
    )
    untouched = [each for title, each in told.items() if title.startswith("Black")]
    assert untouched[0].lines == ("Nobody holds a share of it, so nobody scores.",)


def test_r_44_ones_own_objectives_are_explained_and_those_of_others_said_to_be_secret() -> None:
    told = sections(3, EXAMPLE, objectives=[(PRINT, AMBIENT), *NO_RED[:2]])
    rule, own, *others = told["Objectives"].lines
    assert rule.startswith("2 victory points for each company")
    assert own == "Alice (you): Print Media, Ambient Advertising. Matching: 2 red; 2 × 2 = 4."
    assert others == [
        f"{name}: secret until the end of the game, and not counted here." for name in EXPLAINED_NAMES[1:]
    ]
    assert told["Victory points"].rows[BOB][2] == "?"
    assert told["Victory points"].lines[-1].startswith("The objectives of Bob and Carol are secret")


def test_r_45_the_pairs_of_consultants_are_counted() -> None:
    silvia = HQ(consultants=[DEALMAKER] * 3 + [ADVISOR] * 2 + [LAWYER, CONTRACTOR])
    lines = sections(3, [silvia, HQ(), HQ()])["Consultants"].lines
    assert lines[1] == "Alice (you): pairs: 3, and four kinds: 1 more; points: 4."


def test_r_46_between_equal_scores_the_agents_decide() -> None:
    told = sections(2, [HQ({"red": 1}), HQ({"red": 1})], None)["Victory points"]
    assert told.lines[:3] == (
        "First: Alice and Bob. Points: 8.",
        "Level at 8: the player with more agents of all colours in the HQ is first (Alice 0, Bob 0).",
        "Level in agents as well: they share the victory.",
    )


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "Meiste Anteile: Alice (du) (9 Anteile)."),
        ("fr", "Le plus de parts : Alice (vous) (9 parts)."),
    ],
)
def test_every_language_explains(language: str, line: str) -> None:
    told = sections(3, EXAMPLE, language=language)
    assert any(each.lines[0].startswith(line) for each in told.values())


def test_no_line_ends_within_a_calculation_or_before_its_unit() -> None:
    told = RULESET.explain(standings(3, EXAMPLE, ALICE), ALICE, "de", EXPLAINED_NAMES)
    red = next(each for each in told if each.title.startswith("Rot"))
    assert "2~SP für jede Firma: 2~×~4~=~8~SP." in red.lines[0].replace(NO_BREAK_SPACE, "~")
