"""The README tells the authors of clients what the game really takes and gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from service.log.codec import stored_name
from service.rules.games import bastards_inc
from service.rules.games.bastards_inc import RULESET
from tests.rules.playouts import random_game, viewers

HOME = Path(bastards_inc.__file__).parent
README = (HOME / "README.md").read_text()
GAMES = [(seats, random_game("bastards-inc", seats, 0)) for seats in (2, 4, 6)]


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


@pytest.mark.parametrize("row", rows("Rules"), ids=lambda row: row[0])
def test_a_ruling_is_named_in_the_files_where_it_is_said_to_be(row: list[str]) -> None:
    number = int(row[0].removeprefix("B-"))
    for name in row[2].split(", "):
        source = (HOME / name).read_text()
        spans = re.findall(r"B-(\d\d)(?: to B-(\d\d))?", source)
        assert any(int(first) <= number <= int(last or first) for first, last in spans), name


def test_every_line_of_notation_is_read_and_written_as_it_stands() -> None:
    lines = [(row[0], line) for row in rows("Notation") for line in quoted(row[1])]
    kinds = []
    kind = ""
    for told, line in lines:
        kind = told or kind
        action = RULESET.parse(line)
        assert RULESET.notate(action) == line
        kinds.append(stored_name(type(action)))
        assert kind == f"`{kinds[-1]}`"
    assert set(kinds) == set(RULESET.action_types)


def test_the_fields_of_every_action_are_there() -> None:
    told = {quoted(row[0])[0]: quoted(row[1]) for row in rows("Actions")}
    for name, kind in RULESET.action_types.items():
        assert {field.name for field in fields(kind)} <= set(told[name]), name


def test_the_fields_of_every_event_are_there() -> None:
    told = {quoted(names)[0]: set(quoted(content)) for names, content in rows("Events")}
    assert set(told) == set(RULESET.event_types)
    for seats, game in GAMES:
        for event in game.log()[1:]:
            for viewer in viewers(seats):
                assert set(RULESET.redact(event, viewer)) <= told[stored_name(type(event))], event


def test_the_fields_of_views_and_standings_are_there() -> None:
    words = {*quoted(section("Words")), *quoted(section("View")), *quoted(section("Actions"))}
    told = set(quoted(section("Standings and outcome")))
    for seats, game in GAMES:
        for state in game.states[::9] + game.states[-1:]:
            for viewer in viewers(seats):
                assert set(keys(RULESET.view(state, viewer))) <= words
                assert set(keys(RULESET.standings(state, viewer))) <= told
        outcome = RULESET.outcome(game.states[-1])
        assert outcome and {*outcome, outcome["reason"]} <= told


def test_every_module_has_its_place() -> None:
    told = set(quoted(section("Where things are")))
    modules = {path.relative_to(HOME).as_posix() for path in HOME.rglob("*.py") if path.stem != "__init__"}
    folders = {name for name in told if name.endswith("/")}
    assert {name for name in modules if name not in told and f"{name.split('/')[0]}/" not in folders} == set()
    assert all((HOME / name).exists() for name in told)
