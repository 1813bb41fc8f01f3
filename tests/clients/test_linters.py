"""The linters find nothing in the served documents, and would find something: each is shown a planted fault."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
import yaml

from tests.clients.linters import DOCUMENTS, FOLDER, OF_NODE, WHOLE, lint, node_is_there, validate, written

with_node = pytest.mark.skipif(not node_is_there(), reason="Redocly and Spectral are not here: `make clients`")
pytestmark = pytest.mark.slow

Fault = Callable[[dict[str, Any]], Any]
_RULE = re.compile(r"^ +\d+:\d+ +\w+ +(\S+)", re.MULTILINE)


def a_wrong_example(document: dict[str, Any]) -> None:
    document["paths"]["/api/v1/me"]["get"]["responses"]["200"]["content"]["application/json"]["example"]["id"] = 7


def a_pattern_of_no_browser(document: dict[str, Any]) -> None:
    document["components"]["schemas"]["NewPlayer"]["properties"]["name"]["pattern"] = r"^(?P<a>a\Z)$"


def an_operation_of_no_name(document: dict[str, Any]) -> None:
    del document["paths"]["/api/v1/me"]["get"]["operationId"]


def a_text_without_end(document: dict[str, Any]) -> None:
    del document["components"]["schemas"]["NewPlayer"]["properties"]["name"]["maxLength"]


def a_number_without_bounds(document: dict[str, Any]) -> None:
    del document["components"]["schemas"]["Table"]["properties"]["version"]["maximum"]


def a_reference_to_nothing(document: dict[str, Any]) -> None:
    document["components"]["schemas"]["Table"]["properties"]["seats"]["items"] = {"$ref": "#/components/schemas/Chair"}


def a_path_without_its_parameter(document: dict[str, Any]) -> None:
    del document["paths"]["/api/v1/games/{game_id}"]["parameters"]


def a_token_in_the_address(document: dict[str, Any]) -> None:
    scheme = {"type": "apiKey", "in": "query", "name": "token"}
    document["components"]["securitySchemes"]["token"] = scheme


def a_password_in_the_address(document: dict[str, Any]) -> None:
    parameter = {"name": "password", "in": "query", "description": "One's own.", "schema": {"type": "string"}}
    document["paths"]["/api/v1/me"]["get"]["parameters"] = [parameter]


def a_kind_of_security_that_is_not_there(document: dict[str, Any]) -> None:
    document["paths"]["/api/v1/me"]["get"]["security"] = [{"password": []}]


def an_answer_that_does_not_tell_the_limit(document: dict[str, Any]) -> None:
    del document["components"]["responses"]["Problem404"]["headers"]["RateLimit"]


def an_answer_to_one_origin_only(document: dict[str, Any]) -> None:
    del document["components"]["responses"]["Problem404"]["headers"]["Access-Control-Allow-Origin"]


def an_answer_without_a_description(document: dict[str, Any]) -> None:
    del document["components"]["responses"]["Problem404"]["description"]


def rules_broken(result: CompletedProcess[str]) -> set[str]:
    return set(_RULE.findall(result.stdout + result.stderr))


FAULTS: dict[str, dict[str, Fault]] = {
    "redocly": {
        "no-invalid-media-type-examples": a_wrong_example,
        "no-unresolved-refs": a_reference_to_nothing,
        "operation-operationId": an_operation_of_no_name,
        "security-defined": a_kind_of_security_that_is_not_there,
    },
    "spectral": {
        "oas3-schema": a_pattern_of_no_browser,
        "oas3-valid-media-example": a_wrong_example,
        "owasp:api2:2023-no-api-keys-in-url": a_token_in_the_address,
        "owasp:api2:2023-no-credentials-in-url": a_password_in_the_address,
        "owasp:api4:2023-integer-limit": a_number_without_bounds,
        "owasp:api4:2023-rate-limit": an_answer_that_does_not_tell_the_limit,
        "owasp:api4:2023-string-limit": a_text_without_end,
        "owasp:api8:2023-define-cors-origin": an_answer_to_one_origin_only,
    },
}
"""Faults that each linter has to find, by the rule that finds them."""


@pytest.fixture
def planted(tmp_path: Path) -> Callable[..., Path]:
    """Writes the document down with faults in it."""

    def write(*faults: Fault) -> Path:
        document = yaml.load(written(WHOLE).read_text(encoding="utf-8"), yaml.CSafeLoader)
        for fault in faults:
            fault(document)
        path = tmp_path / "openapi.yaml"
        path.write_text(yaml.safe_dump(document, sort_keys=False))
        return path

    return write


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_validator_finds_nothing(document: str) -> None:
    assert validate(written(document)) == []


@with_node
@pytest.mark.parametrize("name", OF_NODE)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_linters_find_nothing(name: str, document: str) -> None:
    result = lint(name, written(document))
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("fault", [an_answer_without_a_description, a_path_without_its_parameter])
def test_the_validator_finds_a_fault(fault: Fault, planted: Callable[..., Path]) -> None:
    assert validate(planted(fault))


@with_node
@pytest.mark.parametrize("name", OF_NODE)
def test_the_linters_find_each_fault(name: str, planted: Callable[..., Path]) -> None:
    result = lint(name, planted(*FAULTS[name].values()))
    assert result.returncode != 0
    assert FAULTS[name].keys() - rules_broken(result) == set()


@with_node
@pytest.mark.parametrize("name", OF_NODE)
def test_every_exception_from_a_linters_rules_is_still_needed(name: str, tmp_path: Path) -> None:
    ours = yaml.safe_load((FOLDER / f"{name}.yaml").read_text())
    # The rules of others are found from where our own are.
    packages = [str(FOLDER / "node_modules" / each) if "/" in each else each for each in ours["extends"]]
    whole = tmp_path / f"{name}.yaml"
    whole.write_text(json.dumps({"extends": packages}))
    assert rules_broken(lint(name, written(WHOLE), whole)) == set(ours["rules"])
