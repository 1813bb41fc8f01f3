"""Places of a view, as JSON pointers: what moves that are given ahead rest on."""

from __future__ import annotations

from service.rules.order_conditions import NOWHERE, conditions_of, value_at
from tests.games.sealed_bids import RULESET
from tests.games.sealed_bids.actions import Hold


def test_a_pointer_leads_to_a_value_or_nowhere() -> None:
    view = {"a/b": [1, {"~": None}], "seat": "0"}
    assert value_at(view, "") == view
    assert value_at(view, "/a~1b/0") == 1
    assert value_at(view, "/a~1b/1/~0") is None
    for pointer in ("/a", "/a~1b/2", "/a~1b/-1", "/a~1b/01", "/seat/0", "a", "/a~1b/1/~0/x", f"/a~1b/{'9' * 99}"):
        assert value_at(view, pointer) is NOWHERE, pointer


def test_t31_without_conditions_a_card_turned_up_in_the_supply_drops_an_order_and_others_hands_do_not() -> None:
    before = {"supply": ["ace", "king"], "players": [{"seat": 0, "cards": 3}, {"seat": 1, "cards": 3}]}
    rests_on = [(place, value_at(before, place)) for place in conditions_of(RULESET, before, 0, Hold())]
    turned_up = {**before, "supply": ["ace", "queen"]}
    played = {**before, "players": [{"seat": 0, "cards": 3}, {"seat": 1, "cards": 2}]}
    assert [place for place, value in rests_on if value_at(turned_up, place) != value] == ["/supply"]
    assert [place for place, value in rests_on if value_at(played, place) != value] == []
