"""A form that replaces what it shows is carried out only if that is still so: two tabs lose nothing of each other's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.shared import clock
from service.store.games import Games
from tests.api.scene import APP, CHANNEL
from tests.browsing import browser
from tests.letters import Form, Page
from tests.people import Person, alice
from tests.rest import Caller
from tests.web.test_table import Visit, duel

CHANGED = "have been changed meanwhile"


@pytest.fixture
def person(games: Games) -> Person:
    return alice(games)


@pytest.fixture
def web(app: Flask, games: Games, person: Person) -> FlaskClient:
    return browser(app, games, person)


def form(page: str, part: str) -> Form:
    """The form of a page whose address ends so."""
    return next(each for each in Page(page).forms if each.action.endswith(part))


def sent(web: FlaskClient, form: Form, **fields: Any) -> Any:
    return web.post(form.action, data={**form.hidden, **fields})


def test_notes_of_two_tabs_are_both_shown_and_nothing_is_lost(app: Flask, games: Games) -> None:
    # given two tabs with the same notes, of which the first has saved
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    one, other = visit.look(), visit.look()
    assert visit.send(one, "/notes", text="Bob bluffs").status_code == 303
    # when the second saves upon what it had shown
    refused = visit.send(other, "/notes", text="Bob is honest")
    # then nothing is written, and the page shows both texts
    assert (refused.status_code, CHANGED in refused.text) == (412, True)
    assert '<p class="said">Bob bluffs</p>' in refused.text
    assert ">Bob is honest</textarea>" in refused.text
    assert ">Bob bluffs</textarea>" in visit.look()
    # and pressed again, it is written on purpose
    assert visit.send(refused.text, "/notes", text="Bob is honest").status_code == 303
    assert ">Bob is honest</textarea>" in visit.look()


def test_a_page_of_before_without_a_version_is_still_taken(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    form = visit.form(visit.look(), "/notes")
    hidden = {name: value for name, value in form.hidden.items() if name != "version"}
    assert visit.web.post(form.action, data={**hidden, "text": "old"}).status_code == 303


def test_a_remark_that_is_refused_stands_in_its_field(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    refused = visit.send(visit.look(), "/talk", text="word " * 200)
    assert (refused.status_code, "word word" in refused.text) == (422, True)


def test_profiles_of_two_tabs_are_both_shown(web: FlaskClient, app: Flask, person: Person) -> None:
    # given two tabs, of which the first has given another name
    one, other = (form(web.get("/settings").text, "/settings") for _ in range(2))
    usual = {"handle": "", "visibility": "private", "language": "en", "time_zone": "UTC"}
    me = Caller(app.test_client(), person.token)
    usual = {name: me.get("/me").get_json()[name] or "" for name in usual}
    assert sent(web, one, **usual, name="Ann").status_code == 303
    # when the second gives a third one
    refused = sent(web, other, **usual, name="Anna")
    # then neither is lost
    assert (refused.status_code, CHANGED in refused.text) == (412, True)
    assert "<dd>Ann</dd>" in refused.text
    assert 'value="Anna"' in refused.text
    assert me.get("/me").get_json()["name"] == "Ann"
    assert sent(web, form(refused.text, "/settings"), **usual, name="Anna").status_code == 303


def test_mail_settings_of_two_tabs(web: FlaskClient, app: Flask, person: Person) -> None:
    one, other = (form(web.get("/settings/mail").text, "/settings/mail") for _ in range(2))
    assert sent(web, one, delay="7").status_code == 303
    refused = sent(web, other, delay="9", mails_apart="yes")
    assert (refused.status_code, CHANGED in refused.text, 'value="9"' in refused.text) == (412, True, True)
    assert Caller(app.test_client(), person.token).get("/me/mail").get_json()["delay"] == 7


def test_channels_and_apps_of_two_tabs(web: FlaskClient, app: Flask, person: Person) -> None:
    # given what a program has set up, shown in a tab, and changed by the program since
    me = Caller(app.test_client(), person.token)
    channel, registered = me.post("/me/channels", CHANNEL).get_json(), me.post("/apps", APP).get_json()
    shown = form(web.get("/settings/channels").text, f"/channels/{channel['id']}")
    listed = form(web.get("/settings/apps").text, f"/apps/{registered['id']}/change")
    assert me.patch(f"/me/channels/{channel['id']}", {"messages": ["turn"]}).status_code == 200
    assert me.patch(f"/apps/{registered['id']}", {"name": "Better boards"}).status_code == 200
    # when the tab saves
    chosen = sent(web, shown, messages=["over"])
    called = sent(web, listed, name="Best boards", redirect_uris="https://board.example/other")
    # then nothing is written
    assert (chosen.status_code, CHANGED in chosen.text) == (412, True)
    assert (called.status_code, CHANGED in called.text, "Best boards" in called.text) == (412, True, True)
    assert me.get(f"/me/channels/{channel['id']}").get_json()["messages"] == ["turn"]


def test_absences_of_two_tabs(web: FlaskClient, app: Flask, person: Person) -> None:
    me = Caller(app.test_client(), person.token)
    first, second, third = ((clock.now().date() + timedelta(days=each)).isoformat() for each in (3, 4, 5))
    made = me.post("/me/absences", {"until": first})
    shown = form(web.get("/settings/away").text, made.get_json()["id"])
    assert me.patch(f"/me/absences/{made.get_json()['id']}", {"until": second}).status_code == 200
    refused = sent(web, shown, until=third)
    assert (refused.status_code, f'value="{third}"' in refused.text) == (412, True)
