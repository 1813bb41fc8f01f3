"""What all tests share is made once in a process."""

from __future__ import annotations

import sys
from collections import defaultdict
from datetime import UTC, datetime
from types import ModuleType

import pytest
from _pytest.timing import Instant
from freezegun import freeze_time

from service.handlers import lobby
from tests.chance import DrawnAlike


def test_what_lasts_for_a_whole_run_is_made_once(request: pytest.FixtureRequest) -> None:
    # A conftest file that imports such a fixture makes another one of it: other keys, on the same database.
    made = defaultdict(set)
    for item in request.session.items:
        for name, found in item._fixtureinfo.name2fixturedefs.items():
            made[name] |= {each for each in found if each.scope == "session"}
    assert {name for name, found in made.items() if len(found) > 1} == set()


def test_the_duration_of_a_test_is_that_of_the_machine_while_its_clock_is_frozen() -> None:
    begun = Instant()
    with freeze_time("2100-01-01", tick=True):
        assert 0 <= begun.elapsed().seconds < 3600


def test_what_a_module_has_imported_since_the_last_time_is_frozen_too() -> None:
    late = ModuleType("late")
    with pytest.MonkeyPatch.context() as here:
        here.setitem(sys.modules, "late", late)
        with freeze_time("2100-01-01"):
            pass
        vars(late).update(datetime=datetime)
        with freeze_time("2100-01-01"):
            assert late.datetime.now(UTC).year == 2100


@pytest.mark.parametrize("seed", ["1", "7"])
def test_the_games_of_a_test_have_the_same_seeds_in_each_run(request: pytest.FixtureRequest, seed: str) -> None:
    def drawn(node: pytest.Item) -> tuple[bytes, bytes, str]:
        with pytest.MonkeyPatch.context() as here:
            here.setattr(lobby, "secrets", None)
            DrawnAlike(seed).pytest_runtest_setup(node)
            secrets = vars(lobby)["secrets"]
            return secrets.token_bytes(32), secrets.token_bytes(32), secrets.token_hex(16)

    first, *others = request.session.items[:5]
    seeds = drawn(request.node)
    assert drawn(request.node) == seeds
    assert len(set(seeds)) == 3
    assert all(drawn(each) != seeds for each in (first, *others) if each is not request.node)
