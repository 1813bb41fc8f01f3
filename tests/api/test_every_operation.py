"""Refusals that are the same for every operation, asked of each operation in the document."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from freezegun import freeze_time
from werkzeug.test import TestResponse

from service.api.examples import operations
from service.app import create_app
from service.http.request import MAX_BODY_BYTES
from service.runtime import Runtime
from service.store.engine import build_engine
from service.store.games import Games
from tests.api.scene import Scene
from tests.api.situations import SITUATIONS
from tests.http.test_limits import FULL_HOUR
from tests.people import alice, bob
from tests.promises import FROM_MEMORY, committed
from tests.rest import PROBLEM, Caller, refused

NETWORKS = count(1)
"""Networks of the tests: public operations are counted by network, so each test has its own."""
ABSENT = {"to": "nobody-at-all", "handle": "nobody-at-all", "game": str(uuid4()), "sign_in": "a" * 26}
"""Values for bodies that name nothing."""
Operation = tuple[str, str, dict[str, Any]]
EVERY = {each[2]["operationId"]: each for each in operations(committed())}


def those_with(part: str) -> dict[str, Operation]:
    """Return the operations that have this part, or promise this status, by their names."""
    return {name: each for name, each in EVERY.items() if part in each[2] or part in each[2]["responses"]}


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


def said(operation: Operation, caller: Caller, games: Games) -> dict[str, Any]:
    """Return a body without a fault about things that do not exist, if the operation has one, to be sent."""
    if "requestBody" not in operation[2]:
        return {}
    scene = Scene(caller, games, alice(games, email=None), bob(games, email=None))
    body = SITUATIONS[operation[2]["operationId"]](scene).body
    return {"json": {key: ABSENT.get(key, value) for key, value in body.items()}}


def absent(schema: dict[str, Any]) -> str:
    """Return an id of a form that the document allows, of nothing that there is."""
    return (
        str(uuid4()) if schema.get("format") == "uuid" else str(schema.get("maximum", "x" * schema.get("minLength", 1)))
    )


@pytest.fixture
def caller(api: Caller, games: Games) -> Caller:
    return api.by(alice(games, email=None))


@pytest.fixture(scope="module")
def scarce(runtime: Runtime) -> Flask:
    """The web application with one request in each bucket."""
    settings = replace(runtime.settings, rate_limits=0.0001, redis_url=None)
    return create_app(replace(runtime, settings=settings))


@pytest.fixture(scope="module")
def cut_off(runtime: Runtime) -> Flask:
    """The web application with nothing where its database should be."""
    nowhere = build_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    return create_app(replace(runtime, engine=nowhere, games=Games(nowhere, runtime.games.rulesets)))


def test_nobody_gets_in_without_a_token(subtests: pytest.Subtests, api: Caller) -> None:
    for name, operation in those_with("401").items():
        with subtests.test(name):
            answer = ask(api, operation)
            refused(answer, 401, "unauthenticated")
            assert answer.headers["WWW-Authenticate"]


def test_a_body_that_is_no_json_is_refused(subtests: pytest.Subtests, caller: Caller) -> None:
    for name, operation in those_with("requestBody").items():
        with subtests.test(name):
            refused(ask(caller, operation, data=b"{", content_type="application/json"), 400, "malformed-json")


def test_a_body_that_is_too_large_is_refused(subtests: pytest.Subtests, caller: Caller) -> None:
    for name, operation in those_with("requestBody").items():
        with subtests.test(name):
            answer = ask(caller, operation, data=b" " * (MAX_BODY_BYTES + 1), content_type="application/json")
            refused(answer, 413, "payload-too-large")


def test_a_body_of_another_kind_is_refused(subtests: pytest.Subtests, caller: Caller) -> None:
    for name, operation in those_with("requestBody").items():
        with subtests.test(name):
            answer = ask(caller, operation, data=b"a=b", content_type="application/x-www-form-urlencoded")
            refused(answer, 415, "unsupported-media-type")


def test_a_body_of_another_form_is_pointed_at(subtests: pytest.Subtests, caller: Caller) -> None:
    for name, operation in those_with("requestBody").items():
        with subtests.test(name):
            body = refused(ask(caller, operation, json=[]), 422, "validation")
            assert all("pointer" in fault for fault in body["errors"])


def test_a_parameter_that_nobody_knows_is_named(subtests: pytest.Subtests, caller: Caller) -> None:
    for name, operation in those_with("422").items():
        with subtests.test(name):
            parameters = [each for each in operation[2].get("parameters", []) if each["in"] == "query"]
            if parameters and "requestBody" not in operation[2]:
                body = refused(ask(caller, operation, "?unheard-of=1"), 422, "validation")
                assert body["errors"][0]["parameter"] == "unheard-of"


def test_a_key_of_another_form_is_refused(subtests: pytest.Subtests, caller: Caller, games: Games) -> None:
    for name, operation in those_with("parameters").items():
        with subtests.test(name):
            if any(each["name"] == "Idempotency-Key" for each in operation[2]["parameters"]):
                answer = ask(caller, operation, headers={"Idempotency-Key": "short"}, **said(operation, caller, games))
                assert refused(answer, 422, "validation")["errors"][0]["parameter"] == "Idempotency-Key"


def test_what_is_not_there_is_not_found(subtests: pytest.Subtests, caller: Caller, games: Games) -> None:
    for name, operation in those_with("404").items():
        with subtests.test(name):
            answer = ask(caller, operation, **said(operation, caller, games))
            assert answer.status_code == 404
            assert answer.mimetype == PROBLEM


def test_too_many_requests_are_refused(subtests: pytest.Subtests, scarce: Flask, games: Games) -> None:
    for name, operation in those_with("429").items():
        with subtests.test(name):
            client = scarce.test_client()
            client.environ_base["REMOTE_ADDR"] = f"2001:db8:{next(NETWORKS):x}::1"
            caller = Caller(client).by(alice(games, email=None))
            with freeze_time(FULL_HOUR, tick=True):
                first, answer = (ask(caller, operation, json={}) for _ in range(2))
            assert first.status_code != 429
            refused(answer, 429, "rate-limited")
            assert int(answer.headers["Retry-After"]) > 0


def test_without_a_database_it_is_said_when_to_ask_again(
    subtests: pytest.Subtests, cut_off: Flask, caller: Caller, games: Games
) -> None:
    for name, operation in those_with("503").items():
        with subtests.test(name):
            answer = ask(Caller(cut_off.test_client(), caller.token), operation, **said(operation, caller, games))
            if operation[2]["operationId"] in FROM_MEMORY:
                assert answer.status_code == (404 if "{" in operation[1] else 200)
            else:
                told = refused(answer, 503, "unavailable")
                assert int(answer.headers["Retry-After"]) > 0
                assert set(told) == {"type", "title", "status", "detail", "request_id"}
