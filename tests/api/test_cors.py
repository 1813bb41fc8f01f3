"""Programs in web pages of other origins."""

from __future__ import annotations

from flask import Flask
from werkzeug.test import TestResponse

from tests.rest import Caller, refused

ORIGIN = {"Origin": "https://games.example"}


def test_a_preflight_says_what_the_address_takes(app: Flask) -> None:
    answer = _preflight(app, "/api/v1/games/0190d3a4-0000-7000-8000-000000000000/actions")
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Access-Control-Allow-Methods"] == "POST"
    assert {"Authorization", "Content-Type", "Idempotency-Key"} <= _names(answer, "Access-Control-Allow-Headers")
    assert int(answer.headers["Access-Control-Max-Age"]) > 0
    assert _names(_preflight(app, "/api/v1/games"), "Access-Control-Allow-Methods") == {"GET", "HEAD", "POST"}


def test_every_answer_of_the_api_may_be_read_but_not_with_cookies(api: Caller) -> None:
    for answer in (api.get("/rulesets", **ORIGIN), api.get("/me", **ORIGIN), api.get("/nothing", **ORIGIN)):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert _names(answer, "Access-Control-Expose-Headers") >= {"ETag", "RateLimit", "Retry-After", "X-Request-Id"}


def test_pages_are_not_opened_to_other_origins(app: Flask) -> None:
    for path in ("/", "/livez", "/t/abc"):
        assert "Access-Control-Allow-Origin" not in app.test_client().get(path, headers=ORIGIN).headers
        assert "Access-Control-Allow-Origin" not in _preflight(app, path).headers


def test_a_preflight_for_an_address_that_is_not_there_is_a_problem(app: Flask) -> None:
    refused(_preflight(app, "/api/v1/nothing"), 404, "not-found")


def _preflight(app: Flask, path: str) -> TestResponse:
    asked = {**ORIGIN, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    return app.test_client().open(path, method="OPTIONS", headers=asked)


def _names(answer: TestResponse, header: str) -> set[str]:
    return set(answer.headers[header].split(", "))
