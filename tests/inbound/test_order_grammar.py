"""T-33: moves for later turns in a reply, each on a line of its own, in three languages."""

from __future__ import annotations

import pytest

from service.inbound.grammar import Act, ReplyText, read_reply
from service.rules.registry import find_rulesets

RULES = find_rulesets()["new-corp-order"]


def read(text: str) -> ReplyText:
    return read_reply(RULES, text)


def ordered(found: ReplyText) -> list[str]:
    return [each.notation for each in found.orders]


def test_t33_a_move_alone_is_a_command_and_no_order() -> None:
    found = read("P 3")
    assert isinstance(found.command, Act) and found.command.notation == "P 3"
    assert found.orders == ()


@pytest.mark.parametrize(
    "then", ["then", "Then:", "and then", "dann", "Dann", "und dann", "puis", "ensuite,", "*then*"]
)
def test_t33_lines_that_begin_with_then_are_orders_in_their_sequence(then: str) -> None:
    found = read(f"P 3\n{then} T B2-C2 1\n\n{then} P D D.\n")
    assert isinstance(found.command, Act) and found.command.notation == "P 3"
    assert ordered(found) == ["T B2-C2 1", "P D D"]
    assert found.misread == ()


def test_t33_the_same_move_may_be_given_twice() -> None:
    assert ordered(read("then P D D\nthen P D D")) == ["P D D", "P D D"]


def test_t33_orders_may_come_without_a_move() -> None:
    found = read("Hello!\n\nthen P D D\n")
    assert (found.command, found.found) == (None, ())
    assert ordered(found) == ["P D D"]


def test_t33_a_line_that_cannot_be_read_is_told_if_it_is_short() -> None:
    found = read("P 3\nthen T B2\nthen I went home and thought about this move for a very long time indeed, you know.")
    assert found.orders == ()
    assert found.misread == ("then T B2",)


def test_t33_no_command_is_an_order() -> None:
    assert read("then resign yes").orders == ()
    assert read("then undo").misread == ("then undo",)


def test_t33_orders_in_what_is_quoted_or_said_are_none() -> None:
    assert read("P 3\n> then P D D").orders == ()
    assert read("P 3\nsay: hello\nthen P D D").orders == ()


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("orders", "orders"),
        ("Vorgemerkt", "orders"),
        ("coups d’avance", "orders"),
        ("ordres", "orders"),
        ("cancel", "cancel"),
        ("streichen", "cancel"),
        ("effacer", "cancel"),
    ],
)
def test_t33_orders_are_listed_and_cancelled_by_a_word(word: str, meaning: str) -> None:
    assert read(word).command == meaning
