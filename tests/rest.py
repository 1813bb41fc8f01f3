"""The API as the tests call it: through the app itself, as somebody or as nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.app import create_app
from service.runtime import Runtime
from tests.people import Person

PROBLEM = "application/problem+json"


@pytest.fixture(scope="session")
def app(runtime: Runtime) -> Flask:
    """The web application on the test servers, one for all tests: whoever changes something of it makes their own."""
    return create_app(runtime)


@pytest.fixture
def api(app: Flask) -> Caller:
    """The API, called by nobody."""
    return Caller(app.test_client())


@dataclass(frozen=True, slots=True)
class Caller:
    """Calls the API; `token` is None for nobody."""

    client: FlaskClient
    token: str | None = None

    def by(self, person: Person) -> Caller:
        """Return the API, called by the person."""
        return Caller(self.client, person.token)

    def get(self, path: str, **headers: str) -> TestResponse:
        """Return the answer to a GET below /api/v1."""
        return self.client.get(f"/api/v1{path}", headers=self._headers(headers))

    def post(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Return the answer to a POST below /api/v1 with a body of JSON, if any."""
        return self.client.post(f"/api/v1{path}", json=body, headers=self._headers(headers))

    def patch(self, path: str, body: Any) -> TestResponse:
        """Return the answer to a PATCH below /api/v1 with a body of JSON."""
        return self.client.patch(f"/api/v1{path}", json=body, headers=self._headers({}))

    def delete(self, path: str, body: Any = None) -> TestResponse:
        """Return the answer to a DELETE below /api/v1 with a body of JSON, if any."""
        return self.client.delete(f"/api/v1{path}", json=body, headers=self._headers({}))

    def put(self, path: str, body: Any) -> TestResponse:
        """Return the answer to a PUT below /api/v1 with a body of JSON."""
        return self.client.put(f"/api/v1{path}", json=body, headers=self._headers({}))

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Return the answer to any method below /api/v1 with a body of JSON, if any."""
        return self.client.open(f"/api/v1{path}", method=method.upper(), json=body, headers=self._headers(headers))

    def raw(self, path: str, body: bytes, content_type: str = "application/json", **headers: str) -> TestResponse:
        """Return the answer to a POST of any bytes."""
        return self.client.post(f"/api/v1{path}", data=body, content_type=content_type, headers=self._headers(headers))

    def act(self, game: UUID, decision: int, said: dict[str, Any] | str, **headers: str) -> TestResponse:
        """Return the answer to an action, as JSON or in notation."""
        action = {"notation": said} if isinstance(said, str) else {"action": said}
        return self.post(f"/games/{game}/actions", {"decision": decision, **action}, **headers)

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        given = {name.replace("_", "-"): value for name, value in more.items()}
        return given if self.token is None else {"Authorization": f"Bearer {self.token}", **given}


def refused(answer: TestResponse, status: int, code: str) -> dict[str, Any]:
    """Check that the answer is this problem, and return its body."""
    assert answer.status_code == status, answer.text
    assert answer.content_type == PROBLEM
    assert answer.json
    body: dict[str, Any] = answer.json
    assert body["type"] == f"/problems/{code}"
    assert body["status"] == status
    assert body["request_id"] == answer.headers["X-Request-Id"]
    return body
