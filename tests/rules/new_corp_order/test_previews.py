"""What New Corp Order tells of an action before it is played."""

from __future__ import annotations

import pytest

from service.rules.games.new_corp_order.actions import Plot
from service.rules.shapes import Mark
from tests.rules.new_corp_order.tables import (
    ALICE,
    BOB,
    GUERRILLA,
    HQ,
    ONLINE,
    PRINT,
    Tile,
    table,
)
from tests.rules.new_corp_order.test_tabletop import GRID, alices_turn, page, take_over

# Given an action, when it is previewed, then it is told in the present tense and nothing is played.


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "B2 → C2: 3 red agents beat 2 black."),
        ("de", "B2 → C2: 3 rote Agenten schlagen 2 schwarze."),
        ("fr", "B2 → C2\N{NO-BREAK SPACE}: 3 Agents rouges battent 2 noirs."),
    ],
)
def test_a_takeover_that_wins_is_told_as_one_that_wins(language: str, sentence: str) -> None:
    foreseen = alices_turn(language).preview(take_over())
    assert foreseen.told.sentence == sentence and foreseen.told.prospect == "good"
    assert foreseen.told.marks == (Mark(kind="move", at="C2", origin="B2", count=3, actor=ALICE, event=1),)


def test_what_a_takeover_brings_is_told_with_it() -> None:
    given = alices_turn(hqs=[HQ({"red": 4, "blue": 1})])
    told = given.preview(take_over()).told
    assert told.consequence == "You also take 1 black agent and may use Guerrilla Marketing."
    assert (told.verdict, told.button) == ("Takes over", "Confirm takeover")


@pytest.mark.parametrize(
    ("language", "sentence", "consequence"),
    [
        ("en", "B2 → B1: 1 red agent does not beat 2 white.", "You need 3."),
        ("de", "B2 → B1: 1 roter Agent schlägt 2 weiße nicht.", "Du brauchst 3."),
        ("fr", "B2 → B1\N{NO-BREAK SPACE}: 1 Agent rouge ne bat pas 2 blancs.", "Il en faut 3."),
    ],
)
def test_a_takeover_that_fails_is_told_as_one_that_fails(language: str, sentence: str, consequence: str) -> None:
    grid = {**GRID, "B1": Tile("white", 2)}
    facts = table(3, grid=grid, hqs=[HQ({"red": 4})])
    foreseen = page(facts, language=language).preview(take_over(target="B1", agents=1))
    assert (foreseen.told.sentence, foreseen.told.consequence) == (sentence, consequence)
    assert foreseen.told.prospect == "bad" and [mark.kind for mark in foreseen.told.marks] == ["fails"]
    assert all(before == after for before, after in foreseen.points)


@pytest.mark.parametrize(
    ("sources", "button", "consequence"),
    [
        (("1",), "Take the card", "Then you take a second card."),
        (("1", "2"), "Take the cards", ""),
        (("deck",), "Take the card", "Then you take a second card."),
    ],
)
def test_a_plot_is_told_of_as_many_cards_as_it_takes(sources: tuple[str, ...], button: str, consequence: str) -> None:
    told = alices_turn().preview(Plot(sources=sources)).told
    assert (told.button, told.consequence) == (button, consequence)


def test_points_of_others_are_unknown_where_their_objectives_would_be_shown() -> None:
    known, secret = (ONLINE, GUERRILLA), (ONLINE, PRINT)
    given = alices_turn(final_turns=1, objectives=[known, secret], hqs=[HQ({"red": 1}), HQ({"red": 1})])
    foreseen = given.preview(take_over(agents=1))
    assert foreseen.points[ALICE].after == foreseen.points[ALICE].before
    assert foreseen.points[BOB].after is None and foreseen.reveals
