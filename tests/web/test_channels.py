"""T-40, T-41: channels and the calendar in the settings, without a script too; and the site as an installed page."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.app import create_app
from service.messages.channels import MESSAGES, Where
from service.messages.keys import public_key
from service.runtime import Runtime
from service.store.games import Games
from service.views.channels import channels_of
from tests.browsing import browser, send
from tests.builders import sealed_bids
from tests.letters import Page
from tests.messages.services import WHERES, Browser
from tests.people import Person, alice

PATH = "/settings/channels"
TOPIC = {"kind": "ntfy", "url": "https://ntfy.example.org/secret-topic"}


@pytest.fixture
def person(games: Games) -> Person:
    return alice(games)


@pytest.fixture
def web(app: Flask, games: Games, person: Person) -> FlaskClient:
    return browser(app, games, person)


def form_key(web: FlaskClient) -> str:
    return Page(web.get(PATH).text).forms[0].hidden["form_key"]


def added(web: FlaskClient, **fields: str) -> TestResponse:
    return web.post(PATH, data={"form_key": form_key(web), **fields})


def only(games: Games, person: Person) -> dict[str, object]:
    with games.engine.connect() as db:
        (channel,) = channels_of(db, person.id)
    return channel


def test_a_subscription_that_the_push_service_has_replaced_goes_on_in_its_channel(
    web: FlaskClient, app: Flask, games: Games, runtime: Runtime, person: Person
) -> None:
    # given a browser with a channel
    old, new = Browser().where(), Browser().where("https://push.example.org/send/another")
    added(web, kind="web-push", url=old.url, p256dh=old.p256dh, auth=old.auth)
    told = {"before": old.url, "url": new.url, "p256dh": new.p256dh, "auth": new.auth}
    # when its worker tells of another subscription, and others try the same
    other = browser(app, games, alice(games))
    assert app.test_client().post("/push/renewal", json=told).status_code == 403
    assert other.post("/push/renewal", json=told).status_code == 404
    assert web.post("/push/renewal", json=told, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert web.post("/push/renewal", json={**told, "before": "https://push.example.org/guessed"}).status_code == 404
    assert web.post("/push/renewal", json={**told, "auth": "short"}).status_code == 422
    assert web.post("/push/renewal", json=told).status_code == 204
    # then the channel leads there, and is tried
    assert only(games, person)["state"] == "trying"
    with games.engine.connect() as db:
        sealed = db.execute(
            text("select sealed from channel_secret s join channel c on c.id = s.channel_id where c.player_id = :me"),
            {"me": person.id},
        ).scalar_one()
    assert runtime.vault is not None
    assert Where.unpacked(runtime.vault.open(sealed)) == new


@pytest.mark.parametrize("kind", WHERES)
def test_t41_a_channel_is_added_on_the_page_and_says_that_it_is_tried(
    web: FlaskClient, games: Games, person: Person, kind: str
) -> None:
    where = WHERES[kind]
    answer = added(web, kind=kind, url=where.url, token=where.token, room=where.room)
    assert (answer.status_code, answer.location) == (303, f"{PATH}?tried=")
    shown = web.get(f"{PATH}?tried=").text
    assert "A test message is on its way. When it has arrived" in shown
    assert not [each for each in (where.token, where.room) if each and each in shown]
    channel = only(games, person)
    assert (channel["kind"], channel["messages"], channel["instead"]) == (kind, list(MESSAGES), [])


def test_t41_a_browser_sends_its_subscription_with_the_form(web: FlaskClient, games: Games, person: Person) -> None:
    where = Browser().where()
    answer = added(web, kind="web-push", url=where.url, p256dh=where.p256dh, auth=where.auth)
    assert answer.status_code == 303
    assert (only(games, person)["kind"], only(games, person)["label"]) == ("web-push", "push.example.org")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({**TOPIC, "url": "https://192.168.0.1/topic"}, "No messages can be sent to this address."),
        ({"kind": "telegram", "token": "x", "room": "1"}, "This token does not have the right form."),
        ({"kind": "telegram", "token": WHERES["telegram"].token, "room": "my chat"}, "Something in the form"),
        ({"kind": "web-push", "url": "https://push.example.org/x"}, "The subscription of the browser"),
        ({"kind": "pigeon"}, "Something in the form is not valid."),
        ({}, "Something in the form is not valid."),
    ],
)
def test_t41_what_is_no_channel_is_refused_in_words(web: FlaskClient, fields: dict[str, str], words: str) -> None:
    answer = added(web, **fields)
    assert answer.status_code == 422
    assert words in answer.text


def test_t41_what_goes_there_is_chosen_kind_by_kind(web: FlaskClient, games: Games, person: Person) -> None:
    added(web, **TOPIC)
    path = f"{PATH}/{only(games, person)['id']}"
    assert send(web, PATH, path, messages=["turn", "over"], instead=["turn", "message"]).status_code == 303
    assert (only(games, person)["messages"], only(games, person)["instead"]) == (["turn", "over"], ["turn"])
    answer = send(web, PATH, path, messages=[])
    assert answer.status_code == 422 and "Choose at least one kind of message" in answer.text
    assert send(web, PATH, f"{path}/trial").status_code == 303
    assert send(web, PATH, f"{path}/delete").status_code == 303
    assert path not in web.get(PATH).text


@pytest.mark.parametrize(("cause", "words"), [("failing", "Messages did not arrive"), ("gone", "The address is gone")])
def test_t41_a_silenced_channel_has_a_notice_on_the_page(
    web: FlaskClient, games: Games, cause: str, words: str
) -> None:
    added(web, **TOPIC)
    with games.engine.begin() as db:
        db.execute(text("update channel set state = 'silenced', cause = :cause, code = 500"), {"cause": cause})
    assert words in web.get(PATH).text


def test_t41_the_page_of_others_is_not_touched(web: FlaskClient, app: Flask, games: Games, person: Person) -> None:
    added(web, **TOPIC)
    other, mine = browser(app, games, alice(games)), only(games, person)
    for what in ("", "/trial", "/delete"):
        answer = other.post(f"{PATH}/{mine['id']}{what}", data={"form_key": form_key(other), "messages": "turn"})
        assert answer.status_code == 404
    assert only(games, person) == mine


def test_t41_without_a_script_the_page_says_what_push_takes(web: FlaskClient, runtime: Runtime) -> None:
    page = web.get(PATH)
    assert "Push messages need JavaScript, a browser that knows Web Push" in page.text
    push = re.search(r"<form[^>]*id=\"push\"[^>]*>", page.text)
    assert push and runtime.settings.vapid_key
    assert " hidden" in push[0] and f'data-key="{public_key(runtime.settings.vapid_key)}"' in push[0]


def test_t41_without_a_key_there_is_no_push(runtime: Runtime, games: Games, person: Person) -> None:
    keyless = create_app(replace(runtime, settings=replace(runtime.settings, vapid_key=None)))
    web = browser(keyless, games, person)
    assert "The operator of this service has not set this up." in web.get(PATH).text
    where = Browser().where()
    answer = added(web, kind="web-push", url=where.url, p256dh=where.p256dh, auth=where.auth)
    assert answer.status_code == 409


def test_t41_the_site_can_be_installed(app: Flask) -> None:
    web = app.test_client()
    page = web.get("/")
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page.text
    assert "manifest-src 'self'" in page.headers["Content-Security-Policy"]
    answer = web.get("/manifest.webmanifest")
    assert (answer.status_code, answer.content_type) == (200, "application/manifest+json")
    manifest = answer.get_json(force=True)
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/games", "/", "standalone")
    for icon in manifest["icons"]:
        with web.get(icon["src"]) as picture:
            size = Image.open(BytesIO(picture.data)).size
        assert (picture.content_type, f"{size[0]}x{size[1]}") == (icon["type"], icon["sizes"])
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}


def test_t41_the_service_worker_may_serve_the_whole_site(app: Flask) -> None:
    answer = app.test_client().get("/service-worker.js")
    assert answer.status_code == 200
    assert answer.content_type == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_t41_the_link_of_a_message_asks_for_sign_in_and_then_leads_to_the_table(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    path = f"/games/{position.game.id}"
    asked = app.test_client().get(f"{path}/open")
    assert asked.status_code == 200
    assert "Sign in to see the table" in asked.text and "Alice" not in asked.text
    (form,) = (form for form in Page(asked.text).forms if form.action == "/sign-in")
    assert form.hidden["back"] == path
    mine = Person(position.seats[0].player_id, "", "Alice", None, "en")
    led = browser(app, games, mine).get(f"{path}/open")
    assert (led.status_code, led.location) == (303, path)


def test_t40_the_address_of_the_calendar_is_made_renewed_and_ended_on_the_page(web: FlaskClient) -> None:
    first = send(web, PATH, "/settings/calendar")
    address = re.search(r"http://127\.0\.0\.1:8000(/calendar/[a-z2-7]{26}\.ics)", first.text)
    assert address
    assert web.get(address[1]).status_code == 200
    assert address[1] not in web.get(PATH).text
    send(web, PATH, "/settings/calendar")
    assert web.get(address[1]).status_code == 404
    assert send(web, PATH, "/settings/calendar/delete").status_code == 303
    assert "There is an address since" not in web.get(PATH).text
