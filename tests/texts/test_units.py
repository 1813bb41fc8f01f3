"""What a game calls the unit of its course, on pages and in listings."""

from __future__ import annotations

import pytest

from service.texts.units import counted, headed, numbered, unit_named
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
    told = [unit_named(ROUNDS, language), numbered(ROUNDS, 3, language), headed(ROUNDS, 3, language)]
    assert [*told, counted(ROUNDS, 1, language), counted(ROUNDS, 7, language)] == said


@pytest.mark.parametrize(("language", "said"), [("en", "2 turns"), ("de", "2 Züge"), ("fr", "2 tours")])
def test_a_game_that_says_nothing_of_it_has_turns(language: str, said: str) -> None:
    assert counted(TURNS, 2, language) == said
    assert headed(TURNS, 2, language).lower() == numbered(TURNS, 2, language).lower()
