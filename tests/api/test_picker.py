"""The compact form of the legal actions: a tree that holds exactly those of the flat list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec import structs

from service.store.games import Games
from service.views.action_picker import picker
from service.views.table import choices
from tests.builders import sealed_bids, started
from tests.people import alice, bob, carol
from tests.rest import Caller
from tests.rules.playouts import random_game

POSITIONS = 200
TABLES = [("new-corp-order", 1), ("new-corp-order", 2), ("new-corp-order", 4), ("sealed-bids", 3), ("bastards-inc", 4)]


def put(action: dict[str, Any], pointer: str, value: Any) -> None:
    """Set the part of an action that a pointer names."""
    *above, last = pointer.split("/")[1:]
    here: Any = action
    for key in above:
        here = here[int(key) if isinstance(here, list) else key]
    here[int(last) if isinstance(here, list) else last] = json.loads(json.dumps(value))


def actions(step: dict[str, Any], parts: tuple[tuple[str, Any], ...] = ()) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Yield every action that a way through the tree leads to, with its notation and its sentence."""
    for option in step["options"]:
        here = (*parts, (step["pointer"], option["value"]))
        here += tuple((part["pointer"], part["value"]) for part in option.get("follows", ()))
        if "next" not in option:
            action: dict[str, Any] = {}
            for pointer, value in here:
                put(action, pointer, value)
            yield action, option["notation"], option["label"]
        else:
            assert option["count"] == sum(each["count"] for each in option["next"]["options"])
            assert len(option["next"]["options"]) > 1
            yield from actions(option["next"], here)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_flat_list_can_be_made_from_the_tree_again(games: Games, name: str, seats: int) -> None:
    people = [alice(games, None), bob(games, None), carol(games, None), bob(games, None)][:seats]
    position, checked = started(games, name, people), 0
    for seed in count():
        for state in random_game(name, seats, seed).states[:-1:3]:
            at = replace(position, folded=structs.replace(position.folded, state=state))
            for seat in at.awaited:
                flat = choices(at, seat, "en")
                tree = picker(flat)
                assert tree
                rebuilt = list(actions(tree))
                assert len(rebuilt) == len(flat)
                key = json.dumps
                wanted = sorted(key([each["action"], each["notation"], each["text"]]) for each in flat)
                assert sorted(map(key, rebuilt)) == wanted
                checked += 1
        if checked >= POSITIONS:
            return


def test_where_there_is_much_to_choose_from_the_tree_is_the_shorter_form(games: Games) -> None:
    position = started(games, "new-corp-order", [alice(games), bob(games)])
    states = [state for seed in range(5) for state in random_game("new-corp-order", 2, seed).states[:-1]]
    most = max(states, key=lambda state: len(position.ruleset.legal(state, state.active)))
    flat = choices(replace(position, folded=structs.replace(position.folded, state=most)), most.active, "en")
    assert len(flat) > 100
    assert len(json.dumps(picker(flat))) < len(json.dumps(flat))


def test_the_first_step_is_the_kind_of_action_by_its_name(games: Games) -> None:
    position = started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": 0})
    tree = picker(choices(position, 0, "en"))
    assert tree
    assert tree["pointer"] == "/type"
    kinds = {each["kind"] for each in choices(position, 0, "en")}
    assert {option["label"] for option in tree["options"]} == kinds


def test_without_a_choice_there_is_no_tree() -> None:
    assert picker([]) is None


def test_over_the_api_either_form_is_had(api: Caller, games: Games) -> None:
    person = alice(games)
    game = started(games, "new-corp-order", [person, bob(games)], **{"first-player": 0}).game.id
    flat = api.by(person).get(f"/games/{game}/legal-actions").json
    compact = api.by(person).get(f"/games/{game}/legal-actions?form=compact").json
    assert flat and compact
    assert (len(flat["items"]), flat["tree"], compact["items"]) == (flat["count"], None, [])
    found = {json.dumps(action) for action, _, _ in actions(compact["tree"])}
    assert found == {json.dumps(each["action"]) for each in flat["items"]}
    assert api.by(person).get(f"/games/{game}/legal-actions?form=round").status_code == 422


def test_a_random_way_through_the_tree_can_be_played(api: Caller, games: Games) -> None:
    random, position = Random(3), sealed_bids(games)
    tree = picker(choices(position, 0, "en"))
    assert tree
    action, _, _ = random.choice(list(actions(tree)))
    assert action in [each["action"] for each in choices(position, 0, "en")]
