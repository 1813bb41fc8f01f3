"""Of all legal actions a table suggests a few: one of each kind, the one that gains most."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.tabletop.table import Table
from tests.rules.playouts import RULESETS, every_table, names_of, random_game, times

MOST = 5


def table_at(name: str, seats: int, seed: int, step: int) -> Table | None:
    """The table at a step of a random game, for the first seat that is to act."""
    ruleset, states = RULESETS[name], random_game(name, seats, seed).states
    state = states[step % len(states)]
    viewer = min((seat for seat in ruleset.to_act(state) if seat < seats), default=None)
    return None if viewer is None else Table(ruleset, state, seats, viewer, "en", names_of(seats))


@every_table
@given(seed=st.integers(1, 3), step=st.integers(0, 120))
@times(6)
def test_suggestions_are_legal_one_of_each_kind_the_best_first(name: str, seats: int, seed: int, step: int) -> None:
    table = table_at(name, seats, seed, step)
    if table is None or table.sight.viewer is None:
        return
    found = table.suggestions(MOST)
    legal = RULESETS[name].legal(table.sight.known, table.sight.viewer)
    assert 1 <= len(found) <= min(MOST, len(table.kinds()))
    assert all(each.action in legal for each in found)
    assert len({table.picks(each.action)["kind"] for each in found}) == len(found)
    gains = [each.gain or 0 for each in found]
    assert gains == sorted(gains, reverse=True)


def test_of_the_takeovers_the_one_that_gains_most_is_suggested() -> None:
    tables = [table_at("new-corp-order", 4, 1, step) for step in range(30, 90, 3)]
    seen = 0
    for table in filter(None, tables):
        if "take-over" not in {kind.id for kind in table.kinds()}:
            continue
        targets = [each for each in table.choices({"kind": "take-over"}).choices if each.part == "target"]
        wins = [each.gain or 0 for each in targets if each.prospect == "good"]
        (taken,) = [each for each in table.suggestions(MOST) if table.picks(each.action)["kind"] == "take-over"] or [
            None
        ]
        if wins:
            seen += 1
            assert taken is not None and (taken.prospect, taken.gain) == ("good", max(wins))
        else:
            assert taken is None or taken.prospect == "open"
    assert seen > 3


@pytest.mark.parametrize("most", [1, 2])
def test_no_more_are_suggested_than_asked_for(most: int) -> None:
    table = table_at("new-corp-order", 4, 1, 40)
    assert table is not None
    assert len(table.suggestions(most)) == most
