"""Promises of the committed document, operation by operation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from service.api.examples import add_examples, operations

COMMITTED = Path(__file__).parents[1] / "openapi.yaml"
BEYOND_TESTS = ("408", "500")
"""Answers of the web server before it knows the operation, and of a service that is broken: tested once each."""
FROM_MEMORY = ("listRulesets", "getGuide", "drawGuidePicture", "listLimits")
"""Operations answered without a database: their 503 is that of a service which is down altogether."""


@cache
def committed() -> dict[str, Any]:
    """Return the committed document, which nobody may change."""
    loaded: dict[str, Any] = yaml.load(COMMITTED.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return loaded


@cache
def served() -> dict[str, Any]:
    """Return the document as it is served, with its examples, which nobody may change."""
    document = deepcopy(committed())
    add_examples(document)
    return document


def rule_of(path: str, operation: dict[str, Any], shared: list[dict[str, Any]]) -> str:
    """Return the rule by which the app knows a path of the document."""
    kinds = {
        each["name"]: each["schema"].get("format", each["schema"]["type"])
        for each in [*shared, *operation.get("parameters", [])]
        if each["in"] == "path"
    }
    converters = {"uuid": "uuid:", "integer": "int:", "int32": "int:", "string": ""}
    return re.sub(r"\{(\w+)\}", lambda found: f"<{converters[kinds[found[1]]]}{found[1]}>", path)


@cache
def documented() -> dict[tuple[str, str], frozenset[str]]:
    """Return the statuses that are documented, by (method, rule)."""
    return {asked: frozenset(operation["responses"]) for asked, operation in _operations()}


def _operations() -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    for method, path, operation in operations(committed()):
        shared = committed()["paths"][path].get("parameters", [])
        yield (method.upper(), rule_of(path, operation, shared)), operation


def promised() -> Iterator[tuple[str, str, str]]:
    """Return (method, rule, status) for every answer that tests have to have seen."""
    from_memory = {asked for asked, operation in _operations() if operation["operationId"] in FROM_MEMORY}
    for (method, rule), statuses in documented().items():
        beyond = {*BEYOND_TESTS, "503"} if (method, rule) in from_memory else set(BEYOND_TESTS)
        yield from ((method, rule, status) for status in statuses - beyond)
