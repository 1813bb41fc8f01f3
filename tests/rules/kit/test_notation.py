"""Notation follows from the fields of an action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from service.rules.kernel import Unreadable, by_name
from service.rules.kit.notation import field_types, notate, parse


@dataclass(frozen=True)
class TakeCoins:
    count: int
    colour: Literal["red", "Green", "grey"]


@dataclass(frozen=True)
class Pass:
    pass


KINDS = by_name((TakeCoins, Pass))


def test_an_action_is_its_tag_and_its_fields() -> None:
    assert notate(TakeCoins(3, "Green")) == "take-coins 3 Green"
    assert notate(Pass()) == "pass"


@pytest.mark.parametrize("line", ["take-coins 3 Green", "TAKE-COINS 3 GREEN", " t  3 gree "])
def test_case_does_not_matter_and_words_may_be_short(line: str) -> None:
    assert parse(KINDS, line) == TakeCoins(3, "Green")


@pytest.mark.parametrize(
    "line", ["", "p", "pass it", "t 3 gr", "t 3", "t ３ red", "t 3 red red", "t x red", f"t {'9' * 99} red"]
)
def test_what_is_not_clear_is_unreadable(line: str) -> None:
    with pytest.raises(Unreadable):
        parse(KINDS, line)


def test_an_action_without_fields_is_read_in_full_alone() -> None:
    assert parse(KINDS, "Pass") == Pass()


def test_a_field_that_the_notation_cannot_write_is_refused() -> None:
    @dataclass(frozen=True)
    class Discard:
        cards: tuple[int, ...]

    with pytest.raises(TypeError, match=r"^Discard\.cards is no int or Literal"):
        field_types(Discard)
