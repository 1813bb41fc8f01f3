"""Channels (T-41), the calendar and the feed (T-40), and the installable site."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from flask.testing import FlaskClient
from icalendar import Calendar
from PIL import Image
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.app import create_app
from service.handlers import calendar as handlers
from service.handlers.pace import AbsencePlan, announce_absence, change_absence, give_time
from service.log.ids import new_id
from service.messages.channels import MESSAGES, Where
from service.messages.keys import public_key
from service.rules.pace import PACES
from service.runtime import Runtime
from service.shared import clock
from service.store import pace
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.pace import AbsenceRow
from service.views.calendar import LENGTH, alarms
from service.views.feed import ATOM, MOST
from service.views.messages import channels_of
from tests.browsing import browser, send
from tests.builders import act, opened, paced, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.letters import Page
from tests.messages.services import WHERES, Browser
from tests.people import Person, alice, bob, carol
from tests.rest import Caller

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


# T-40: a calendar behind a secret address, and a feed of what happens in a public game.

SINCE = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAME = {"a": ATOM}


def deadline(games: Games, position: Position, seat: int, at: datetime | None) -> None:
    """Let the seat's time run out at a moment, as the clock of a table would."""
    change = text("""
update game set since = :since, deadlines = (
    select array_agg(case when each = :seat then cast(:at as timestamptz) end order by place)
      from unnest(awaited) with ordinality as a(each, place)) where id = :game
""")
    with games.engine.begin() as db:
        db.execute(change, {"game": position.game.id, "seat": seat, "at": at, "since": SINCE})


def fetched(app: Flask, secret: str) -> Calendar:
    answer = app.test_client().get(f"/calendar/{secret}.ics")
    assert (answer.status_code, answer.content_type) == (200, "text/calendar; charset=utf-8")
    return Calendar.from_ical(answer.data)


