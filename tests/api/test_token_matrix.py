"""Every operation of the document with every kind of token: let in exactly where its declared scopes say so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from schemas.answer import Problem
from service.api.contract import Answers, Resource
from service.api.examples import operations
from service.handlers import tokens
from service.handlers.authentication import authenticate
from service.handlers.tokens import issue, revoke
from service.runtime import Runtime
from service.shared import clock
from service.store.access import SCOPES
from tests.people import alice
from tests.promises import committed

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation, and what its token has to be good for; nothing where it is public."""

    name: str
    method: str
    path: str
    scopes: tuple[str, ...]
    posts: bool


def declared(name: str, method: str, path: str, operation: Document) -> Operation:
    """Read an operation of the document; everything but a public one has to name its scopes."""
    scopes: tuple[str, ...] = ()
    if operation["security"]:
        (security,) = operation["security"]
        scopes = tuple(security["token"])
        assert scopes and set(scopes) <= set(SCOPES), f"{name} declares no scope"
    return Operation(name, method, path, scopes, "requestBody" in operation)


OPERATIONS = [
    declared(operation["operationId"], method, path, operation) for method, path, operation in operations(committed())
]
GUARDED = [operation for operation in OPERATIONS if operation.scopes]
PUBLIC = [operation for operation in OPERATIONS if not operation.scopes]


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client without cookies."""
    return app.test_client(use_cookies=False)


@pytest.fixture(scope="module")
def keys(runtime: Runtime) -> Mapping[str, str]:
    """A token of every kind, by the kind: alone for each scope, all scopes, all but one, and those that are dead."""
    games, now = runtime.games, clock.now()
    owner = alice(games)
    made: dict[str, str] = {"all": owner.token}
    with games.engine.begin() as db:
        for scope in SCOPES:
            made[scope] = issue(db, owner.id, scope, [scope], None, now)[1]
            made[f"not {scope}"] = issue(db, owner.id, scope, set(SCOPES) - {scope}, None, now)[1]
        made["expired"] = issue(db, owner.id, "x", SCOPES, now - timedelta(seconds=1), now)[1]
        gone, made["revoked"] = issue(db, owner.id, "x", SCOPES, None, now)
    assert revoke(games, owner.id, gone.id, now)
    return made


def call(client: FlaskClient, operation: Operation, token: str | None) -> TestResponse:
    """Call the operation about things that do not exist, with a body that lacks everything."""
    path = re.sub(r"\{\w+\}", lambda _: str(uuid4()), re.sub(r"\{(seat|seats|seq|number|first)\}", "1", operation.path))
    headers = {} if token is None else {"Authorization": token}
    return client.open(path, method=operation.method.upper(), headers=headers, json=[] if operation.posts else None)


def code_of(answer: TestResponse) -> str:
    """The code of the problem, or nothing."""
    if answer.status_code < 400:
        return ""
    body = answer.get_json()
    assert Problem().validate(body) == {}
    return str(body["type"]).removeprefix("/problems/")


def test_no_token_that_is_not_good_gets_in(
    client: FlaskClient, keys: Mapping[str, str], subtests: pytest.Subtests
) -> None:
    wrong = keys["all"][:-1] + ("0" if keys["all"][-1] != "0" else "1")
    body = "0" * 30
    unissued = tokens.PREFIX + body + tokens._checksum(body)
    bad = (None, "", "Bearer", "Basic YTpi", keys["all"], f"Bearer {wrong}", f"Bearer {unissued}", "Bearer ü")
    for operation in GUARDED:
        with subtests.test(operation.name):
            for sent in bad:
                answer = call(client, operation, sent)
                assert (answer.status_code, code_of(answer)) == (401, "unauthenticated"), sent
                assert answer.headers["WWW-Authenticate"].startswith('Bearer realm="boardroom"')
            for dead in ("revoked", "expired"):
                answer = call(client, operation, f"Bearer {keys[dead]}")
                assert (answer.status_code, code_of(answer)) == (401, f"token-{dead}")


def test_a_token_of_one_scope_gets_in_exactly_where_that_is_the_one_asked_for(
    client: FlaskClient, keys: Mapping[str, str], subtests: pytest.Subtests
) -> None:
    for operation in GUARDED:
        with subtests.test(operation.name):
            for scope in SCOPES:
                answer = call(client, operation, f"Bearer {keys[scope]}")
                missing = [needed for needed in operation.scopes if needed != scope]
                if missing:
                    assert (answer.status_code, code_of(answer)) == (403, "scope-missing"), scope
                    assert answer.get_json()["scope"] == missing[0]
                else:
                    assert answer.status_code not in (401, 500) and code_of(answer) != "scope-missing", scope


def test_a_token_that_lacks_one_scope_gets_in_exactly_where_that_is_not_asked_for(
    client: FlaskClient, keys: Mapping[str, str], subtests: pytest.Subtests
) -> None:
    for operation in GUARDED:
        with subtests.test(operation.name):
            for scope in SCOPES:
                answer = call(client, operation, f"Bearer {keys[f'not {scope}']}")
                assert (code_of(answer) == "scope-missing") == (scope in operation.scopes), scope
                assert answer.status_code not in (401, 500)


def test_what_is_public_asks_for_nothing(
    client: FlaskClient, keys: Mapping[str, str], subtests: pytest.Subtests
) -> None:
    for operation in PUBLIC:
        with subtests.test(operation.name):
            for sent in (None, "Bearer nonsense", f"Bearer {keys['revoked']}"):
                assert call(client, operation, sent).status_code not in (401, 403, 500)


def test_every_scope_that_can_be_asked_for_is_needed_somewhere() -> None:
    assert {scope for operation in GUARDED for scope in operation.scopes} == set(SCOPES)


@pytest.mark.parametrize("wrong", [{}, {"scope": "games:win"}, {"scope": "games:read", "public": True}])
def test_an_operation_that_does_not_say_what_it_needs_cannot_be_declared(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="scopes"):
        Resource("x", __name__, description="x").operation("/x", Answers(), **wrong)


def test_the_token_matrix_leaves_the_account_as_it_was(runtime: Runtime, keys: Mapping[str, str]) -> None:
    found = authenticate(runtime.games, keys["all"])
    assert found is not None
    assert found.player.name == "Alice"
