"""The labels of what can be chosen at a table of New Corp Order."""

from __future__ import annotations

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.kernel import fold
from service.rules.tabletop.table import Table
from tests.rules.new_corp_order.tables import ALICE, table


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("kind", ["plot", "infiltrate"])
def test_what_can_be_chosen_begins_with_a_capital_letter(language: str, kind: str) -> None:
    state = fold(RULESET, table(3, hands=[{"red": 1, "white": 1}]))
    offered = Table(RULESET, state, 3, ALICE, language, ("Alice", "Bob", "Carol")).choices({"kind": kind}).choices
    assert offered and [each.label for each in offered if each.label[0].islower()] == []
