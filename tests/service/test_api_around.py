"""Around every request: headers, the log, the health of the process, errors nobody expected."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import create_engine, text

from service.app import create_app
from service.runtime import Runtime
from service.store.games import Games
from tests.people import alice
from tests.rest import Caller, refused


def test_every_answer_carries_the_security_headers(app: Flask) -> None:
    for path in ("/api/v1/rulesets", "/api/v1/nothing", "/livez", "/"):
        headers = app.test_client().get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] in ("no-referrer", "same-origin")
        assert headers["Cache-Control"]


def test_a_request_is_logged_by_its_template_and_without_secrets(
    api: Caller, games: Games, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    person = alice(games)
    api.by(person).get("/me")
    capability = "abcdefghijklmnopqrstuvwxyz"
    api.client.get(f"/t/{capability}?q=secret")
    lines = [json.loads(record.message) for record in caplog.records if record.name == "boardroom.web"]
    assert [(line["route"], line["status"]) for line in lines] == [("/api/v1/me", 200), ("/t/<token>", 404)]
    assert all(line["request_id"] and line["ms"] >= 0 for line in lines)
    assert not any(secret in caplog.text for secret in (person.token, capability, "q=secret", "Alice"))


def test_an_unexpected_error_is_a_problem_that_tells_nothing(
    runtime: Runtime, games: Games, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(runtime)

    @app.get("/api/v1/broken/<secret>")
    def broken(secret: str) -> str:
        raise RuntimeError(f"the deck is {secret}")

    answer = app.test_client().get("/api/v1/broken/hush")
    assert "detail" not in refused(answer, 500, "internal")
    line = json.loads(caplog.records[-2].message)
    assert (line["event"], line["error"], line["route"]) == ("failed", "RuntimeError", "/api/v1/broken/<secret>")
    assert line["frames"][-1].endswith(" broken")
    assert "hush" not in caplog.text
    assert "hush" not in answer.text


def test_the_process_lives_without_a_database_but_is_not_ready(runtime: Runtime) -> None:
    nowhere = create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing", connect_args={"connect_timeout": 1})
    client = create_app(replace(runtime, engine=nowhere, games=Games(nowhere, runtime.games.rulesets))).test_client()
    assert client.get("/livez").status_code == 200
    refused(client.get("/readyz"), 503, "unavailable")
    answer = Caller(client, "brd_" + "0" * 36).get("/me")
    refused(answer, 401, "unauthenticated")
    answer = Caller(client).post("/players", {"name": "Alice"})
    refused(answer, 503, "unavailable")
    assert answer.headers["Retry-After"]


def test_the_process_is_ready_when_the_database_is_at_its_revision(app: Flask, runtime: Runtime) -> None:
    answer = app.test_client().get("/readyz")
    assert answer.json
    with runtime.engine.connect() as db:
        assert answer.json["revision"] == db.execute(text("select version_num from alembic_version")).scalar_one()


def test_a_database_without_tables_is_not_ready(runtime: Runtime, empty_database: object) -> None:
    assert callable(empty_database)
    _, url = empty_database()
    engine = create_engine(url)
    client = create_app(replace(runtime, engine=engine)).test_client()
    refused(client.get("/readyz"), 503, "unavailable")
    engine.dispose()
