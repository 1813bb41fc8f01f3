"""The log of a whole game is told in sentences: who did it is their subject, not a heading before a colon."""

from __future__ import annotations

import re
from typing import Any

import pytest

from service.commands.selfplay import play_out
from service.rules.bidi import FSI, PDI
from service.rules.games import bastards_inc, new_corp_order
from service.rules.kernel import fold
from service.rules.tabletop.story import WHO, begun
from service.rules.tabletop.table import Table

NAMES = ("Ada", "Ben", "Cy")
GAMES = [(new_corp_order.RULESET, 1), (new_corp_order.RULESET, 3), (bastards_inc.RULESET, 3)]
HEADED = re.compile(r"^(?:Ada|Ben|Cy|ODS|(?:Le )?SOD)\s*:")
WHOLE = re.compile(r"[A-ZÀ-ÝÄÖÜ“„«(0-9].*[.!?…»“)]", re.DOTALL)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize(("ruleset", "seats"), GAMES, ids=["alone", "three", "bastards"])
def test_each_line_of_a_log_is_a_sentence(ruleset: Any, seats: int, language: str) -> None:
    game = play_out(ruleset, seats, {}, f"sentences:{seats}", recorded=False)
    state, told = fold(ruleset, game.opening), []
    for (_, seat, _), caused in zip(game.actions, game.caused, strict=True):
        state = fold(ruleset, caused, state)
        shown = Table(ruleset, state, seats, None, language, NAMES[:seats])
        told += [re.sub(f"[{FSI}{PDI}]", "", line.sentence) for line in shown.story([(each, seat) for each in caused])]
    assert len(told) > 40
    assert [each for each in told if HEADED.match(each) or "{" in each or not WHOLE.fullmatch(each)] == []


def test_sentences_on_one_player_become_one() -> None:
    told = begun("Ada", f"{WHO} pays 3 Billions.", f"{WHO} hires a VP.", "The game is over.", joint=" and ")
    assert told == "Ada pays 3 Billions and hires a VP. The game is over."


def test_a_name_is_put_in_once() -> None:
    assert begun(WHO, f"{WHO} greets {WHO}.") == f"{WHO} greets {WHO}."
