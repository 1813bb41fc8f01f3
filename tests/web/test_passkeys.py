"""Passkeys over HTTP: they sign in and open the pages of operators, and are looked after in the settings."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers.browsers import let_in, recognise
from service.handlers.operators import accounts
from service.handlers.passkeys import MOST
from service.runtime import Runtime
from service.shared import clock
from service.store.access import Session
from service.store.games import Games
from service.texts.catalog import languages, say
from tests.browsing import form_on, send
from tests.letters import Page
from tests.operating import ZOE, acts_of, nothing_in_force
from tests.passkeys import (
    SETTINGS,
    Authenticator,
    challenged,
    device,
    kept,
    person,
    registered,
    signed_in_by,
    site,
    visiting,
    zoe,
)
from tests.people import Person, guest, new_address
from tests.signing_in import player_at
from tests.web.test_every_page import sound

__all__ = ["device", "person", "site", "zoe"]


def test_a_passkey_is_registered_under_a_name_and_signs_its_player_in(
    site: Flask, games: Games, person: Person
) -> None:
    device, web = Authenticator(), visiting(site, games, person)
    answer = registered(web, device, "My phone")
    assert (answer.status_code, answer.location) == (303, f"{SETTINGS}?added=")
    assert "My phone" in web.get(SETTINGS).text
    answer = signed_in_by(site.test_client(), device, back="/games/open")
    assert (answer.status_code, answer.location) == (303, "/games/open")
    assert player_at(games, answer).id == person.id
    (row,) = kept(games, person)
    assert row.sign_count == 1 and row.last_used_at is not None


def test_signing_in_ends_the_session_before_it_and_leads_to_no_other_site(
    site: Flask, games: Games, person: Person, device: Authenticator
) -> None:
    web = visiting(site, games, person, "press")
    before = web.get_cookie("boardroom", domain="localhost")
    key = {"form_key": form_on(web.get(f"/sign-in/anew?back={SETTINGS}"), "/sign-in").hidden["form_key"]}
    credential = device.get(challenged(web, "/sign-in/passkey", **key))
    answer = web.post("/sign-in/passkey", data={**key, "credential": credential, "back": "//evil.example"})
    assert (answer.status_code, answer.location) == (303, "/games")
    assert before is not None and recognise(games, before.value) is None


@pytest.mark.parametrize(("how", "minutes"), [("mail", 16), ("press", 0)])
def test_a_passkey_is_registered_only_shortly_after_signing_in(
    site: Flask, games: Games, person: Person, how: Session, minutes: int
) -> None:
    web = site.test_client()
    with games.engine.begin() as db:
        secret = let_in(db, person.id, clock.now() - timedelta(minutes=minutes), how)
    web.set_cookie("boardroom", secret, domain="localhost")
    assert f'href="/sign-in/anew?back={SETTINGS}"' in web.get(SETTINGS).text
    form = form_on(web.get(f"/sign-in/anew?back={SETTINGS}"), "/sign-in").hidden
    assert (form["back"], form["email"]) == (SETTINGS, person.email)
    key = {"form_key": form["form_key"]}
    assert web.post(f"{SETTINGS}/challenge", data=key).status_code == 403
    assert web.post(SETTINGS, data={**key, "name": "x", "credential": "{}"}).status_code == 403


def test_a_guest_is_told_to_give_an_address_first(site: Flask, games: Games) -> None:
    web = visiting(site, games, guest(games, new_address()))
    page = web.get(SETTINGS)
    assert "accounts with a mail address" in page.text
    (form, *_) = Page(page.text).forms
    key = {"form_key": form.hidden["form_key"]}
    assert web.post(f"{SETTINGS}/challenge", data=key).status_code == 403


def test_passkeys_are_renamed_and_removed_also_the_last_one(
    site: Flask, games: Games, person: Person, device: Authenticator
) -> None:
    web = visiting(site, games, person)
    (path,) = [form.action for form in Page(web.get(SETTINGS).text).forms if form.action.endswith("/delete")]
    assert send(web, SETTINGS, path.removesuffix("/delete"), name="Old phone").location == f"{SETTINGS}?renamed="
    assert "Old phone" in web.get(SETTINGS).text
    for bad in ("", "x" * 61, "a\x00b"):
        assert send(web, SETTINGS, path.removesuffix("/delete"), name=bad).status_code == 422
    assert send(web, SETTINGS, path).location == f"{SETTINGS}?removed="
    assert kept(games, person) == []
    assert signed_in_by(site.test_client(), device).status_code == 422


def test_nobody_changes_the_passkeys_of_others(
    site: Flask, games: Games, person: Person, device: Authenticator, zoe: Person
) -> None:
    web = visiting(site, games, zoe)
    key = {"form_key": form_on(web.get(SETTINGS), SETTINGS).hidden["form_key"]}
    with games.engine.connect() as db:
        its_id = db.execute(text("select id from passkey where player_id = :id"), {"id": person.id}).scalar_one()
    assert web.post(f"{SETTINGS}/{its_id}", data={**key, "name": "Mine"}).status_code == 404
    assert web.post(f"{SETTINGS}/{its_id}/delete", data=key).status_code == 404
    assert kept(games, person)[0].name == "Laptop"


def test_an_account_has_twenty_passkeys_at_most(site: Flask, games: Games, person: Person) -> None:
    web = visiting(site, games, person)
    for _ in range(MOST):
        assert registered(web, Authenticator()).status_code == 303
    assert registered(web, Authenticator()).status_code == 409


def test_a_blocked_account_and_a_blocked_address_do_not_sign_in(
    site: Flask, games: Games, person: Person, device: Authenticator
) -> None:
    accounts.block(games, person.id, ZOE, clock.now())
    assert signed_in_by(site.test_client(), device).status_code == 403
    accounts.unblock(games, person.id, ZOE, clock.now())
    accounts.block_address(games, person.email or "", ZOE, clock.now())
    assert signed_in_by(site.test_client(), device).status_code == 403
    accounts.unblock_address(games, person.email or "", ZOE, clock.now())
    assert signed_in_by(site.test_client(), device).status_code == 303


def test_the_export_has_passkeys_without_their_keys_and_erasing_a_person_takes_them_away(
    site: Flask, games: Games, person: Person, device: Authenticator
) -> None:
    web = visiting(site, games, person)
    (shown,) = web.get("/settings/data").get_json()["passkeys"]
    assert shown["name"] == "Laptop" and set(shown) == {"id", "name", "created_at", "last_used_at", "copied_at"}
    challenged(web, SETTINGS, form_key=form_on(web.get(SETTINGS), SETTINGS).hidden["form_key"])
    accounts.erase(games, person.id, ZOE, clock.now())
    assert kept(games, person) == []
    assert signed_in_by(site.test_client(), device).status_code == 422


def test_an_operator_signs_in_anew_by_a_passkey_also_while_the_service_is_read_only(
    runtime: Runtime, site: Flask, games: Games, zoe: Person
) -> None:
    device, web = Authenticator(), visiting(site, games, zoe)
    registered(web, device)
    web = visiting(site, games, zoe, "press")
    assert web.get("/operate").status_code == 403
    (form,) = [form for form in Page(web.get("/operate").text).forms if form.action == "/operate/passkey"]
    key = {"form_key": form.hidden["form_key"]}
    options = challenged(web, "/operate/passkey", **key)
    assert len(options["allowCredentials"]) == 1 and options["userVerification"] == "required"
    with nothing_in_force(runtime):
        assert send(visiting(site, games, zoe), "/operate", "/operate/stop", reason="work").status_code == 303
        answer = web.post("/operate/passkey", data={**key, "credential": device.get(options)})
        assert (answer.status_code, answer.location) == (303, "/operate")
        assert web.get("/operate").status_code == 200
        assert site.test_client().post("/sign-in/passkey/challenge").status_code == 503


def test_the_pages_of_operators_open_by_no_passkey_of_another_account_and_not_for_other_accounts(
    site: Flask, games: Games, zoe: Person, person: Person, device: Authenticator
) -> None:
    registered(visiting(site, games, zoe), Authenticator())
    web = visiting(site, games, zoe, "press")
    page = web.get("/operate")
    (form,) = [form for form in Page(page.text).forms if form.action == "/operate/passkey"]
    key = {"form_key": form.hidden["form_key"]}
    for path in ("/operate/passkey", "/sign-in/passkey"):
        answer = device.get(challenged(web, path, **key))
        assert web.post("/operate/passkey", data={**key, "credential": answer}).status_code == 422
    assert web.get("/operate").status_code == 403
    web = visiting(site, games, person)
    key = {"form_key": form_on(web.get(SETTINGS), SETTINGS).hidden["form_key"]}
    assert web.post("/operate/passkey/challenge", data=key).status_code == 404


def test_an_operator_without_a_passkey_is_offered_the_mailed_link_alone(site: Flask, games: Games, zoe: Person) -> None:
    page = visiting(site, games, zoe, "press").get("/operate")
    assert [form.action for form in Page(page.text).forms if "passkey" in form.action] == []
    assert "script-src" not in page.headers["Content-Security-Policy"]


def test_the_challenge_of_a_registration_opens_no_pages_of_operators(site: Flask, games: Games, zoe: Person) -> None:
    device, web = Authenticator(), visiting(site, games, zoe)
    registered(web, device)
    key = {"form_key": form_on(web.get(SETTINGS), SETTINGS).hidden["form_key"]}
    answer = device.get(challenged(web, SETTINGS, **key))
    assert web.post("/operate/passkey", data={**key, "credential": answer}).status_code == 422


def test_the_log_of_operators_tells_of_the_passkeys_of_operators(
    site: Flask, games: Games, zoe: Person, person: Person, device: Authenticator
) -> None:
    web = visiting(site, games, zoe)
    registered(web, Authenticator(), "Secret name")
    (path,) = [form.action for form in Page(web.get(SETTINGS).text).forms if form.action.endswith("/delete")]
    send(web, SETTINGS, path)
    assert acts_of(games, "player", zoe.id) == ["operator-added", "passkey-added", "passkey-removed"]
    assert acts_of(games, "player", person.id) == []
    page = web.get("/operate")
    assert "passkey-added" in page.text and "Secret name" not in page.text
    assert "A passkey was added to the account." in web.get("/settings").text


def test_where_browsers_make_no_passkeys_none_are_offered(app: Flask, games: Games, person: Person) -> None:
    web = visiting(app, games, person)
    page = web.get(SETTINGS)
    assert "https and a host name" in page.text
    key = {"form_key": Page(page.text).forms[0].hidden["form_key"]}
    assert web.post(f"{SETTINGS}/challenge", data=key).status_code == 403
    assert app.test_client().post("/sign-in/passkey", data={}).status_code == 403
    page = app.test_client().get("/sign-in")
    assert "passkey" not in page.text


@pytest.mark.parametrize("language", languages())
def test_the_pages_are_sound_in_every_language(
    site: Flask, games: Games, person: Person, device: Authenticator, language: str
) -> None:
    device.count = 5
    signed_in_by(site.test_client(), device)
    signed_in_by(site.test_client(), replace(device, count=0))
    fresh, old = visiting(site, games, person), visiting(site, games, person, "press")
    for web, path in (
        (fresh, SETTINGS),
        (old, SETTINGS),
        (site.test_client(), "/sign-in"),
        (fresh, f"{SETTINGS}?added="),
    ):
        page = web.get(f"{path}{'&' if '?' in path else '?'}language={language}")
        sound(page, language)
    assert say(language, "passkeys-copied") in fresh.get(f"{SETTINGS}?language={language}").text


def test_sessions_are_listed_as_browsers_and_not_as_tokens(site: Flask, games: Games, person: Person) -> None:
    page = visiting(site, games, person).get("/settings/programs")
    assert "by mail" not in page.text and "browser," not in page.text
