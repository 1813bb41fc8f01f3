"""Suggestions of a table: of each kind of action the one that gains most."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.table_parts import Choice, Choices, Kind, Picks
from service.rules.tabletop.choices import suggested
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
    offers = {kind.id for kind in table.kinds() if kind.answers}
    answers = [each for each in found if table.picks(each.action)["kind"] in offers]
    assert found[: len(answers)] == answers and all(each.action in legal for each in found)
    found = found[len(answers) :]
    assert len(answers) + len(found) >= 1 and len(found) <= MOST
    assert [found.count(each) for each in found] == [1] * len(found)
    kinds = {table.picks(each.action)["kind"] for each in found}
    assert len(kinds) == len(found) or (len(kinds) == 1 and not answers)
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


def offered(*seats: int) -> list[Any]:
    """Return the suggestions for a reader with an action that gains 9, and with an offer of each of the seats."""
    kinds = [Kind(id="sell", word="", icon="", targets=1, good=1)]
    kinds += [
        Kind(id=each, word="", icon="", targets=1, good=1, answers=True) for each in ("agree", "decline") if seats
    ]

    def choices(picks: Picks) -> Choices:
        kind, seat = picks["kind"], picks.get("seat", str(seats[0]) if len(seats) == 1 else None)
        more: dict[str, Any] = {"prospect": "good", "place": None}
        if kind == "sell":
            return Choices(
                ask="", choices=(Choice(part="kind", value="sell", label="", picks=picks, gain=9, **more),), action=kind
            )
        made = tuple(
            Choice(part="seat", value=str(each), label="", picks={**picks, "seat": str(each)}, gain=None, **more)
            for each in seats
        )
        return Choices(ask="", choices=made, action=f"{kind} {seat}" if seat else None)

    return [each.action for each in suggested(kinds, choices, 3)]


def test_what_is_seldom_wanted_is_suggested_only_where_there_is_nothing_else() -> None:
    def choices(picks: Picks) -> Choices:
        return Choices(ask="", choices=(), action=picks["kind"])

    give = Kind(id="give", word="", icon="", targets=1, good=1, aside=True)
    sell = Kind(id="sell", word="", icon="", targets=1, good=1)
    assert [each.action for each in suggested([give, sell], choices, MOST)] == ["sell"]
    assert [each.action for each in suggested([give], choices, MOST)] == ["give"]


def test_answers_to_offers_of_others_come_before_all_that_gains_however_many_there_are() -> None:
    assert offered() == ["sell"]
    assert offered(2) == ["agree 2", "decline 2", "sell"]
    assert offered(1, 2) == ["agree 1", "agree 2", "decline 1", "decline 2"]
