"""A table that somebody has locked: log, metrics, doctor and the operators' page name who has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest
from flask import Flask
from sqlalchemy import text

from service.commands.doctor import examine
from service.handlers import operators
from service.local.supervisor import wait_until
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store.connections import plain_address
from service.store.games import Games
from service.store.lock_waits import Blocker, blockers
from tests.builders import started
from tests.metrics import Shown, scrape
from tests.operating import ZOE, verified
from tests.people import alice, bob, new_address, register
from tests.rest import Caller
from tests.web.test_operation import signed_in

NOTE = "the red card is on top"


@contextmanager
def locked(owner_url: str, table: str) -> Iterator[psycopg.Connection]:
    """Keep a table locked, as a statement at a terminal does that nobody ends."""
    address = owner_url.replace("+psycopg", "")
    with psycopg.connect(address, application_name="night report") as db:
        db.execute(f"lock table {table} in access exclusive mode -- {NOTE}")
        yield db


@contextmanager
def waiting(runtime: Runtime, table: str) -> Iterator[None]:
    """Have a session of ours wait for the table meanwhile."""
    address = plain_address(runtime.settings.database_url)
    with psycopg.connect(address, application_name="boardroom:relay") as other, ThreadPoolExecutor(1) as threads:
        asked = threads.submit(other.execute, f"select count(*) from {table}")
        with psycopg.connect(address, autocommit=True) as db:
            assert wait_until(lambda: bool(blockers(db)), 30)
        yield
        other.cancel_safe()
        with pytest.raises(psycopg.errors.QueryCanceled):
            asked.result(30)


def test_the_log_names_the_error_and_who_has_the_lock(
    api: Caller, games: Games, owner_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    person = alice(games)
    game = started(games, "new-corp-order", [person, bob(games)]).game.id
    with locked(owner_url, "game") as holder:
        refused = api.by(person).get(f"/games/{game}/events")
        assert refused.status_code == 503
        number = holder.info.backend_pid
        said = ""

        def told() -> bool:
            nonlocal said
            found = capfd.readouterr()
            said += found.out + found.err
            return f"{number}" in said

        assert wait_until(told, 30), said
    (line,) = [json.loads(each) for each in said.splitlines() if '"status":503' in each]
    assert line["error"] == "LockNotAvailable"
    assert "night report" in said and "game" in said
    assert NOTE not in said
    assert scrape(api.client)("boardroom_database_errors_total", error="LockNotAvailable") >= 1


def test_metrics_tell_how_many_wait_and_for_whom_though_the_outbox_is_locked(
    api: Caller, runtime: Runtime, owner_url: str
) -> None:
    assert scrape(api.client)("boardroom_lock_waits") == 0
    with locked(owner_url, "outbox"), waiting(runtime, "outbox"):
        shown = Shown(api.client.get("/metrics").text)
    assert shown("boardroom_lock_waits", blocker="other") == 1
    assert shown("boardroom_lock_waits") == 1
    assert shown("boardroom_database_answers") == 0


@pytest.mark.parametrize("held", [True, False])
def test_doctor_names_the_session_and_how_to_end_it(
    runtime: Runtime, owner_url: str, monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    for name, value in runtime.settings.environment().items():
        monkeypatch.setenv(name, value)
    with locked(owner_url, "outbox") as holder:
        number = holder.info.backend_pid
        if held:
            with waiting(runtime, "outbox"):
                found = {each.name: each for each in examine()}
            assert found["locks"].level == "fail"
            assert found["locks"].said.startswith(f"1 sessions of the database wait for process {number} of PostgreSQL")
        else:
            found = {each.name: each for each in examine()}
            assert found["locks"].level == "warn"
            assert f"process {number} of PostgreSQL (night report" in found["locks"].said
        assert found["locks"].said.endswith("at outbox")
        assert found["locks"].todo.endswith(f"`select pg_terminate_backend({number})`.")
        assert found["database"].said == "answers, but not about its tables: LockNotAvailable"
    after = {each.name: each for each in examine()}
    assert (after["locks"].level, after["database"].level) == ("ok", "ok")


def test_the_page_of_operators_names_the_session(app: Flask, games: Games, runtime: Runtime, owner_url: str) -> None:
    zoe = verified(games, register(games, "Zoë", new_address(), "en"))
    operators.add_operator(games, zoe.id, ZOE, clock.now())
    web = signed_in(app, games, zoe)
    assert "night report" not in web.get("/operate").text
    with locked(owner_url, "competition") as holder, waiting(runtime, "competition"):
        page = web.get("/operate").text
        assert f"One session waits for process {holder.info.backend_pid}" in page
        assert "<code>night report</code>" in page and NOTE not in page
    assert "night report" not in web.get("/operate").text


@pytest.mark.parametrize(
    ("application", "autovacuum", "kind"),
    [
        ("boardroom:worker-moves", False, "worker"),
        ("boardroom:web-8000", False, "web"),
        ("boardroom:relay+courier", False, "relay"),
        ("boardroom:games-3", False, "boardroom"),
        ("psql", False, "other"),
        ("", False, "other"),
        ("", True, "autovacuum"),
    ],
)
def test_blockers_are_told_apart_by_few_words(application: str, autovacuum: bool, kind: str) -> None:
    assert Blocker(1, application, autovacuum, None, None, None, 1, 0.0, None).kind == kind


def test_each_session_of_the_service_says_whose_it_is(runtime: Runtime, settings: Settings) -> None:
    with runtime.engine.connect() as db:
        assert str(db.execute(text("show application_name")).scalar_one()).startswith("boardroom:")
