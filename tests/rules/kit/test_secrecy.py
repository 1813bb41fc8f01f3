"""Secrecy is said at the fields, and views, redacted events and imagined states follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

import pytest

from service.rules.kit.secrecy import Public, Secret, check_secrets, imagine, marks, told


@dataclass(frozen=True, kw_only=True)
class CardDrawn:
    seat: Public[int]
    card: Annotated[int, Secret("seat")]


@dataclass(frozen=True, kw_only=True)
class Table:
    over: Public[bool] = False
    hands: Annotated[tuple[tuple[int, ...], ...], Secret("seats", pool="cards", until="over")]
    deck: Annotated[tuple[int, ...], Secret("nobody", pool="cards")]
    orders: Annotated[Mapping[int, str], Secret("seats", among=("go", "stay"))] = field(default_factory=dict)


TABLE = Table(hands=((1, 2), (3, 4)), deck=(5, 6, 7), orders={1: "stay"})


def test_the_owner_of_a_secret_sees_it_and_nobody_else() -> None:
    drawn = CardDrawn(seat=1, card=8)
    assert [told(drawn, viewer) for viewer in (0, 1, None)] == [
        {"seat": 1, "card": None},
        {"seat": 1, "card": 8},
        {"seat": 1, "card": None},
    ]


def test_each_seat_sees_its_own_member_and_how_many_the_others_have() -> None:
    assert told(TABLE, 0)["hands"] == [[1, 2], [None, None]]
    assert told(TABLE, None)["hands"] == [[None, None], [None, None]]
    assert told(TABLE, 0)["orders"] == {"1": None} and told(TABLE, 1)["orders"] == {"1": "stay"}


def test_what_is_nobodys_nobody_sees() -> None:
    assert [told(TABLE, viewer)["deck"] for viewer in (0, 1, None)] == [[None, None, None]] * 3


def test_a_secret_is_open_from_the_moment_that_it_names() -> None:
    after = Table(over=True, hands=TABLE.hands, deck=TABLE.deck)
    assert told(after, None)["hands"] == [[1, 2], [3, 4]]
    assert all(table.hands == TABLE.hands for table in imagine(after, None))


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_imagined_states_look_alike_and_follow_from_what_the_viewer_sees(viewer: int | None) -> None:
    tables = imagine(TABLE, viewer)
    assert {repr(told(table, viewer)) for table in tables} == {repr(told(TABLE, viewer))}
    assert imagine(tables[-1], viewer) == tables
    assert all(sorted([*sum(table.hands, ()), *table.deck]) == [1, 2, 3, 4, 5, 6, 7] for table in tables)


def test_no_hidden_place_has_the_same_thing_in_all_imagined_states() -> None:
    tables = imagine(TABLE, 0)
    places = [*zip(*(table.hands[1] + table.deck for table in tables), strict=True)]
    assert all(len(set(things)) > 1 for things in places)
    assert {table.orders[1] for table in tables} == {"go", "stay"}
    assert {table.orders[1] for table in imagine(TABLE, 1)} == {"stay"}


def test_a_field_that_does_not_say_who_sees_it_is_refused() -> None:
    @dataclass(frozen=True)
    class CardShown:
        card: int

    with pytest.raises(TypeError, match=r"^CardShown\.card has to say who sees it"):
        marks(CardShown)


def test_a_secret_of_a_state_has_to_say_what_may_be_there_instead() -> None:
    with pytest.raises(TypeError, match=r"^CardDrawn\.card: a secret of a state has a pool"):
        check_secrets(CardDrawn)
