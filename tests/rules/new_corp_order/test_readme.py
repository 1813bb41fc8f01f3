"""The README tells the authors of clients what the game really takes and gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from service.log.codec import stored_name
from service.rules.games import new_corp_order
from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.tabletop import paint
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS
from tests.rules.playouts import random_game, viewers

HOME = Path(new_corp_order.__file__).parent
README = (HOME / "README.md").read_text()
GAMES = [(seats, random_game("new-corp-order", seats, seed)) for seats in RULESET.meta.seats for seed in range(2)]


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    """The cells of a section's table, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("| ") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def keys(value: Any) -> Iterator[str]:
    """Yield every key in a JSON value."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield key
            yield from keys(below)
    elif isinstance(value, list):
        for each in value:
            yield from keys(each)


RULES = [*rows("Rules"), *rows("House rules")]


@pytest.mark.parametrize("row", RULES, ids=lambda row: row[0])
def test_a_rule_is_named_in_the_files_where_it_is_said_to_be(row: list[str]) -> None:
    number = int(row[0].removeprefix("R-"))
    for name in row[2].split(", "):
        source = (HOME / name).read_text()
        spans = re.findall(r"R-(\d\d)(?: to R-(\d\d))?", source)
        assert any(int(first) <= number <= int(last or first) for first, last in spans), name


def test_every_line_of_notation_is_read_and_written_as_it_stands() -> None:
    lines = [(row[0], line) for row in rows("Notation") for line in quoted(row[1])]
    kinds = []
    for kind, line in lines:
        action = RULESET.parse(line)
        assert RULESET.notate(action) == line
        kinds.append(stored_name(type(action)))
        assert kind in {"", f"`{kinds[-1]}`"}
    assert set(kinds) == set(RULESET.action_types)


def test_the_fields_of_every_action_are_there() -> None:
    told = {quoted(row[0])[0]: quoted(row[1]) for row in rows("Actions")} | {"play-ods": []}
    for name, kind in RULESET.action_types.items():
        assert {field.name for field in fields(kind)} <= set(told[name]), name


def test_the_fields_of_every_event_are_there() -> None:
    told: dict[str, set[str]] = {}
    before: set[str] = set()
    for names, content in rows("Events"):
        before = set(quoted(content)) | (before if content.startswith("the same") else set())
        told |= dict.fromkeys(quoted(names), before)
    assert set(told) == set(RULESET.event_types)
    for seats, game in GAMES:
        for event in game.log()[1:]:
            for viewer in viewers(seats):
                assert set(RULESET.redact(event, viewer)) <= told[stored_name(type(event))], event


def test_the_fields_of_views_and_standings_are_there() -> None:
    words = {*quoted(section("Words")), *quoted(section("View")), *ALL_CONSULTANTS}
    told = set(quoted(section("Standings and outcome")))
    for seats, game in GAMES:
        for state in game.states[::9] + game.states[-1:]:
            for viewer in viewers(seats):
                assert set(keys(RULESET.view(state, viewer))) <= words
                assert set(keys(RULESET.standings(state, viewer))) <= told | words
        outcome = RULESET.outcome(game.states[-1])
        assert outcome and {*outcome, outcome["reason"]} <= told


def test_every_class_of_the_picture_is_there() -> None:
    told = section("Picture")
    for name in [*paint._FILLS, *paint._STROKES]:
        group, _, colour = name.rpartition("-")
        assert f"`{name}`" in told or (f"`{group}-red`" in told and f"`-{colour}`" in told), name


def test_every_module_has_its_place() -> None:
    told = {name.rstrip("/") for name in quoted(section("Where things are"))}
    modules = {path.stem for path in HOME.glob("*.py")} | {path.parent.name for path in HOME.glob("*/__init__.py")}
    assert modules - {"__init__"} <= told
