"""What every operation refuses in the same way, whatever it does: asked of each that the document has."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from werkzeug.test import TestResponse

from service.api.body import LARGEST
from service.api.recorded import operations
from service.store.games import Games
from tests.people import alice
from tests.promises import committed
from tests.rest import Caller, refused

Operation = tuple[str, str, dict[str, Any]]
EVERY = {each[2]["operationId"]: each for each in operations(committed())}


def those_with(part: str) -> Any:
    """Run the test for each operation that has this part, or promises this status."""
    having = {name: each for name, each in EVERY.items() if part in each[2] or part in each[2]["responses"]}
    return pytest.mark.parametrize("operation", having.values(), ids=having)


def ask(caller: Caller, operation: Operation, query: str = "", **sent: Any) -> TestResponse:
    """Send something to an operation; what its address names does not exist."""
    method, path, described = operation
    shared = committed()["paths"][path].get("parameters", [])
    for each in [*shared, *described.get("parameters", [])]:
        if each["in"] == "path":
            path = path.replace(f"{{{each['name']}}}", absent(each["schema"]))
    token = {"Authorization": f"Bearer {caller.token}"} if caller.token else {}
    headers = {**token, **sent.pop("headers", {})}
    return caller.client.open(f"{path}{query}", method=method.upper(), headers=headers, **sent)


def absent(schema: dict[str, Any]) -> str:
    """Return an id of a form that the document allows, of nothing that there is."""
    return (
        str(uuid4()) if schema.get("format") == "uuid" else str(schema.get("maximum", "x" * schema.get("minLength", 1)))
    )


@pytest.fixture
def caller(api: Caller, games: Games) -> Caller:
    return api.by(alice(games, email=None))


@those_with("401")
def test_nobody_gets_in_without_a_token(operation: Operation, api: Caller) -> None:
    answer = ask(api, operation)
    refused(answer, 401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"]


@those_with("requestBody")
def test_a_body_that_is_no_json_is_refused(operation: Operation, caller: Caller) -> None:
    refused(ask(caller, operation, data=b"{", content_type="application/json"), 400, "malformed-json")


@those_with("requestBody")
def test_a_body_that_is_too_large_is_refused(operation: Operation, caller: Caller) -> None:
    answer = ask(caller, operation, data=b" " * (LARGEST + 1), content_type="application/json")
    refused(answer, 413, "payload-too-large")


@those_with("requestBody")
def test_a_body_of_another_kind_is_refused(operation: Operation, caller: Caller) -> None:
    answer = ask(caller, operation, data=b"a=b", content_type="application/x-www-form-urlencoded")
    refused(answer, 415, "unsupported-media-type")


@those_with("requestBody")
def test_a_body_of_another_form_is_pointed_at(operation: Operation, caller: Caller) -> None:
    body = refused(ask(caller, operation, json=[]), 422, "validation")
    assert all("pointer" in fault for fault in body["errors"])


@those_with("422")
def test_a_parameter_that_nobody_knows_is_named(operation: Operation, caller: Caller) -> None:
    parameters = [each for each in operation[2].get("parameters", []) if each["in"] == "query"]
    if parameters and "requestBody" not in operation[2]:
        body = refused(ask(caller, operation, "?unheard-of=1"), 422, "validation")
        assert body["errors"][0]["parameter"] == "unheard-of"


@those_with("404")
def test_what_is_not_there_is_not_found(operation: Operation, caller: Caller) -> None:
    _, _, described = operation
    content = described.get("requestBody", {}).get("content", {}).get("application/json", {})
    answer = ask(caller, operation, **({"json": content["example"]} if content else {}))
    assert answer.status_code == 404
    assert answer.mimetype == "application/problem+json"
