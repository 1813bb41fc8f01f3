"""Sentences in the analysis of a game about a move that lost much."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.players.analysis import LostChance
from service.rules.registry import find_rulesets
from service.views.analysis import lost_text

RULESET = find_rulesets()["new-corp-order"]
LOST = LostChance(7, 1, RULESET.parse("p d"), RULESET.parse("p 1"), 0.2, 0.25)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_move_and_the_better_one_are_told_in_sentences(language: str) -> None:
    told = lost_text(RULESET, LOST, ["Alice", "Bob"], language)
    for action in (LOST.action, LOST.better):
        assert RULESET.describe(action, 1, language, ["Alice", "Bob"]) in told
    assert "Bob" in told and "20" in told and "25" in told


def test_a_game_that_does_not_speak_the_language_tells_them_in_its_own() -> None:
    def describe(thing: object, viewer: int | None, language: str, names: object) -> str:
        return {"en": "Draws a card."}[language]

    english = replace(RULESET, meta=replace(RULESET.meta, languages=("en",)), describe=describe)
    assert "Draws a card." in lost_text(english, LOST, ["Alice", "Bob"], "fr")
