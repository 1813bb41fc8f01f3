"""The pages of apps: the settings, and the page that asks whether an app may act for one."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.store.games import Games
from service.texts.catalog import languages
from tests.browsing import browser, send
from tests.oauth import BACK, Client, client, person, registered, web
from tests.people import bob, register
from tests.web.test_every_page import sound

__all__ = ["client", "person", "web"]

PATH = "/settings/apps"


def test_an_app_is_registered_and_deleted_on_the_page(web: FlaskClient) -> None:
    made = send(web, PATH, PATH, name=" Boards ", redirect_uris=f"{BACK}\r\n\r\nhttp://127.0.0.1:8080/\r\n")
    public, *none = re.findall(r'<code class="secret">([^<]+)</code>', made.text)
    assert public and not none
    made = send(web, PATH, PATH, name="Clock", redirect_uris=BACK, confidential="on")
    _, secret = re.findall(r'<code class="secret">([^<]+)</code>', made.text)
    page = web.get(PATH).text
    assert "Boards" in page and "Clock" in page and secret not in page
    changed = send(web, PATH, f"{PATH}/{public}/change", name="Walls", redirect_uris=f"{BACK}\r\n{BACK}/2")
    assert changed.location == f"{PATH}?changed="
    page = web.get(changed.location).text
    assert "Walls" in page and f"{BACK}/2" in page and "Boards" not in page and "The app was changed." in page
    wrong = send(web, PATH, f"{PATH}/{public}/change", name="Boards", redirect_uris="ftp://nowhere")
    assert wrong.status_code == 422 and "ftp://nowhere" in wrong.text
    assert "Nothing was saved: give 1 to 10" in wrong.text
    assert wrong.text.count("<details open>") == 1
    assert send(web, PATH, f"{PATH}/{public}/delete").location == f"{PATH}?deleted="
    assert "Boards" not in web.get(f"{PATH}?deleted=").text


@pytest.mark.parametrize(
    ("name", "addresses", "says"),
    [
        ("Boards", "http://board.example/", "Nothing was saved: give 1 to 10"),
        ("Boards", "", "Nothing was saved: give 1 to 10"),
        ("Boards", "\n".join(f"https://board.example/{each}" for each in range(11)), "Nothing was saved: give 1 to 10"),
        ("", BACK, "name"),
        ("a\u202eb", BACK, "name"),
    ],
)
def test_what_cannot_be_registered_is_said_and_what_was_written_stays(
    web: FlaskClient, name: str, addresses: str, says: str
) -> None:
    answer = send(web, PATH, PATH, name=name, redirect_uris=addresses)
    assert answer.status_code == 422 and says in answer.text
    assert addresses.strip() in answer.text


def test_the_apps_of_others_are_not_deleted_or_taken_back(app: Flask, games: Games, web: FlaskClient) -> None:
    stranger = registered(app, games, bob(games))
    key = {"form_key": re.findall(r'name="form_key" value="([a-z2-7]+)"', web.get(PATH).text)[0]}
    assert web.post(f"{PATH}/{stranger.id}/delete", data=key).status_code == 404
    theirs = {"name": "Mine", "redirect_uris": BACK}
    assert web.post(f"{PATH}/{stranger.id}/change", data={**key, **theirs}).status_code == 404
    assert web.post(f"/settings/grants/{stranger.id}/revoke", data=key).status_code == 404
    assert web.get(f"{PATH}?after=nowhere").status_code == 404


@pytest.mark.parametrize("language", languages())
def test_the_pages_are_sound_in_every_language(app: Flask, games: Games, client: Client, language: str) -> None:
    reader = register(games, "Alice", None, language)
    web = browser(app, games, reader)
    sound(web.get(client.address(scope="games:read games:play games:create profile:read")), language)
    client.tokens(web)
    registered(app, games, reader)
    sound(web.get(f"{PATH}?revoked="), language)
    refused = web.get(client.address(code_challenge=None))
    refused.status_code = 200
    sound(refused, language)


def test_a_page_of_apps_leads_to_the_older_ones(
    app: Flask, games: Games, web: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.web.access.apps.PAGE_SIZE", 1)
    for name in ("First", "Second"):
        registered(app, games, bob(games), name).granted(web)
    page = web.get(PATH).text
    assert "Second" in page and "First" not in page
    (older,) = re.findall(r'href="(/settings/apps\?after=[^"]+)"', page)
    page = web.get(older).text
    assert "First" in page and "Second" not in page
