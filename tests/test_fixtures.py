"""What all tests share is made once in a process."""

from __future__ import annotations

import pytest


def test_what_lasts_for_a_whole_run_is_made_once(request: pytest.FixtureRequest) -> None:
    # A conftest file that imports such a fixture makes another one of it: other keys, on the same database.
    every = request.session._fixturemanager._arg2fixturedefs
    twice = {
        name
        for name, found in every.items()
        if len({each.func for each in found if each.scope == "session"})
        < len([each for each in found if each.scope == "session"])
    }
    assert twice == set()