def test_t40_the_calendar_shows_ones_own_deadlines_with_their_alarms(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    deadline(games, position, 0, SINCE + timedelta(days=5))
    mine, theirs = (handlers.renew(games, position.seats[seat].player_id, clock.now()) for seat in (0, 1))
    (event,) = fetched(app, mine).walk("VEVENT")
    assert (event["DTSTART"].dt, event["DTEND"].dt) == (SINCE + timedelta(days=5) - LENGTH, SINCE + timedelta(days=5))
    assert str(event["SUMMARY"]) == f"Your move: Sealed Bids (#{position.game.id.hex[-6:]})"
    assert str(event["URL"]) == f"http://127.0.0.1:8000/games/{position.game.id}/open"
    before = [LENGTH - each["TRIGGER"].dt for each in event.walk("VALARM")]
    assert before == [timedelta(hours=60), timedelta(hours=12)]
    assert fetched(app, theirs).walk("VEVENT") == []


def test_t40_a_deadline_leaves_the_calendar_when_the_move_is_made(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    deadline(games, position, 0, SINCE + timedelta(days=5))
    secret = handlers.renew(games, position.seats[0].player_id, clock.now())
    assert len(fetched(app, secret).walk("VEVENT")) == 1
    act(games, position, 0, Hold())
    assert fetched(app, secret).walk("VEVENT") == []


@pytest.mark.parametrize(
    ("waiting", "rings"),
    [(timedelta(days=10), 2), (timedelta(hours=8), 2), (timedelta(hours=7), 1), (timedelta(minutes=10), 1)],
)
def test_t40_alarms_are_three_hours_apart_or_one_is_left_out(waiting: timedelta, rings: int) -> None:
    found = list(alarms(SINCE, SINCE + waiting))
    assert len(found) == rings
    assert found[0] == waiting / 2
    assert all(one - other >= timedelta(hours=3) for one, other in pairwise(found))


def test_t40_the_calendar_shows_announced_absences(app: Flask, games: Games) -> None:
    person = alice(games)
    away = AbsenceRow(new_id(), SINCE, SINCE + timedelta(days=7), SINCE)
    with games.engine.begin() as db:
        pace.write_absence(db, person.id, away)
    (event,) = fetched(app, handlers.renew(games, person.id, clock.now())).walk("VEVENT")
    assert (event["DTSTART"].dt, event["DTEND"].dt) == (away.begins, away.ends)
    assert str(event["SUMMARY"]) == "Away from the tables"


def test_a_deadline_that_is_moved_is_a_new_revision_of_its_event(app: Flask, games: Games) -> None:
    # given a deadline in a calendar
    people = [alice(games), bob(games), carol(games)]
    position = paced(games, PACES["daily"], "new-corp-order", people, **{"first-player": 0})
    secret = handlers.renew(games, people[0].id, clock.now())
    (before,) = fetched(app, secret).walk("VEVENT")
    assert before["DTSTART"].dt < before["DTEND"].dt
    assert before["DTSTAMP"].dt == before["LAST-MODIFIED"].dt == before["CREATED"].dt
    # when the player is given more time, twice
    revisions = []
    for giver in people[1:]:
        give_time(games, position.game.id, giver.id, 0, "web")
        (after,) = fetched(app, secret).walk("VEVENT")
        revisions.append(after)
    # then it is the same event, later, in a revision of its own each time
    assert {str(each["UID"]) for each in revisions} == {str(before["UID"])}
    assert [each["SEQUENCE"] for each in (before, *revisions)] == [0, 1, 2]
    assert before["DTEND"].dt < revisions[0]["DTEND"].dt < revisions[1]["DTEND"].dt
    assert before["DTSTAMP"].dt <= revisions[0]["DTSTAMP"].dt == revisions[0]["LAST-MODIFIED"].dt
    assert all(each["CREATED"].dt == before["CREATED"].dt for each in revisions)


def test_an_absence_that_is_changed_is_a_new_revision_and_one_ended_at_once_is_none(app: Flask, games: Games) -> None:
    me, today = alice(games), clock.now().date()
    plans = [AbsencePlan(until=today + timedelta(days=each)) for each in (3, 2)]
    made = announce_absence(games, me.id, plans[0], clock.now())
    secret = handlers.renew(games, me.id, clock.now())
    (before,) = fetched(app, secret).walk("VEVENT")
    change_absence(games, me.id, made.row.id, plans[1], clock.now())
    (after,) = fetched(app, secret).walk("VEVENT")
    assert (before["SEQUENCE"], after["SEQUENCE"]) == (0, 1)
    assert after["DTEND"].dt < before["DTEND"].dt
    with games.engine.begin() as db:
        pace.write_absence(db, me.id, replace(made.row, ends=made.row.begins + timedelta(milliseconds=1)))
    assert fetched(app, secret).walk("VEVENT") == []


def test_t40_a_renewed_address_ends_the_one_before_and_none_is_kept_in_clear(
    app: Flask, games: Games, runtime: Runtime
) -> None:
    person = alice(games)
    first = handlers.renew(games, person.id, clock.now())
    second = handlers.renew(games, person.id, clock.now())
    web = app.test_client()
    assert web.get(f"/calendar/{first}.ics").status_code == 404
    assert web.get(f"/calendar/{second.upper()}.ics").status_code == 200
    with games.engine.connect() as db:
        (kept,) = db.execute(text("select hash from calendar where player_id = :id"), {"id": person.id}).scalars()
    assert second.encode() not in kept
    handlers.end(games, person.id)
    assert web.get(f"/calendar/{second}.ics").status_code == 404


def test_t40_no_line_of_the_log_holds_the_address(app: Flask, games: Games, capsys: pytest.CaptureFixture[str]) -> None:
    secret = handlers.renew(games, alice(games).id, clock.now())
    app.test_client().get(f"/calendar/{secret}.ics")
    said = capsys.readouterr()
    assert "/calendar/<token>.ics" in said.err
    assert secret not in said.err + said.out


def test_t40_a_calendar_that_has_not_changed_is_not_sent_again(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    deadline(games, position, 0, SINCE + timedelta(days=5))
    path = f"/calendar/{handlers.renew(games, position.seats[0].player_id, clock.now())}.ics"
    web = app.test_client()
    tag = web.get(path).headers["ETag"]
    assert web.get(path, headers={"If-None-Match": tag}).status_code == 304
    deadline(games, position, 0, SINCE + timedelta(days=6))
    assert web.get(path, headers={"If-None-Match": tag}).status_code == 200


def feed(app: Flask, position: Position, language: str = "en") -> ET.Element:
    answer = app.test_client().get(f"/games/{position.game.id}/events.atom", headers={"Accept-Language": language})
    assert (answer.status_code, answer.content_type) == (200, "application/atom+xml; charset=utf-8")
    return ET.fromstring(answer.data)


def test_t40_the_feed_of_a_public_game_tells_what_a_spectator_may_know(app: Flask, games: Games, api: Caller) -> None:
    position = act(games, sealed_bids(games), 0, Hold()).position
    found = feed(app, position)
    said = [each.findtext("a:title", namespaces=NAME) for each in found.findall("a:entry", NAME)]
    shown = api.by(alice(games)).get(f"/games/{position.game.id}/events").json
    assert shown
    assert said == [each["text"] for each in reversed(shown["items"]) if each["text"]]
    assert len({each.findtext("a:id", namespaces=NAME) for each in found.findall("a:entry", NAME)}) == len(said)
    german = feed(app, position, "de").findall("a:entry", NAME)
    assert german[-1].findtext("a:title", namespaces=NAME) == "Die Partie beginnt."
    assert [each.findtext("a:id", namespaces=NAME) for each in german] == [
        each.findtext("a:id", namespaces=NAME) for each in found.findall("a:entry", NAME)
    ]
    assert len(german) <= MOST


def test_t40_the_page_of_a_public_table_leads_to_its_feed(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    page = app.test_client().get(f"/games/{position.game.id}")
    assert page.text.count(f"/games/{position.game.id}/events.atom?language=en") == 2


@pytest.mark.parametrize("terms", [Terms(access="invitation"), Terms(access="public", spectators=False)])
def test_t40_a_game_that_nobody_may_look_at_has_no_feed(app: Flask, games: Games, terms: Terms) -> None:
    game = sealed_bids(games).game.id
    change = text("update game set access = :access, spectators = :spectators where id = :game")
    with games.engine.begin() as db:
        db.execute(change, {"game": game, "access": terms.access, "spectators": terms.spectators})
    answer = app.test_client().get(f"/games/{game}/events.atom")
    assert answer.status_code == 404
    assert "Alice" not in answer.text


def test_t40_a_table_that_has_not_begun_has_no_feed(app: Flask, games: Games) -> None:
    game = opened(games, "sealed-bids", [alice(games), bob(games), carol(games)])
    assert app.test_client().get(f"/games/{game}/events.atom").status_code == 404
