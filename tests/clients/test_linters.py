"""The linters find nothing in the committed documents, and would find something: each is shown a planted fault."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.clients.linters import DOCUMENTS, FOLDER, OF_NODE, lint, node_is_there, validate

with_node = pytest.mark.skipif(not node_is_there(), reason="Redocly and Spectral are not here: `make clients`")
pytestmark = pytest.mark.slow

Fault = Callable[[dict[str, Any]], Any]
_RULE = re.compile(r"^ +\d+:\d+ +\w+ +(\S+)", re.MULTILINE)
WHOLE = yaml.safe_load(DOCUMENTS[0].read_text())


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


def an_answer_without_a_description(document: dict[str, Any]) -> None:
    del document["components"]["responses"]["Problem404"]["description"]


@pytest.fixture
def planted(tmp_path: Path) -> Callable[[Fault], Path]:
    """Writes the document down with a fault in it."""

    def write(fault: Fault) -> Path:
        document = deepcopy(WHOLE)
        fault(document)
        path = tmp_path / "openapi.yaml"
        path.write_text(yaml.safe_dump(document, sort_keys=False))
        return path

    return write


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_validator_finds_nothing(document: Path) -> None:
    assert validate(document) == []


@with_node
@pytest.mark.parametrize("name", OF_NODE)
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_linters_find_nothing(name: str, document: Path) -> None:
    result = lint(name, document)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("fault", [an_answer_without_a_description, a_path_without_its_parameter])
def test_the_validator_finds_a_fault(fault: Fault, planted: Callable[[Fault], Path]) -> None:
    assert validate(planted(fault))


@with_node
@pytest.mark.parametrize(
    ("name", "fault", "rule"),
    [
        ("redocly", a_wrong_example, "no-invalid-media-type-examples"),
        ("redocly", an_operation_of_no_name, "operation-operationId"),
        ("redocly", a_reference_to_nothing, "no-unresolved-refs"),
        ("spectral", a_wrong_example, "oas3-valid-media-example"),
        ("spectral", a_pattern_of_no_browser, "oas3-schema"),
        ("spectral", a_text_without_end, "owasp:api4:2023-string-limit"),
        ("spectral", a_number_without_bounds, "owasp:api4:2023-integer-limit"),
        ("spectral", a_token_in_the_address, "owasp:api2:2023-no-api-keys-in-url"),
    ],
)
def test_the_linters_find_a_fault(name: str, fault: Fault, rule: str, planted: Callable[[Fault], Path]) -> None:
    result = lint(name, planted(fault))
    assert result.returncode != 0
    assert rule in result.stdout + result.stderr


@with_node
def test_every_exception_from_spectrals_rules_is_still_needed(tmp_path: Path) -> None:
    ours = yaml.safe_load((FOLDER / "spectral.yaml").read_text())
    owasp = FOLDER / "node_modules" / ours["extends"][1] / "dist" / "ruleset.js"
    whole = tmp_path / "spectral.yaml"
    whole.write_text(json.dumps({"extends": ["spectral:oas", str(owasp)]}))
    result = lint("spectral", DOCUMENTS[0], whole)
    assert set(_RULE.findall(result.stdout)) == set(ours["rules"])
