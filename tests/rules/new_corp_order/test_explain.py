"""The standings explain themselves: R-41 to R-46 in words, with the rulebook's examples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.kernel import Section
from tests.rules.new_corp_order.tables import ADVISOR, ALICE, AMBIENT, BOB, CONTRACTOR, DEALMAKER, HQ, LAWYER, PRINT
from tests.rules.new_corp_order.test_scoring import NO_RED, standings

HELD = "\N{NO-BREAK SPACE}"
NAMES = ("Alice", "Bob", "Carol")
EXAMPLE = [HQ({"red": 9}), HQ({"red": 4}, agents={"red": 1}), HQ({"red": 6})]
"""Karen, Alba and Olja of the rulebook's example, as Alice, Bob and Carol."""


def sections(
    players: int, hqs: list[HQ], viewer: int | None = ALICE, language: str = "en", **more: object
) -> dict[str, Section]:
    """The explanation of a table, by the titles of its parts, in which a point and its unit are not held together."""
    told = RULESET.explain(standings(players, hqs, viewer, **more), viewer, language, NAMES[:players])
    return {each.title: replace(each, lines=tuple(line.replace(HELD, " ") for line in each.lines)) for each in told}


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
    assert others == [f"{name}: secret until the end of the game, and not counted here." for name in NAMES[1:]]
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
    told = RULESET.explain(standings(3, EXAMPLE, ALICE), ALICE, "de", NAMES)
    red = next(each for each in told if each.title.startswith("Rot"))
    assert f"2{HELD}SP für jede Firma: 2{HELD}×{HELD}4{HELD}={HELD}8{HELD}SP." in red.lines[0]
