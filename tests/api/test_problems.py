"""The catalogue of problems holds all that the code raises, and nothing else; so do their texts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from service.handlers.refusals import Obstacle
from service.http import problems
from service.http.problems import CATALOGUE
from service.store.tables import GAME_STATES
from tests.api.detail_texts import TEXTS

SERVICE = Path(problems.__file__).parents[1]
RAISED_BY = {"problem", "Refused", "_always"}
OF_HTTP = {*problems._BY_STATUS.values(), "internal"}
OF_TOKENS = {"token-revoked", "token-expired"}
"""Put together from the reason of handlers.refusals.DeadToken."""

OF_REASONS = {
    *(f"not-open-{reason}" for reason in get_args(Obstacle)),
    *(f"game-not-running-{status}" for status in GAME_STATES if status != "running"),
    *(f"too-late-to-take-back-{reason}" for reason in ("acted", "time")),
    *(f"malformed-json{case}" for case in ("", "-deep", "-infinite", "-twice")),
    *(f"too-many-waiting{case}" for case in ("", "-own", "-network")),
}
"""The texts of problems that are raised with a case which the code does not spell out."""


def test_every_problem_in_the_code_is_in_the_catalogue_and_the_other_way_round() -> None:
    codes = {code for code, _ in raised()}
    assert {*codes, *OF_HTTP, *OF_TOKENS} == CATALOGUE.keys()


def test_every_problem_in_the_code_has_a_text_and_the_other_way_round() -> None:
    spelt_out = {code if case is None else f"{code}-{case}" for code, case in raised() if case != "?"}
    # Why an action is against the rules, the game says itself.
    assert {*spelt_out, *OF_HTTP, *OF_TOKENS, *OF_REASONS} - {"illegal-action"} == TEXTS["en"].keys()


def raised() -> Iterator[tuple[str, str | None]]:
    """Return code and case of every problem that a call somewhere in the service names; `?` where it is put together.

    A call gives the case in the second place, or none.
    """
    for path in SERVICE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED_BY:
                code, case = [*node.args, None][:2]
                if isinstance(code, ast.Constant):
                    yield str(code.value), spelt_out(case)


def spelt_out(case: ast.expr | None) -> str | None:
    """Return the case that a call names."""
    if case is None:
        return None
    return str(case.value) if isinstance(case, ast.Constant) else "?"
