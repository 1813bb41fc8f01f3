"""The pages of operators: only for accounts with the role, after a fresh sign-in by mail, and with nothing hidden."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, text

from service.handlers import operators
from service.handlers.reports import Complaint, complain
from service.handlers.sessions import let_in
from service.handlers.talk import say
from service.runtime import Runtime
from service.shared import clock
from service.store.access import Session
from service.store.fast_path import hand_of
from service.store.games import Games
from service.texts.catalog import languages
from service.texts.catalog import say as told
from tests.browsing import form_on, send
from tests.builders import now_at, opened, started
from tests.letters import Form, Page
from tests.operating import ZOE, acts_of, last_act, nothing_in_force, verified
from tests.people import Person, alice, bob, carol, new_address, register
from tests.web.test_every_page import sound

WHY = "spam at every table"
SURE = {"reason": WHY, "sure": "yes"}
SECRET = re.compile(r"\b(from|join) (event|seed|note|move_order|lobby_event|\w*_link|\w*_secret|stream_ticket)\b")
"""Statements that read what is hidden in a game, or what opens anything."""


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def zoe(games: Games) -> Person:
    """An account with the role."""
    person = verified(games, register(games, "Zoë", new_address(), "en"))
    operators.add_operator(games, person.id, ZOE, clock.now())
    return person


def signed_in(app: Flask, games: Games, person: Person, how: Session = "mail", minutes: int = 0) -> FlaskClient:
    client = app.test_client()
    with games.engine.begin() as db:
        secret = let_in(db, person.id, clock.now() - timedelta(minutes=minutes), how)
        client.set_cookie("boardroom", secret, domain="localhost")
    return client


def done(web: FlaskClient, act: str, subject: object, **fields: Any) -> None:
    """Send the form of an act on a subject, as it stands on the page that finds it."""
    page = web.get("/operate", query_string={"words": str(subject)})
    hidden = form_on(page, f"/operate/{act}").hidden
    answer = web.post(f"/operate/{act}", data={**hidden, **SURE, "subject": str(subject), **fields})
    assert answer.status_code == 303, answer.text


def test_there_is_no_such_page_for_everybody_else(app: Flask, games: Games, people: list[Person], zoe: Person) -> None:
    assert app.test_client().get("/operate").status_code == 303
    assert signed_in(app, games, people[0]).get("/operate").status_code == 404
    assert signed_in(app, games, zoe).get("/operate").status_code == 200
    operators.remove_operator(games, zoe.id, ZOE, clock.now())
    assert signed_in(app, games, zoe).get("/operate").status_code == 404


@pytest.mark.parametrize(("how", "minutes", "status"), [("mail", 14, 200), ("mail", 16, 403), ("press", 0, 403)])
def test_they_open_for_a_quarter_of_an_hour_after_a_mailed_link(
    app: Flask, games: Games, zoe: Person, how: Session, minutes: int, status: int
) -> None:
    web = signed_in(app, games, zoe, how, minutes)
    assert web.get("/operate").status_code == status
    if status == 403:
        form = form_to_sign_in(web).hidden
        assert form["back"] == "/operate" and form["email"] == zoe.email
        key = {"form_key": form["form_key"], "reason": WHY, "subject": str(zoe.id)}
        assert web.post("/operate/block", data=key).status_code == 403
        assert web.post("/operate/export", data=key).status_code == 403
        assert acts_of(games, "player", zoe.id) == ["operator-added"]


def form_to_sign_in(web: FlaskClient) -> Form:
    found, *_ = (form for form in Page(web.get("/operate").text).forms if form.action == "/sign-in")
    return found


def test_a_form_from_elsewhere_or_without_a_reason_does_nothing(
    app: Flask, games: Games, people: list[Person], zoe: Person
) -> None:
    web, subject = signed_in(app, games, zoe), {"subject": str(people[0].id), "reason": WHY}
    assert web.post("/operate/block", data=subject).status_code == 403
    hidden = form_on(web.get(f"/operate?words={people[0].id}"), "/operate/block").hidden
    for reason in ("", "  ", "x" * 501, "spam\0"):
        assert web.post("/operate/block", data={**hidden, "sure": "yes", "reason": reason}).status_code == 422
    assert (
        web.post("/operate/block", data={**hidden, **subject}, headers={"Origin": "https://evil.example"}).status_code
        == 403
    )
    assert acts_of(games, "player", people[0].id) == []


def test_an_account_is_found_blocked_unblocked_exported_and_erased_by_the_page(
    app: Flask, games: Games, people: list[Person], zoe: Person
) -> None:
    web, player = signed_in(app, games, zoe), people[0].id
    done(web, "block", player)
    assert last_act(games).actor == f"player:{zoe.id}"
    assert WHY in web.get(f"/operate?words={player}").text
    done(web, "unblock", player)
    hidden = form_on(web.get(f"/operate?words={player}"), "/operate/export").hidden
    for act in ("block", "unblock", "close", "erase", "export"):
        unsure = web.post(f"/operate/{act}", data={**hidden, "subject": str(player), "reason": WHY})
        assert (unsure.status_code, "confirm first that this is the account" in unsure.text) == (422, True)
    kept = web.post("/operate/export", data={**hidden, **SURE, "subject": str(player)})
    assert kept.get_json()["account"]["id"] == str(player)
    done(web, "erase", player)
    assert acts_of(games, "player", player) == ["blocked", "unblocked", "exported", "erased"]


def test_the_page_says_whose_address_is_verified_and_since_when_an_account_is_there(
    app: Flask, games: Games, zoe: Person
) -> None:
    web, boss = signed_in(app, games, zoe), new_address()
    named = register(games, "Boss", boss, "en")
    with games.engine.begin() as db:
        db.execute(text("update player set name = :name where id = :id"), {"name": boss, "id": named.id})
    assert f"{boss} (not verified: it may be another person" in web.get("/operate", query_string={"words": boss}).text
    verified(games, named)
    page = web.get("/operate", query_string={"words": boss}).text
    assert f"{boss} (verified) since" in page and "I mean" in page


def test_what_cannot_be_done_says_so(app: Flask, games: Games, people: list[Person], zoe: Person) -> None:
    web = signed_in(app, games, zoe)
    hidden = form_on(web.get(f"/operate?words={people[0].id}"), "/operate/block").hidden
    for act, subject in (
        ("unblock", people[0].id),
        ("block", "nobody"),
        ("run", "x"),
        ("run", 10**30),
        ("block-address", "x"),
        ("block-address", "x@example.org\0"),
        ("answer", "1"),
    ):
        answer = web.post(f"/operate/{act}", data={**hidden, **SURE, "subject": str(subject)})
        assert (answer.status_code, "Nothing was changed" in answer.text) == (422, True), act
    assert web.post("/operate/nothing", data={**hidden, "reason": WHY}).status_code == 404
    assert web.get("/operate", query_string={"words": "Zo\0"}).status_code == 200


def test_a_table_is_handed_over_and_an_effect_dropped(
    app: Flask, games: Games, people: list[Person], zoe: Person
) -> None:
    web, game = signed_in(app, games, zoe), started(games, "sealed-bids", people).game.id
    done(web, "hand-over", game, player=str(people[1].id))
    assert now_at(games, game).game.host == people[1].id
    with games.engine.begin() as db:
        query = text("update outbox set state = 'dead' where game_id = :game and kind = 'turn-mail' returning id")
        row = db.execute(query, {"game": game}).scalars().all()[0]
    done(web, "drop", row)
    assert acts_of(games, "outbox", row) == ["effect-dropped"]


def test_writing_is_stopped_and_allowed_again_and_maintenance_announced_by_the_page(
    runtime: Runtime, app: Flask, games: Games, zoe: Person
) -> None:
    web = signed_in(app, games, zoe)
    with nothing_in_force(runtime):
        assert send(web, "/operate", "/operate/stop", reason=WHY).status_code == 303
        assert runtime.mode.read_only
        assert web.post("/settings", data={}).status_code == 503
        assert send(web, "/operate", "/operate/allow", reason=WHY).status_code == 303
        assert not runtime.mode.read_only
        texts = {f"text-{each}": f"Work, {each}" for each in languages()}
        span = {"begins": "2029-01-01T00:00", "ends": "2029-01-01T02:00"}
        assert send(web, "/operate", "/operate/announce", reason=WHY, **span, **texts).status_code == 303
        assert "Work, en" in web.get("/rules").text
        assert send(web, "/operate", "/operate/withdraw", reason=WHY).status_code == 303


def test_a_report_ends_on_the_page_and_its_answer_is_shown_to_the_reporter(
    app: Flask, games: Games, people: list[Person], zoe: Person
) -> None:
    game = started(games, "sealed-bids", people).game.id
    say(games, game, people[1].id, "You fool", "api", clock.now())
    reporter = signed_in(app, games, people[0], "press")
    assert f"/games/{game}/report?remark=1" in reporter.get(f"/games/{game}").text
    path = f"/games/{game}/report"
    assert send(reporter, f"{path}?remark=1", path, text="This is rude").status_code == 303
    web = signed_in(app, games, zoe)
    shown = web.get("/operate").text
    assert "You fool" in shown and "This is rude" in shown
    with games.engine.connect() as db:
        query = text("select id from report where reporter = :id")
        report: UUID = db.execute(query, {"id": people[0].id}).scalar_one()
    done(web, "answer", report, answer="We have told them.")
    assert "This is rude" not in web.get("/operate").text
    assert "We have told them." in reporter.get("/reports").text


def test_a_name_is_reported_and_what_is_not_there_is_not(app: Flask, games: Games, people: list[Person]) -> None:
    game = started(games, "sealed-bids", people).game.id
    web, path = signed_in(app, games, people[0], "press"), f"/games/{game}/report"
    assert send(web, f"{path}?seat=1", path, text="This is no name").status_code == 303
    assert "This is no name" in web.get("/reports").text
    for query in ("seat=0", "seat=9", "remark=7"):
        assert send(web, f"{path}?{query}", path, text="x").status_code == 422
    hidden_table = opened(games, "sealed-bids", [bob(games), carol(games), alice(games)])
    with games.engine.begin() as db:
        db.execute(text("update game set access = 'invitation' where id = :id"), {"id": hidden_table})
    assert web.get(f"/games/{hidden_table}/report?seat=1").status_code == 404


@pytest.mark.parametrize("language", languages())
def test_the_pages_are_sound_in_every_language(
    app: Flask, games: Games, people: list[Person], zoe: Person, language: str
) -> None:
    game = started(games, "sealed-bids", people).game.id
    complain(games, people[0].id, Complaint(game, "name", 1, "x"), clock.now())
    with games.engine.begin() as db:
        db.execute(text("update outbox set state = 'dead' where game_id = :game"), {"game": game})
    web = signed_in(app, games, zoe)
    for path in (
        "/operate",
        f"/operate?words={game}",
        f"/operate?words={people[0].id}",
        "/reports",
        f"/games/{game}/report?seat=1",
    ):
        page = web.get(path + ("&" if "?" in path else "?") + f"language={language}")
        sound(page, language)
        if "words=" in path:
            assert told(language, "history-state-running") in page.text
            assert f"</code>, {told(language, 'effect-dead')}, " in page.text


def test_no_card_no_seed_no_token_and_no_link_is_on_the_pages(
    app: Flask, games: Games, people: list[Person], zoe: Person
) -> None:
    position = started(games, "new-corp-order", people)
    operators.block_address(games, people[0].email or "", ZOE, clock.now())
    game = {"id": position.game.id}
    with games.engine.begin() as db:
        db.execute(text("update outbox set state = 'dead' where game_id = :id"), game)
        seed = bytes(db.execute(text("select seed from seed where game_id = :id"), game).scalar_one())
        nonces = db.execute(text("select nonce from seat where game_id = :id"), game).scalars().all()
    operators.unblock_address(games, people[0].email or "", ZOE, clock.now())
    web = signed_in(app, games, zoe)
    hidden = [seed.hex(), *nonces, *(person.token for person in people)]
    asked: list[str] = []
    note, everything = (lambda *given: asked.append(given[2])), hand_of(games.engine).engine
    event.listen(everything, "before_cursor_execute", note)
    for words in (position.game.id, *(person.id for person in people)):
        shown = web.get(f"/operate?words={words}").text
        assert not [each for each in hidden if each in shown]
    event.remove(everything, "before_cursor_execute", note)
    # What nobody reads nobody sees: cards are in the log alone.
    assert len(asked) > 20
    assert not [each for each in asked if SECRET.search(each)]
