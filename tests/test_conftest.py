"""What all tests share is made once in a process."""

from __future__ import annotations

from collections import defaultdict

import pytest


def test_what_lasts_for_a_whole_run_is_made_once(request: pytest.FixtureRequest) -> None:
    # A conftest file that imports such a fixture makes another one of it: other keys, on the same database.
    made = defaultdict(set)
    for item in request.session.items:
        for name, found in item._fixtureinfo.name2fixturedefs.items():
            made[name] |= {each for each in found if each.scope == "session"}
    assert {name for name, found in made.items() if len(found) > 1} == set()
