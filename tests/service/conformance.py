"""Generated requests, good and bad, against an app: what schemathesis makes of the document, in all its phases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from flask import Flask
from schemathesis import Config
from schemathesis.engine import events, from_schema

from service.api.document import trim_for_generators
from service.api.recorded import operations
from tests.live import serving

Document = dict[str, Any]

PHASES = ("examples", "coverage", "fuzzing", "stateful")

# Which rulesets there are, whose game it is and what a line of notation means is not for a schema to say.
_ACCEPTANCE = {"positive_data_acceptance": {"expected-statuses": ["2xx", 403, 404, 409, 422]}}


@dataclass(slots=True)
class Findings:
    """What a run has found wrong, how many cases it has tried in each phase, and the statuses of the answers."""

    failures: list[str] = field(default_factory=list)
    cases: Counter[str] = field(default_factory=Counter)
    answered: Counter[int] = field(default_factory=Counter)


def examine(app: Flask, document: Document, token: str, *phases: str, mode: str = "all") -> Findings:
    """Run phases on all operations of the document, asking under a token; mode `positive` sends nothing wrong."""
    settings: Document = {
        "headers": {"Authorization": f"Bearer {token}"},
        "generation": {"max-examples": 10, "deterministic": True, "database": "none", "mode": mode},
        "phases": {each: {"enabled": each in phases} for each in PHASES},
        "checks": _ACCEPTANCE,
    }
    schema = schemathesis.openapi.from_dict(_impatient(document), config=Config.from_dict(settings))
    with serving(app) as url:
        schema.config.update(base_url=url)
        return _collected(from_schema(schema).execute())


def only(document: Document, *names: str) -> Document:
    """Return the document with nothing but these operations."""
    paths: Document = {}
    for method, path, operation in operations(document):
        if operation["operationId"] in names:
            shared = {key: value for key, value in document["paths"][path].items() if key == "parameters"}
            paths.setdefault(path, shared)[method] = operation
    return {**document, "paths": paths}


def _impatient(document: Document) -> Document:
    """Leave out what answers only after a while: streams, and asking to be kept waiting."""
    asked = deepcopy(document)
    trim_for_generators(asked)
    for _, _, operation in operations(asked):
        if "parameters" in operation:
            operation["parameters"] = [each for each in operation["parameters"] if each.get("name") != "wait"]
    return asked


def _collected(happened: Iterable[Any]) -> Findings:
    found = Findings()
    for each in happened:
        if isinstance(each, events.ScenarioFinished):
            found.cases[each.phase.value] += len(each.recorder.cases)
            for interaction in each.recorder.interactions.values():
                if interaction.response is not None:
                    found.answered[interaction.response.status_code] += 1
            for checks in each.recorder.checks.values():
                found.failures += [
                    f"{each.recorder.label}: {check.name}: {check.failure_info.failure.message}"
                    for check in checks
                    if check.failure_info is not None
                ]
        elif isinstance(each, events.NonFatalError | events.FatalError):
            found.failures.append(str(getattr(each, "value", None) or each))
    return found
