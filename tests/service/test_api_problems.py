"""The catalogue of problems holds all that the code raises, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from service.api import problems
from service.api.problems import CATALOGUE

SERVICE = Path(problems.__file__).parents[1]
RAISED_BY = {"problem", "Refused", "_always"}


def test_every_problem_in_the_code_is_in_the_catalogue_and_the_other_way_round() -> None:
    of_http = {*problems._BY_STATUS.values(), "internal"}
    # Put together from the reason of handlers.refusals.DeadToken.
    of_tokens = {"token-revoked", "token-expired"}
    assert {*raised(), *of_http, *of_tokens} == CATALOGUE.keys()


def raised() -> Iterator[str]:
    """Return the code of every problem that a call somewhere in the service names."""
    for path in SERVICE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED_BY:
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    yield str(first.value)
