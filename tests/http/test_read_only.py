"""While an operator has made the service read-only nothing is written, whatever is asked; maintenance is announced."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import operators
from service.handlers.refusals import BadAnnouncement, UnknownSubject
from service.local.supervisor import wait_until
from service.mail import envelope_sender
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store import operation
from service.store.games import Games
from service.store.operation import Validity
from tests.browsing import browser
from tests.builders import started
from tests.letters import link
from tests.operating import ZOE, last_act, nothing_in_force
from tests.people import Person, alice, bob, carol
from tests.replying import place
from tests.rest import Caller
from tests.serving import web_server
from workers.inbox import Inbox
from workers.jobs import carry_out
from workers.relay import Relay

TEXTS = {"en": "A new version", "de": "Eine neue Fassung", "fr": "Une nouvelle version"}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def stopped(runtime: Runtime, games: Games, people: list[Person]) -> Iterator[list[Person]]:
    """The people of a service that is read-only."""
    with nothing_in_force(runtime):
        operators.stop_writing(games, None, ZOE, clock.now())
        runtime.mode.look()
        yield people


def everything(games: Games) -> dict[str, str]:
    """Return a digest of each table in the database but the heartbeats."""
    tables = text("select tablename from pg_tables where schemaname = 'public' order by 1")
    with games.engine.connect() as db:
        names = set(db.execute(tables).scalars()) - {"heartbeat", "alembic_version"}
        return {
            name: sha256(
                str(sorted(map(str, db.execute(text(f"select t::text from {name} t")).scalars()))).encode()
            ).hexdigest()
            for name in names
        }


def test_a_request_that_writes_is_refused_with_a_sentence_and_when_to_ask_again(
    api: Caller, app: Flask, stopped: list[Person]
) -> None:
    refused = api.by(stopped[0]).post("/games", {"ruleset": "sealed-bids", "seats": 3})
    assert (refused.status_code, refused.get_json()["type"]) == (503, "/problems/unavailable")
    assert (refused.headers["Retry-After"], "under maintenance" in refused.get_json()["detail"]) == ("30", True)
    page = app.test_client().post("/sign-in", data={"email": "zoe@example.org"}, headers={"Accept-Language": "de"})
    assert (page.status_code, page.headers["Retry-After"]) == (503, "30")
    assert "Am Dienst wird gearbeitet" in page.text


def test_until_when_it_lasts_is_told_where_that_is_known(
    runtime: Runtime, games: Games, api: Caller, people: list[Person]
) -> None:
    with nothing_in_force(runtime):
        operators.stop_writing(games, clock.now() + timedelta(minutes=10), ZOE, clock.now())
        runtime.mode.look()
        seconds = int(api.by(people[0]).post("/games", {}).headers["Retry-After"])
        assert 580 < seconds <= 600


def test_nothing_is_written_by_whatever_is_looked_at(
    runtime: Runtime, games: Games, app: Flask, api: Caller, people: list[Person]
) -> None:
    game = started(games, "sealed-bids", people).game.id
    person, visitor = people[0], browser(app, games, people[0])
    position = games.remembered(game)
    assert position
    path = link(games, position, 0, position.decision)
    with games.engine.begin() as db:
        # So long ago that looking would prolong the session, and note the use of the token.
        db.execute(
            text("update token set last_used_at = now() - interval '1 day' where player_id = :id"), {"id": person.id}
        )
    with nothing_in_force(runtime):
        operators.stop_writing(games, None, ZOE, clock.now())
        runtime.mode.look()
        before = everything(games)
        pages = [
            "/",
            "/games",
            "/settings",
            "/settings/mail",
            "/settings/data",
            f"/games/{game}",
            f"/games/{game}/replay",
            path,
        ]
        assert {visitor.get(each).status_code for each in pages} <= {200, 303, 404}
        answers = [
            "/me",
            "/games",
            f"/games/{game}",
            f"/games/{game}/legal-actions",
            "/me/turns",
            "/me/export",
            "/limits",
        ]
        assert {api.by(person).get(each).status_code for each in answers} <= {200}
        for each in ("/me", f"/games/{game}/actions"):
            assert api.by(person).post(each, {}).status_code == 503
        assert everything(games) == before
    assert visitor.get(f"/games/{game}").status_code == 200
    assert everything(games) != before


def test_workers_leave_everything_and_go_on_when_writing_is_allowed_again(
    runtime: Runtime, games: Games, people: list[Person]
) -> None:
    with nothing_in_force(runtime):
        game = started(games, "sealed-bids", people).game.id
        operators.stop_writing(games, None, ZOE, clock.now())
        runtime.mode.look()
        with games.engine.connect() as db:
            query = text("select id from outbox where game_id = :game and kind = 'turn-mail' order by id limit 1")
            row = db.execute(query, {"game": game}).scalar_one()
        before = everything(games)
        carry_out(runtime, row)
        relay = Relay(runtime)
        assert not any(lane._go_on() for lane in (relay._first, *relay._others))
        assert everything(games) == before
        operators.allow_writing(games, ZOE, clock.now())
        runtime.mode.look()
        carry_out(runtime, row)
        assert everything(games)["outbox"] != before["outbox"]


def test_a_mail_that_comes_in_has_to_come_again(runtime: Runtime, games: Games, stopped: list[Person]) -> None:
    back = envelope_sender.bounce_address(runtime.settings, "gone@example.org", clock.now())
    before = everything(games)
    with Inbox(runtime, "smtp://127.0.0.1:0") as inbox, smtplib.SMTP(*place(inbox.url)) as server:
        server.ehlo("client.example.org")
        server.mail("")
        assert server.rcpt(back)[0] == 250
        assert server.data(b"Subject: x\r\n\r\nx\r\n")[0] == 451
    assert everything(games) == before


def test_only_what_is_in_force_can_be_ended(games: Games, runtime: Runtime) -> None:
    with nothing_in_force(runtime):
        for end in (operators.allow_writing, operators.withdraw_announcement):
            with pytest.raises(UnknownSubject):
                end(games, ZOE, clock.now())


def test_maintenance_is_on_every_page_in_its_language_and_in_the_header_of_every_answer(
    runtime: Runtime, games: Games, app: Flask, api: Caller, people: list[Person]
) -> None:
    begins, ends = clock.now() + timedelta(hours=1), clock.now() + timedelta(hours=2)
    with nothing_in_force(runtime):
        operators.announce_maintenance(games, Validity(begins, ends, TEXTS), ZOE, clock.now())
        runtime.mode.look()
        assert "A new version" in app.test_client().get("/rules").text
        assert "Eine neue Fassung" in browser(app, games, people[1]).get("/games").text
        told = api.by(people[0]).get("/me").headers["Maintenance"]
        assert told == f"{begins.isoformat()}/{ends.isoformat()}"
        operators.withdraw_announcement(games, ZOE, clock.now())
        runtime.mode.look()
        assert "A new version" not in app.test_client().get("/rules").text
        assert "Maintenance" not in api.get("/limits").headers
    assert last_act(games).act == "maintenance-withdrawn"


def test_an_announcement_that_is_over_is_not_shown_and_one_that_makes_no_sense_is_refused(
    runtime: Runtime, games: Games, api: Caller
) -> None:
    now = clock.now()
    with nothing_in_force(runtime):
        for span in (
            Validity(now, now, TEXTS),
            Validity(now, None, TEXTS),
            Validity(now, now + timedelta(1), {"en": "only"}),
        ):
            with pytest.raises(BadAnnouncement):
                operators.announce_maintenance(games, span, ZOE, now)
        operators.announce_maintenance(games, Validity(now - timedelta(2), now + timedelta(1), TEXTS), ZOE, now)
        with games.engine.begin() as db:
            db.execute(text("update mode set ends = now() - interval '1 s'"))
        runtime.mode.look()
        assert "Maintenance" not in api.get("/limits").headers


def test_every_web_process_hears_of_it_within_two_seconds_without_a_restart(
    settings: Settings, runtime: Runtime, games: Games, tmp_path: Path, people: list[Person]
) -> None:
    def statuses(server: Any) -> set[int]:
        head = {"Authorization": f"Bearer {people[0].token}"}
        return {server.ask("/api/v1/me/mail/trial", {}, head).status for _ in range(12)}

    with nothing_in_force(runtime), web_server(settings, tmp_path) as server:
        assert 503 not in statuses(server)
        for change, wanted in (
            (lambda: operators.stop_writing(games, None, ZOE, clock.now()), True),
            (lambda: operators.allow_writing(games, ZOE, clock.now()), False),
        ):
            change()
            # What is asked takes its own time, on a busy machine more than the process takes to hear of it.
            assert wait_until(lambda: (statuses(server) == {503}) == (503 in statuses(server)) == wanted, 30)  # noqa: B023
    assert operation.MODE_READ_EVERY < 2
