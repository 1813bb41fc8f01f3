"""What a game says about moves that are given ahead: what they rest on, and what can be answered for a player."""

from __future__ import annotations

from service.rules.reliance import NOWHERE, reliance, value_at
from tests.rules.playouts import every_table, few, fewest, played, seeds


@every_table
@fewest
@seeds
def test_t31_what_a_legal_action_rests_on_is_in_the_view_of_its_seat(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for step in game.steps[::5]:
        if step.seat >= seats:
            continue
        view = ruleset.view(step.before, step.seat)
        for action in ruleset.legal(step.before, step.seat)[:50]:
            assert all(
                value_at(view, pointer) is not NOWHERE for pointer in reliance(ruleset, view, step.seat, action)
            ), action


@every_table
@few
@seeds
def test_t34_an_auto_answer_is_a_legal_action_of_a_decision_of_its_kind(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for each in ruleset.auto_answers:
        assert set(each.describe) == set(ruleset.meta.languages) and all(each.describe.values())
        for step in game.steps:
            view, legal = ruleset.view(step.before, step.seat), ruleset.legal(step.before, step.seat)
            answer = each.answer(view, legal)
            assert answer is None or answer in legal


def test_a_pointer_leads_to_a_value_or_nowhere() -> None:
    view = {"a/b": [1, {"~": None}], "seat": "0"}
    assert value_at(view, "") == view
    assert value_at(view, "/a~1b/0") == 1
    assert value_at(view, "/a~1b/1/~0") is None
    for pointer in ("/a", "/a~1b/2", "/a~1b/-1", "/a~1b/01", "/seat/0", "a", "/a~1b/1/~0/x", f"/a~1b/{'9' * 99}"):
        assert value_at(view, pointer) is NOWHERE, pointer
