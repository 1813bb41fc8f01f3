"""Every ruling has its tests, and the README lists every ruling."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from service.rules.games import new_corp_order

RULEBOOK = chain(range(1, 8), range(10, 23), range(30, 37), range(40, 47), range(50, 55), range(60, 67))
HOUSE_RULES = range(70, 81)
RULINGS = [f"R-{number:02}" for number in chain(RULEBOOK, HOUSE_RULES)]
HERE = Path(__file__).parent
TESTED = set(re.findall(r"def test_(r_\d\d)_", "".join(path.read_text() for path in HERE.glob("test_*.py"))))


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_has_a_test_named_after_it(ruling: str) -> None:
    assert ruling.lower().replace("-", "_") in TESTED


def test_no_test_is_named_after_a_ruling_that_does_not_exist() -> None:
    assert TESTED <= {ruling.lower().replace("-", "_") for ruling in RULINGS}


def test_the_readme_lists_every_ruling() -> None:
    readme = (Path(new_corp_order.__file__).parent / "README.md").read_text()
    assert RULINGS == sorted(set(re.findall(r"R-\d\d", readme)))
