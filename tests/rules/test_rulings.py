"""Every ruling of every game has its tests, and the README of the game lists it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from types import ModuleType

import pytest

from service.rules.games import bastards_inc, new_corp_order

HERE = Path(__file__).parent
NUMBERS = {
    "R": ((1, 7), (10, 22), (30, 36), (40, 46), (50, 54), (60, 66), (70, 80)),
    "B": ((1, 8), (10, 17), (20, 24), (30, 35), (40, 44), (46, 48), (50, 63), (70, 71), (73, 76), (80, 82), (90, 92)),
}
"""The first and the last number of each run of rulings."""
GAMES = {"R": new_corp_order, "B": bastards_inc}


def rulings(letter: str) -> Iterator[str]:
    """Yield the rulings of a game in their order."""
    for number in chain.from_iterable(range(first, last + 1) for first, last in NUMBERS[letter]):
        yield f"{letter}-{number:02}"


def home(game: ModuleType) -> Path:
    """Return the folder of a game."""
    return Path(str(game.__file__)).parent


def named_in_tests(letter: str) -> set[str]:
    """Return the rulings after which tests of a game are named."""
    sources = (HERE / home(GAMES[letter]).name).glob("test_*.py")
    found = (re.findall(rf"def test_{letter.lower()}_(\d\d)_", each.read_text()) for each in sources)
    return {f"{letter}-{number}" for number in chain.from_iterable(found)}


@pytest.mark.parametrize("letter", GAMES)
def test_every_ruling_has_a_test_named_after_it_and_no_test_is_named_after_another(letter: str) -> None:
    assert named_in_tests(letter) == set(rulings(letter))


@pytest.mark.parametrize("letter", GAMES)
def test_the_readme_lists_every_ruling(letter: str) -> None:
    readme = (home(GAMES[letter]) / "README.md").read_text()
    assert sorted(set(re.findall(rf"{letter}-\d\d", readme))) == [*rulings(letter)]
