"""Each check of every game finds a fault that it is there for, and finds none in a game without."""

from __future__ import annotations

from xml.etree.ElementTree import ParseError

import pytest

from service.conformance.check import Check, Trial
from service.conformance.playouts import Broken, RandomGame, random_game
from service.conformance.suite import CHECKS, examine
from service.rules.kernel import AnyRuleset
from tests.conformance.faults import FAULTS, faulty
from tests.games.sealed_bids import RULESET


def tried(check: Check, ruleset: AnyRuleset) -> None:
    """Try a check on the ruleset, and on a random game of it."""
    if check.of_ruleset is not None:
        check.of_ruleset(ruleset)
    if check.of_game is not None:
        check.of_game(Trial(ruleset, 3, 0, _played(ruleset)))


def _played(ruleset: AnyRuleset) -> RandomGame:
    """A random game of a ruleset; of the one without a fault, if it cannot be played."""
    try:
        return random_game(ruleset, 3, 0)
    except Exception:
        return random_game(RULESET, 3, 0)


def test_there_is_a_fault_for_each_check() -> None:
    assert sorted(FAULTS) == sorted(check.name for check in CHECKS)


@pytest.mark.parametrize("check", CHECKS, ids=[check.name for check in CHECKS])
def test_a_check_finds_its_fault(check: Check) -> None:
    tried(check, RULESET)
    with pytest.raises((Broken, ParseError)):
        tried(check, faulty(check.name))


def test_a_game_without_faults_gets_a_finding_for_each_check_and_nothing_to_do() -> None:
    found = list(examine(RULESET))
    assert len(found) == len(CHECKS) + 1
    assert [(each.wrong, each.todo) for each in found] == [("", "")] * len(found)
