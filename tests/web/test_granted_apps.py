"""Apps of other people: what strangers send, what is kept, and how it ends."""

from __future__ import annotations

from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.handlers import apps, farewell
from service.handlers.app_tokens import MOST_SIGN_INS
from service.handlers.operators import accounts
from service.shared import clock
from service.store.games import Games
from tests.browsing import browser
from tests.letters import Page
from tests.oauth import Client, client, digest, error_of, person, reads, registered, web
from tests.operating import ZOE
from tests.people import Person, alice, bob

__all__ = ["client", "person", "web"]


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"grant_type": "password", "username": "x", "password": "y"},
        {"grant_type": "client_credentials"},
        {"grant_type": 'ü"\\'},
        {"grant_type": "refresh_token", "refresh_token": "\x00"},
        {"grant_type": "authorization_code", "code": "x" * 100_000},
        {"grant_type": ["authorization_code", "refresh_token"]},
        {"token": "x", "token_type_hint": "ü"},
    ],
)
@pytest.mark.parametrize("header", [None, "Basic", "Basic ////", "Basic w7w=", "Basic /w==", "Bearer x"])
def test_whatever_is_sent_gets_a_clear_refusal(app: Flask, sent: dict[str, str], header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    for path in ("/oauth/token", "/oauth/revoke"):
        answer = app.test_client().post(path, data=sent, headers=headers)
        assert answer.status_code in (400, 401, 413) and answer.is_json
    assert app.test_client().get("/oauth/token").status_code == 405


@pytest.mark.parametrize("name", ["state", "scope", "response_type", "client_id", "prompt"])
def test_a_request_with_anything_in_it_is_shown_a_page(web: FlaskClient, client: Client, name: str) -> None:
    for bad in ("\x00", "ü", "x" * 501, "\r\nSet-Cookie: a=b"):
        assert web.get(client.address(**{name: bad})).status_code == 400
    assert web.get(f"{client.address()}&{name}=twice&{name}=again").status_code == 400


def test_only_hashes_are_kept(games: Games, web: FlaskClient, client: Client) -> None:
    code = client.granted(web)["code"]
    given = client.exchange(code).get_json()
    with games.engine.connect() as db:
        kept = "".join(
            str(db.execute(text(f"select coalesce(json_agg(t)::text, '') from {table} t")).scalar_one())
            for table in ("app", "app_grant", "app_code", "app_refresh", "token", "outbox")
        )
    assert not any(secret in kept for secret in (code, given["access_token"], given["refresh_token"]))
    assert digest(code).hex() in kept


def test_a_player_takes_back_what_was_granted_on_the_page_of_the_settings(
    app: Flask, web: FlaskClient, client: Client
) -> None:
    given = client.tokens(web)
    page = web.get("/settings/apps")
    assert "Boards" in page.text and "make moves" in page.text
    (form,) = [each for each in Page(page.text).forms if each.action.endswith("/revoke")]
    assert web.post(form.action, data=form.hidden).status_code == 303
    assert "Boards" not in web.get("/settings/apps").text
    assert reads(app, given["access_token"]) == 401
    assert error_of(client.refresh(given["refresh_token"])) == "invalid_grant"
    assert web.post(form.action, data=form.hidden).status_code == 404


def test_with_an_app_its_owner_or_its_player_all_of_it_goes(app: Flask, games: Games) -> None:
    owner, player = bob(games), alice(games)
    client, deleted = registered(app, games, owner), registered(app, games, owner)
    web = browser(app, games, player)
    one, two, three = client.tokens(web), deleted.tokens(web), client.tokens(browser(app, games, bob(games)))
    apps.delete(games, owner.id, UUID(deleted.id))
    assert [reads(app, each["access_token"]) for each in (one, two, three)] == [200, 401, 200]
    farewell.leave(games, player.id, "web", clock.now())
    assert [reads(app, each["access_token"]) for each in (one, three)] == [401, 200]
    accounts.block(games, owner.id, ZOE, clock.now())
    assert error_of(client.refresh(three["refresh_token"])) == "invalid_client"
    farewell.leave(games, owner.id, "web", clock.now())
    assert reads(app, three["access_token"]) == 401


def test_a_blocked_player_is_served_by_no_app(
    app: Flask, games: Games, person: Person, web: FlaskClient, client: Client
) -> None:
    given = client.tokens(web)
    accounts.block(games, person.id, ZOE, clock.now())
    assert reads(app, given["access_token"]) == 403
    assert error_of(client.refresh(given["refresh_token"])) == "invalid_grant"


def test_an_app_acts_at_twenty_places_and_the_one_used_longest_ago_ends(
    app: Flask, web: FlaskClient, client: Client
) -> None:
    first, second = client.tokens(web), client.tokens(web)
    client.refresh(first["refresh_token"])
    for _ in range(MOST_SIGN_INS - 1):
        client.tokens(web)
    assert [reads(app, each["access_token"]) for each in (first, second)] == [200, 401]


def test_the_page_names_who_asks_and_in_plain_words_what_for(web: FlaskClient, client: Client) -> None:
    page = web.get(client.address(scope="games:create profile:read")).text
    for said in (
        "May ",
        "Boards",
        "Bob",
        "board.example",
        "Open games for you",
        "your mail address",
        "never gets a password",
    ):
        assert said in page
    assert "make moves" not in page


def test_scripts_of_every_origin_get_tokens_and_never_by_a_cookie(app: Flask, web: FlaskClient, client: Client) -> None:
    answer = client.exchange(client.granted(web)["code"])
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert (answer.headers["Cache-Control"], answer.headers["Pragma"]) == ("no-store", "no-cache")
    asked = {"Origin": "https://board.example", "Access-Control-Request-Method": "POST"}
    assert app.test_client().options("/oauth/token", headers=asked).status_code == 204
    assert "Access-Control-Allow-Origin" not in web.get(client.address()).headers
