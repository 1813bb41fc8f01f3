"""Every ruling has its tests, and the README lists every ruling."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from service.rules.games import bastards_inc

SETUP_AND_PHASES = chain(range(1, 9), range(10, 18), range(20, 25), range(30, 36), range(40, 49))
BUSINESS_AND_END = chain(range(50, 64), range(70, 77), range(80, 83), range(90, 93))
UNUSED = {45, 72}
"""Numbers between two rulings that none has."""
RULINGS = [f"B-{number:02}" for number in chain(SETUP_AND_PHASES, BUSINESS_AND_END) if number not in UNUSED]
HERE = Path(__file__).parent
TESTED = set(re.findall(r"def test_(b_\d\d)_", "".join(path.read_text() for path in HERE.glob("test_*.py"))))


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_has_a_test_named_after_it(ruling: str) -> None:
    assert ruling.lower().replace("-", "_") in TESTED


def test_no_test_is_named_after_a_ruling_that_does_not_exist() -> None:
    assert TESTED <= {ruling.lower().replace("-", "_") for ruling in RULINGS}


def test_the_readme_lists_every_ruling() -> None:
    readme = (Path(bastards_inc.__file__).parent / "README.md").read_text()
    assert RULINGS == sorted(set(re.findall(r"B-\d\d", readme)))
