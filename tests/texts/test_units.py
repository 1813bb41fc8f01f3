"""What a game calls the unit of its course, on pages and in listings."""

from __future__ import annotations

import pytest

from service.texts.games import unit_count, unit_heading, unit_name, unit_number
from tests.rules.playouts import RULESETS

ROUNDS = RULESETS["bastards-inc"]
TURNS = RULESETS["new-corp-order"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Round", "round 3", "Round 3", "1 round", "7 rounds"]),
        ("de", ["Runde", "Runde 3", "Runde 3", "1 Runde", "7 Runden"]),
        ("fr", ["Manche", "manche 3", "Manche 3", "1 manche", "7 manches"]),
    ],
)
def test_a_game_of_rounds_says_rounds(language: str, said: list[str]) -> None:
    told = [unit_name(ROUNDS, language), unit_number(ROUNDS, 3, language), unit_heading(ROUNDS, 3, language)]
    assert [*told, unit_count(ROUNDS, 1, language), unit_count(ROUNDS, 7, language)] == said


@pytest.mark.parametrize(("language", "said"), [("en", "2 turns"), ("de", "2 Züge"), ("fr", "2 tours")])
def test_a_game_that_says_nothing_of_it_has_turns(language: str, said: str) -> None:
    assert unit_count(TURNS, 2, language) == said
    assert unit_heading(TURNS, 2, language).lower() == unit_number(TURNS, 2, language).lower()
