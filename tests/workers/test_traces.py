"""One trace leads from a request through the outbox to the relay, the job and the mail, and tells nothing hidden."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers.talk import say
from service.local.supervisor import wait_until
from service.runtime import Runtime
from service.settings import TRACES, BadSetting, Settings
from service.shared import clock, traces
from service.store import outbox
from service.store.games import Games
from tests.builders import opened, started
from tests.people import Person, alice, bob, carol, new_address
from tests.rest import Caller
from tests.signing_in import link_to
from tests.tracing import Traced, collecting, is_below, trace_of, traced
from tests.workers import solo
from tests.workers.parts import Start
from workers import jobs
from workers.jobs import carry_out
from workers.main import new_worker
from workers.relay import Relay

__all__ = ["traced"]

CONTEXT = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-0[13]")
PATIENCE = 60.0
OFF = """
import sys
sys.modules["opentelemetry"] = None  # Importing it, or anything in it, fails.
import service.app, service.runtime, service.serve, workers.main, workers.parts, workers.inbox
from service.runtime import Runtime
from service.settings import Settings
runtime = Runtime.build(Settings.from_env())
print(service.app.create_app(runtime).test_client().get("/readyz").status_code, workers.relay.Relay(runtime).drain())
"""


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def begun(traced: Traced, people: list[Person]) -> UUID:
    """Let the host begin a game by the API, after which everybody is to get a mail."""
    game = opened(traced.runtime.games, "sealed-bids", people)
    traced.kept.clear()
    answer = Caller(traced.app.test_client()).by(people[0]).post(f"/games/{game}/start")
    assert answer.status_code == 200, answer.text
    return game


def test_one_trace_leads_from_the_request_to_the_mails(
    traced: Traced, people: list[Person], mailbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(traced, people)
    (request,) = traced.spans("POST /api/v1/games/<uuid:game_id>/start")
    assert request.parent is None
    assert (request.attributes or {})["http.response.status_code"] == 200
    statements = [each for each in traced.spans() if "db.query.text" in (each.attributes or {})]
    assert len(statements) > 2 and all(is_below(each, request) for each in statements)
    # When relay and worker do the rest
    Relay(traced.runtime).drain()
    monkeypatch.setattr(jobs, "runtime", lambda: traced.runtime)
    assert traced.runtime.redis is not None
    new_worker(traced.runtime.redis, "mails", traced.runtime.heart).work(burst=True, logging_level="CRITICAL")
    # Then it is one trace
    handed, carried, mails = map(traced.spans, ("hand out", "carry out turn-mail", "hand mail over"))
    assert [len(handed), len(carried), len(mails)] == [3, 3, 3]
    assert all(is_below(each, request) for each in (*handed, *carried))
    assert all(is_below(mail, job) for mail, job in zip(mails, carried, strict=True))
    assert {trace_of(each) for each in traced.spans()} == {trace_of(request)}
    assert len(list(mailbox.glob("*.eml"))) == 3


def test_rows_carry_the_context_and_the_log_does_not(traced: Traced, people: list[Person]) -> None:
    game = begun(traced, people)
    (request,) = traced.spans("POST /api/v1/games/<uuid:game_id>/start")
    with traced.runtime.engine.connect() as db:
        rows = db.execute(text("select id, payload from outbox where game_id = :id"), {"id": game}).all()
        log = "".join(db.execute(text("select event::text from event where game_id = :id"), {"id": game}).scalars())
        assert set(outbox.contexts(db, [row.id for row in rows])) == {row.id for row in rows}
    found = {row.payload[traces.CONTEXT] for row in rows}
    assert len(rows) >= 3 and len(found) == 1 and CONTEXT.fullmatch(next(iter(found)))
    assert f"{trace_of(request):032x}" in next(iter(found))
    assert log and "traceparent" not in log and f"{trace_of(request):032x}" not in log


def test_a_job_goes_on_with_the_trace_that_made_its_row(traced: Traced) -> None:
    position = solo.owed(traced.runtime.games)
    with traces.span("before", "server"):
        context = traces.carried()
        Caller(traced.app.test_client()).post("/sign-in", {"email": new_address()})
    assert context is not None
    with traced.runtime.engine.connect() as db:
        rows = db.execute(text("select id, kind, payload from outbox where state = 'pending' order by id")).all()
    for row in rows:
        carry_out(traced.runtime, row.id)
    (before,) = traced.spans("before")
    (mail,) = traced.spans("carry out sign-in")
    assert trace_of(mail) == trace_of(before)
    # What the automaton owed before there was a trace is a trace of its own, and so goes what comes of it.
    (move,) = traced.spans("carry out automaton")
    assert move.parent is None and trace_of(move) != trace_of(before)
    assert position.game.id


def test_a_failed_job_tells_the_class_of_its_error_alone(traced: Traced, people: list[Person]) -> None:
    game = begun(traced, people)
    with traced.runtime.engine.begin() as db:
        rows = "update outbox set payload = payload - 'seat' where game_id = :id and kind = 'turn-mail' returning id"
        row = db.execute(text(rows), {"id": game}).scalars().first()
    assert row is not None
    carry_out(traced.runtime, row)
    (span,) = traced.spans("carry out turn-mail")
    assert (span.attributes or {})["error.type"] == "KeyError"
    assert not span.status.is_ok and span.status.description is None and span.events == ()


def test_no_span_tells_an_address_a_token_a_seed_a_card_or_what_was_said(
    traced: Traced, people: list[Person], mailbox: Path
) -> None:
    address, runtime = new_address(), traced.runtime
    position = started(runtime.games, "new-corp-order", people)
    api = Caller(traced.app.test_client())
    said = "Nobody but us shall know of the yellow submarine"
    say(runtime.games, position.game.id, people[1].id, said, "api", clock.now())
    api.by(people[0]).post(f"/games/{position.game.id}/talk", {"text": said})
    link = link_to(runtime, mailbox, api, address)
    traced.app.test_client().get(link, headers={"X-Request-Id": "secret-request"})
    traced.app.test_client().post(link, data={"press": "yes"})
    traced.app.test_client().get(f"{link}x?token={people[0].token}")
    traced.app.test_client().open(f"/{people[0].token}", method="SECRETMETHOD")
    view = api.by(people[0]).get(f"/games/{position.game.id}").get_json()
    Relay(runtime).drain()
    for _ in range(2):
        Relay(Runtime(**{name: getattr(runtime, name) for name in Runtime.__slots__} | {"redis": None})).drain()
    with runtime.engine.connect() as db:
        game = {"id": position.game.id}
        seed = bytes(db.execute(text("select seed from seed where game_id = :id"), game).scalar_one())
        nonces = db.execute(text("select nonce from seat where game_id = :id"), game).scalars().all()
        hashes = db.execute(text("select hash from token")).scalars().all()
    told = traced.texts()
    hidden = [
        seed.hex(),
        *nonces,
        address,
        said,
        "submarine",
        link,
        link.rpartition("/")[2],
        "secret-request",
        "SECRETMETHOD",
    ]
    hidden += [word for each in people for word in (each.token, each.email or "", str(each.id))]
    hidden += [bytes(each).hex() for each in hashes]
    assert view["id"] and len(traced.spans()) > 30
    assert [each for each in hidden if each in told] == []
    assert "@" not in told
    names = {name for each in traced.spans() for name in each.attributes or {}}
    assert names <= {
        *("http.request.method", "http.route", "http.response.status_code", "error.type", "server.address"),
        *("db.system.name", "db.query.text", "outbox.id", "outbox.kind", "queue"),
    }


def test_statements_of_loops_are_no_traces(traced: Traced) -> None:
    for _ in range(3):
        Relay(traced.runtime).drain()
    assert [each.name for each in traced.spans() if "db.query.text" in (each.attributes or {})] == []


def test_a_client_does_not_choose_the_trace(traced: Traced) -> None:
    wished = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
    traced.app.test_client().get("/livez", headers={"traceparent": wished})
    (span,) = traced.spans("GET /livez")
    assert span.parent is None and trace_of(span) != int("a" * 32, 16)


def test_without_the_setting_nothing_is_imported_and_no_row_carries_anything(
    settings: Settings, runtime: Runtime, games: Games, people: list[Person]
) -> None:
    environment = settings.environment() | {"OTEL_EXPORTER_OTLP_ENDPOINT": ""}
    done = subprocess.run([sys.executable, "-c", OFF], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["200", "False"], done.stderr
    game = started(games, "sealed-bids", people).game.id
    with runtime.engine.connect() as db:
        rows = db.execute(text("select payload from outbox where game_id = :id"), {"id": game}).scalars().all()
    assert rows and not [row for row in rows if traces.CONTEXT in row]


@pytest.mark.slow
def test_spans_of_a_process_arrive_at_an_endpoint(
    runtime: Runtime, people: list[Person], traced: Traced, start: Start, mailbox: Path
) -> None:
    begun(traced, people)
    (request,) = traced.spans("POST /api/v1/games/<uuid:game_id>/start")
    with collecting() as collector:
        setting = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"{collector.url}/", "OTEL_BSP_SCHEDULE_DELAY": "100"}
        start("workers.main mails", **setting)
        start("workers.relay", **setting)
        mails = ("worker-mails", "hand mail over", trace_of(request).to_bytes(16, "big"))
        assert wait_until(lambda: collector.spans.count(mails) == 3, PATIENCE)
        assert {each[0] for each in collector.spans} == {"relay", "worker-mails"}
        assert set(collector.paths) == {"/v1/traces"}


def test_a_setting_that_needs_what_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert TRACES.read("X", "http://127.0.0.1:4318") == "http://127.0.0.1:4318"
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto", None)
    with pytest.raises(BadSetting, match=r"pip install 'boardroom\[traces\]'"):
        TRACES.read("X", "http://127.0.0.1:4318")
    with pytest.raises(BadSetting, match="no address"):
        TRACES.read("X", "ftp://127.0.0.1")
    assert TRACES.read("X", "") is None
