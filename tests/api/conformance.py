"""Generated requests, good and bad, against an app: what schemathesis makes of the document, in all its phases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from flask import Flask
from schemathesis import Config
from schemathesis.engine import events, from_schema

from service.api.document import STREAMS, trim_for_generators
from service.api.examples import operations
from tests.api.refusable import refusals
from tests.api.scene import Asked
from tests.live import serving

Document = dict[str, Any]

MOST, THOROUGH = 3, 40
"""The most cases that are made up for an operation where there is no end to them: in each run, and in a slow one."""

REFUSED = "refused_without_reason"
"""Finding: the service refuses what the document allows."""

_LEFT_OUT = frozenset({"wait", "If-Match", "If-None-Match", "Prefer"})
"""The parameters that keep one waiting, or that nobody can make up."""
PHASES = ("examples", "coverage", "fuzzing", "stateful")

# With which problem a good request may be answered is said by refusable.py, more exactly than by a status.
_ALSO_GOOD = ["2xx", 403, 404, 409, 410, 422, 429]
_ALSO_BAD = [400, 401, 403, 404, 409, 415, 422, 429]


@dataclass(slots=True)
class Findings:
    """Findings of a run, the number of cases in each phase, and how often operations gave which status."""

    failures: list[str] = field(default_factory=list)
    cases: Counter[str] = field(default_factory=Counter)
    answered: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    @property
    def statuses(self) -> set[int]:
        """Every status that was answered."""
        return {status for counted in self.answered.values() for status in counted}

    @property
    def granted(self) -> set[str]:
        """The operations that did what they are for at least once."""
        return {name for name, counted in self.answered.items() if any(200 <= status < 300 for status in counted)}


def examine(
    app: Flask,
    document: Document,
    names: Sequence[str],
    token: str,
    *phases: str,
    also_good: Iterable[int] = (),
    most: int = MOST,
) -> Findings:
    """Run phases on operations of the document, asking under a token, `most` times where there is no end to it.

    `also_good` are statuses that requests without a fault may be answered with, beside those that they always may.
    """
    settings: Document = {
        "headers": {"Authorization": f"Bearer {token}"},
        "generation": {"max-examples": most, "deterministic": True, "database": "none"},
        "phases": {each: {"enabled": each in phases} for each in PHASES},
        "checks": {
            "positive_data_acceptance": {"expected-statuses": [*_ALSO_GOOD, *also_good]},
            "negative_data_rejection": {"expected-statuses": _ALSO_BAD},
        },
    }
    schema = schemathesis.openapi.from_dict(_impatient(_only(document, names)), config=Config.from_dict(settings))
    with serving(app) as url:
        schema.config.update(base_url=url)
        return _collected(from_schema(schema.include(operation_id=list(names))).execute())


def asking(document: Document, wanted: Mapping[str, Asked]) -> Document:
    """Return the document with operations that are asked for just this: their examples, and no paths but theirs."""
    settled = _only(document, list(wanted))
    for _, path, operation in operations(settled):
        asked = wanted.get(operation["operationId"])
        if asked is not None:
            shared = settled["paths"][path].get("parameters", [])
            operation["parameters"] = [*_fixed(shared, asked), *operation.get("parameters", [])]
            for content in operation.get("requestBody", {}).get("content", {}).values():
                content["example"] = asked.body
    return settled


def insisting(document: Document, wanted: Mapping[str, Asked]) -> Document:
    """Return the document with operations that take just this body, so that what they make can be used next."""
    settled = {**document, "paths": deepcopy(document["paths"])}
    for _, _, operation in operations(settled):
        if operation["operationId"] in wanted:
            for content in operation["requestBody"]["content"].values():
                content["schema"] = {"const": wanted[operation["operationId"]].body}
    return settled


def _fixed(parameters: Iterable[Document], asked: Asked) -> list[Document]:
    read = {"integer": int, "string": str}
    kinds = [(each, each["schema"]["type"]) for each in parameters]
    return [{**each, "schema": {"type": kind, "const": read[kind](asked.path[each["name"]])}} for each, kind in kinds]


def _only(document: Document, names: Sequence[str]) -> Document:
    """Return the document with a copy of the paths of these operations alone: all of them take long to work through."""
    paths = dict.fromkeys(path for _, path, operation in operations(document) if operation["operationId"] in names)
    return {**document, "paths": {path: deepcopy(document["paths"][path]) for path in paths}}


def _impatient(document: Document) -> Document:
    """Leave out what answers only after a while, and ETags, which nobody can make up; it changes the paths."""
    parts = document["components"]
    # Nothing else of the components is changed, and to copy all of them would take a fifth of the time of a run.
    asked = {**document, "components": {**parts, "headers": deepcopy(parts["headers"])}}
    trim_for_generators(asked, STREAMS)
    for _, _, operation in operations(asked):
        if "parameters" in operation:
            operation["parameters"] = [each for each in operation["parameters"] if each["name"] not in _LEFT_OUT]
    return asked


def _collected(happened: Iterable[Any]) -> Findings:
    found = Findings()
    for each in happened:
        if isinstance(each, events.ScenarioFinished):
            found.cases[each.phase.value] += len(each.recorder.cases)
            _note(found, each.recorder)
        elif isinstance(each, events.NonFatalError | events.FatalError):
            found.failures.append(str(getattr(each, "value", None) or each))
    return found


def _note(found: Findings, recorder: Any) -> None:
    for case_id, interaction in recorder.interactions.items():
        if interaction.response is not None:
            case = recorder.cases[case_id].value
            name = case.operation.definition.raw["operationId"]
            found.answered[name][interaction.response.status_code] += 1
            found.failures += [f"{recorder.label}: {REFUSED}: {each}" for each in _refused(case, interaction.response)]
    for checks in recorder.checks.values():
        found.failures += [
            f"{recorder.label}: {check.name}: {check.failure_info.failure.message}"
            for check in checks
            if check.failure_info is not None
        ]


def _refused(case: Any, response: Any) -> set[str]:
    """Return with what a request that has no fault was refused without a reason that is known."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code < 400:
        return set()
    return refusals(case.operation.definition.raw, case.operation.path, response.json())
