"""Around every request: headers, the log, the health of the process, errors nobody expected."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import Engine, create_engine, text

from service.app import create_app
from service.local.servers import LocalServers
from service.runtime import Runtime
from service.store.engine import build_engine
from service.store.games import Games
from service.store.migrations import upgrade
from service.store.revision import NEWEST, OLDEST, OLDEST_CODE
from tests.api.detail_texts import TEXTS
from tests.house import fresh_database
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
    api: Caller, games: Games, capfd: pytest.CaptureFixture[str]
) -> None:
    person = alice(games)
    api.by(person).get("/me")
    capability = "abcdefghijklmnopqrstuvwxyz"
    api.client.get(f"/t/{capability}?q=secret")
    printed = capfd.readouterr().err
    lines = [line for line in map(json.loads, printed.splitlines()) if line["event"] == "request"]
    assert [(line["route"], line["status"]) for line in lines] == [("/api/v1/me", 200), ("/t/<token>", 404)]
    assert all(line["request_id"] and line["ms"] >= 0 for line in lines)
    assert not any(secret in printed for secret in (person.token, capability, "q=secret", "Alice"))


def test_an_unexpected_error_is_a_problem_that_tells_nothing(
    runtime: Runtime, games: Games, capfd: pytest.CaptureFixture[str]
) -> None:
    app = create_app(runtime)

    @app.get("/api/v1/broken/<secret>")
    def broken(secret: str) -> str:
        raise RuntimeError(f"the deck is {secret}")

    answer = app.test_client().get("/api/v1/broken/hush")
    assert refused(answer, 500, "internal")["detail"] == TEXTS["en"]["internal"]
    printed = capfd.readouterr().err
    line = json.loads(printed.splitlines()[-2])
    assert (line["event"], line["error"], line["route"]) == ("failed", "RuntimeError", "/api/v1/broken/<secret>")
    assert line["frames"][-1].endswith(" broken")
    assert "hush" not in printed
    assert "hush" not in answer.text


def test_the_page_of_an_unexpected_error_names_the_request(runtime: Runtime) -> None:
    app = create_app(runtime)

    @app.get("/broken")
    def broken() -> str:
        raise RuntimeError

    answer = app.test_client().get("/broken")
    assert answer.status_code == 500
    assert answer.headers["X-Request-Id"] in answer.text


def test_a_log_on_a_full_disk_keeps_nobody_from_playing(
    api: Caller, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path("/dev/full").open("w", buffering=1, encoding="utf-8") as full:
        monkeypatch.setattr("sys.stderr", full)
        answer = api.by(alice(games)).get("/me")
        monkeypatch.undo()
        with suppress(OSError):
            full.close()
    assert answer.status_code == 200


def test_the_process_lives_without_a_database_but_is_not_ready(runtime: Runtime) -> None:
    nowhere = build_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    client = create_app(replace(runtime, engine=nowhere, games=Games(nowhere, runtime.games.rulesets))).test_client()
    assert client.get("/livez").status_code == 200
    refused(client.get("/readyz"), 503, "unavailable")
    answer = Caller(client, "brd_" + "0" * 36).get("/me")
    refused(answer, 401, "unauthenticated")
    answer = Caller(client).post("/players", {"name": "Alice"})
    refused(answer, 503, "unavailable")
    assert answer.headers["Retry-After"]
    refused(client.get("/.well-known/boardroom-keys.json"), 503, "unavailable")


def test_the_process_is_ready_when_the_database_is_at_its_revision(app: Flask, runtime: Runtime) -> None:
    answer = app.test_client().get("/readyz")
    assert answer.json
    with runtime.engine.connect() as db:
        assert answer.json["revision"] == db.execute(text("select version_num from alembic_version")).scalar_one()


@pytest.fixture(scope="module")
def versioned(servers: LocalServers) -> Iterator[tuple[Engine, Engine]]:
    """A database of its own for its owner and for the application, of which a test says what version it has."""
    with fresh_database(servers, "versioned") as (owner_url, url):
        upgrade(owner_url)
        owner, application = create_engine(owner_url), create_engine(url)
        yield owner, application
        owner.dispose()
        application.dispose()


@pytest.mark.parametrize(
    ("revision", "oldest_code", "status"),
    [
        (OLDEST, "0032", 200),
        ("0001", "0032", 503),
        ("9999", NEWEST, 200),
        ("9999", "9998", 503),
        ("9999", None, 503),
    ],
)
def test_the_process_is_ready_on_the_schemas_of_its_range_and_on_no_others(
    revision: str, oldest_code: str | None, status: int, runtime: Runtime, versioned: tuple[Engine, Engine]
) -> None:
    # given a database of an older or newer version, which says which code can live with it
    owner, application = versioned
    with owner.begin() as db:
        db.execute(text("update alembic_version set version_num = :revision"), {"revision": revision})
        said = "null" if oldest_code is None else f"'{OLDEST_CODE}={oldest_code}'"
        db.execute(text(f"comment on table alembic_version is {said}"))
    # then the application's role sees whether this code fits
    answer = create_app(replace(runtime, engine=application)).test_client().get("/readyz")
    assert (answer.status_code, answer.json["revision"] if answer.json else None) == (status, revision)


def test_a_database_without_tables_is_not_ready(runtime: Runtime, empty_database: object) -> None:
    assert callable(empty_database)
    _, url = empty_database()
    engine = create_engine(url)
    client = create_app(replace(runtime, engine=engine)).test_client()
    refused(client.get("/readyz"), 503, "unavailable")
    engine.dispose()
