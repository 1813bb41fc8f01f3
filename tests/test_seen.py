"""Which runs are judged by the answers that were seen in them."""

from __future__ import annotations

from argparse import Namespace

import pytest

from tests.promises import promised
from tests.seen import is_whole, missing, unpromised


def test_an_answer_that_is_promised_and_that_nobody_has_seen_is_named() -> None:
    answers = set(promised())
    assert missing(answers) == []
    assert missing(answers - {("GET", "/api/v1/me", "401")}) == ["GET /api/v1/me 401"]
    assert len(missing([])) == len(answers) > 400


def run_of(*paths: str, **options: object) -> Namespace:
    """Return what pytest knows of a run: the paths and the options it was called with."""
    return Namespace(args=list(paths), option=Namespace(**{"markexpr": "not slow", **options}))


def test_an_answer_that_is_not_documented_is_named() -> None:
    answers = [("GET", "/api/v1/me", status) for status in ("200", "500", "418")]
    assert unpromised([*answers, ("GET", "/games", "418")]) == ["GET /api/v1/me 418"]
    # A precondition is refused everywhere; nothing else is answered so.
    conditional = [("PUT", "/api/v1/me/ready", status) for status in ("412", "412 unasked")]
    assert unpromised(conditional) == ["PUT /api/v1/me/ready 412 unasked"]


@pytest.mark.parametrize("run", [run_of("tests"), run_of("tests/"), run_of("tests", markexpr="")])
def test_a_run_of_every_test_of_the_api_is_judged(run: Namespace) -> None:
    assert is_whole(run)


@pytest.mark.parametrize(
    "run",
    [
        run_of("tests/api", "tests/workers", markexpr="slow"),
        run_of("tests", keyword="replay"),
        run_of("tests/handlers/test_links.py"),
        run_of("tests/rules"),
    ],
)
def test_a_run_of_some_tests_is_not_judged(run: Namespace) -> None:
    assert not is_whole(run)
