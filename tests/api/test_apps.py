"""Apps over REST: registered by people, listed, deleted; and what one has granted to those of others."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from flask import Flask

from service.handlers.apps import MOST, AuthorizationRequest, change, digest_of_secret, find_app, grant
from service.shared import clock
from service.store.games import Games
from tests.api.scene import APP
from tests.browsing import browser
from tests.challenged import bot_of
from tests.oauth import BACK, error_of, registered
from tests.people import alice, bob
from tests.rest import Caller, refused


def made(caller: Caller, **more: Any) -> dict[str, Any]:
    """An app of whoever asks."""
    answer = caller.post("/apps", {**APP, **more})
    assert answer.status_code == 201, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def test_a_secret_is_shown_once_and_a_public_client_has_none(api: Caller, games: Games) -> None:
    caller = api.by(alice(games))
    public, confidential = made(caller), made(caller, confidential=True)
    assert public["secret"] is None and confidential["secret"].startswith("brs_")
    listed = caller.get("/apps").get_json()["items"]
    assert listed == [
        {name: value for name, value in each.items() if name != "secret"} for each in (public, confidential)
    ]
    with games.engine.connect() as db:
        kept = db.exec_driver_sql("select secret_hash from app where id = %s", (confidential["id"],)).scalar_one()
    assert bytes(kept) == digest_of_secret(confidential["secret"])
    key = {"Idempotency_Key": "boards-once"}
    assert caller.post("/apps", APP, **key).status_code == 201
    refused(caller.post("/apps", APP, **key), 409, "secret-shown")


@pytest.mark.parametrize(
    "address",
    [
        "http://board.example/back",
        "https://board.example/back#part",
        "https://alice@board.example/",
        "https://board.example:443:443/",
        "https:///back",
        "https://board example/",
        "https://board.example/\\evil",
        "https://[::1]/",
        "https://board.example;script-src/",
        "http://127.0.0.1.evil.example/",
        "javascript:alert(1)",
        "app://back",
        "app:/back",
        "com.example.app://host/back",
        "data.text:x",
        "http://[::2]/back",
        "https://[::1].evil.example/",
    ],
)
def test_answers_are_sent_by_https_or_to_ones_own_machine(api: Caller, games: Games, address: str) -> None:
    refused(api.by(alice(games)).post("/apps", {**APP, "redirect_uris": [address]}), 422, "validation")


def test_ones_own_machine_and_apps_on_it_have_addresses(api: Caller, games: Games) -> None:
    addresses = ["http://127.0.0.1:8080/back", "http://localhost/", "http://[::1]/cb", "com.example.app:/cb"]
    assert made(api.by(alice(games)), redirect_uris=addresses)["redirect_uris"] == addresses


def test_an_account_has_twenty_apps_at_most_and_a_bot_none(api: Caller, games: Games) -> None:
    owner = alice(games)
    bot = bot_of(games, owner, "Robot", f"robot-{str(owner.id)[-12:]}")
    refused(api.by(bot).post("/apps", APP), 403, "bots-may-not")
    last = [made(api.by(owner)) for _ in range(MOST)][-1]
    refused(api.by(owner).post("/apps", APP), 409, "too-many")
    refused(api.by(bob(games)).delete(f"/apps/{last['id']}"), 404, "not-found")
    assert api.by(owner).delete(f"/apps/{last['id']}").status_code == 204
    assert api.by(owner).post("/apps", APP).status_code == 201


def test_an_app_gets_another_name_and_other_addresses_and_codes_on_their_way_end(
    app: Flask, api: Caller, games: Games
) -> None:
    person, owner = alice(games), bob(games)
    client, web, mine = registered(app, games, owner), browser(app, games, person), api.by(owner)
    tokens, path = client.tokens(web), f"/apps/{client.id}"
    kept, gone = client.granted(web)["code"], client.granted(web)["code"]
    assert mine.patch(path, {"name": "Walls"}).get_json()["redirect_uris"] == [BACK]
    assert mine.patch(path, {"redirect_uris": [BACK]}).get_json()["name"] == "Walls"
    assert client.exchange(kept).status_code == 200
    changed = mine.patch(path, {"redirect_uris": ["https://board.example/other"]})
    assert (changed.status_code, changed.get_json()["redirect_uris"]) == (200, ["https://board.example/other"])
    assert mine.get("/apps").get_json()["items"] == [changed.get_json()]
    assert error_of(client.exchange(gone)) == "invalid_grant"
    assert web.get(client.address()).status_code == 400
    # What was allowed stays.
    assert Caller(api.client, tokens["access_token"]).get("/games").status_code == 200
    assert api.by(person).get("/grants").get_json()["items"][0]["app"]["name"] == "Walls"
    refused(api.by(person).patch(path, {"name": "Mine"}), 404, "not-found")
    refused(mine.patch(path, {"redirect_uris": []}), 422, "validation")


def test_no_code_is_given_for_an_address_that_has_just_gone(app: Flask, games: Games) -> None:
    client = registered(app, games, owner := bob(games))
    asked = AuthorizationRequest(["games:read"], BACK, "c" * 43)
    with games.engine.begin() as db:
        before = find_app(db, client.id)
        assert before is not None
        change(games, owner.id, before.id, redirect_uris=["https://board.example/other"])
        assert not grant(db, before, alice(games).id, asked, "a" * 43, clock.now())


def test_what_was_granted_is_listed_page_by_page_and_taken_back(app: Flask, api: Caller, games: Games) -> None:
    person, owner = alice(games), bob(games)
    clients = [registered(app, games, owner, f"App {number}") for number in range(3)]
    web = browser(app, games, person)
    tokens = [each.tokens(web) for each in clients]
    assert Caller(api.client, tokens[1]["access_token"]).get("/games").status_code == 200
    caller = api.by(person)
    first = caller.get("/grants?limit=2").get_json()
    second = caller.get(f"/grants?limit=2&after={first['next']}").get_json()
    found = first["items"] + second["items"]
    assert [each["app"]["name"] for each in found] == ["App 2", "App 1", "App 0"] and second["next"] is None
    assert found[0]["app"] == {"id": clients[2].id, "name": "App 2", "owner": "Bob"}
    assert [each["scopes"] for each in found] == [["games:read", "games:play"]] * 3
    assert [each["last_used_at"] is None for each in found] == [True, False, True]
    refused(api.by(owner).delete(f"/grants/{found[1]['id']}"), 404, "not-found")
    assert caller.delete(f"/grants/{found[1]['id']}").status_code == 204
    refused(Caller(api.client, tokens[1]["access_token"]).get("/games"), 401, "unauthenticated")
    assert Caller(api.client, tokens[0]["access_token"]).get("/games").status_code == 200


def test_an_export_has_apps_and_grants_and_tokens_of_apps_stand_apart(app: Flask, api: Caller, games: Games) -> None:
    person = alice(games)
    caller, client = api.by(person), registered(app, games, bob(games))
    own = made(caller, name="My own", confidential=True)
    client.tokens(browser(app, games, person))
    exported = caller.get("/me/export").get_json()
    assert [each["id"] for each in exported["apps"]] == [own["id"]]
    assert [each["app"]["name"] for each in exported["grants"]] == ["Boards"]
    assert own["secret"] not in str(exported)
    assert "Boards" in [each["label"] for each in exported["tokens"]]
    assert "Boards" not in [each["label"] for each in caller.get("/tokens").get_json()["items"]]


@pytest.mark.slow
def test_the_library_is_loaded_by_those_answers_alone() -> None:
    asked = "import service.app, workers.main, sys; print([each for each in sys.modules if 'authlib' in each])"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, timeout=120)
    assert ran.stdout == "[]\n"
