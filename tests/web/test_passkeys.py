"""Passkeys: registered, used, forged; and blocked accounts at every way in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from flask import Flask
from sqlalchemy import text

import service
from service.handlers import operators, sign_in
from service.handlers.capability import draw, stored
from service.handlers.passkeys import LIFETIME, MOST
from service.handlers.sessions import let_in, recognise
from service.runtime import Runtime
from service.shared import clock
from service.store.access import Session
from service.store.games import Games
from service.texts.catalog import languages, say
from service.web.post_guard import BUTTON_FIELD
from tests.browsing import form_on, send
from tests.letters import Page
from tests.oauth import registered as registered_app
from tests.operating import ZOE, acts_of, nothing_in_force
from tests.passkeys import (
    ORIGIN,
    PRESENT,
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
from tests.people import Person, bob, guest, new_address
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
    operators.block_account(games, person.id, ZOE, clock.now())
    assert signed_in_by(site.test_client(), device).status_code == 403
    operators.unblock_account(games, person.id, ZOE, clock.now())
    operators.block_address(games, person.email or "", ZOE, clock.now())
    assert signed_in_by(site.test_client(), device).status_code == 403
    operators.unblock_address(games, person.email or "", ZOE, clock.now())
    assert signed_in_by(site.test_client(), device).status_code == 303


def test_the_export_has_passkeys_without_their_keys_and_erasing_a_person_takes_them_away(
    site: Flask, games: Games, person: Person, device: Authenticator
) -> None:
    web = visiting(site, games, person)
    (shown,) = web.get("/settings/data").get_json()["passkeys"]
    assert shown["name"] == "Laptop" and set(shown) == {"id", "name", "created_at", "last_used_at", "copied_at"}
    challenged(web, SETTINGS, form_key=form_on(web.get(SETTINGS), SETTINGS).hidden["form_key"])
    operators.erase_account(games, person.id, ZOE, clock.now())
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


# What signs nobody in: answers of browsers that are forged, broken, late, given before, or made elsewhere.

PARTS = ("clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle")
FORGERIES: dict[str, Callable[[Authenticator], object]] = {
    "another key": lambda it: setattr(it, "key", ec.generate_private_key(ec.SECP256R1())),
    "another site": lambda it: setattr(it, "origin", "https://evil.example"),
    "another port": lambda it: setattr(it, "origin", "http://localhost:8001"),
    "another domain": lambda it: setattr(it, "rp_id", "evil.example"),
    "a user who was not verified": lambda it: setattr(it, "flags", PRESENT),
    "nobody there": lambda it: setattr(it, "flags", 0),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_answer_signs_nobody_in(site: Flask, device: Authenticator, forgery: str) -> None:
    FORGERIES[forgery](device)
    answer = signed_in_by(site.test_client(), device)
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (422, False)
    assert "not known here" in answer.text


@pytest.mark.parametrize("forgery", [each for each in FORGERIES if each != "another key"])
def test_a_forged_answer_registers_nothing(site: Flask, games: Games, person: Person, forgery: str) -> None:
    device = Authenticator()
    FORGERIES[forgery](device)
    answer = registered(visiting(site, games, person), device)
    assert (answer.status_code, kept(games, person)) == (422, [])


def test_an_answer_counts_once_and_only_to_the_challenge_that_it_answers(
    site: Flask, games: Games, person: Person, device: Authenticator
) -> None:
    web = site.test_client()
    credential = device.get(challenged(web, "/sign-in/passkey"))
    assert web.post("/sign-in/passkey", data={"credential": credential}).status_code == 303
    assert site.test_client().post("/sign-in/passkey", data={"credential": credential}).status_code == 422
    own = device.get({"challenge": "AAAA"})
    assert site.test_client().post("/sign-in/passkey", data={"credential": own}).status_code == 422
    # The challenge of a registration is none to sign in with.
    other = visiting(site, games, person)
    key = form_on(other.get(SETTINGS), SETTINGS).hidden["form_key"]
    for_making = device.get(challenged(other, SETTINGS, form_key=key))
    assert site.test_client().post("/sign-in/passkey", data={"credential": for_making}).status_code == 422


def test_a_challenge_is_used_up_by_a_bad_answer_and_by_time(site: Flask, games: Games, device: Authenticator) -> None:
    web = site.test_client()
    options = challenged(web, "/sign-in/passkey")
    bad = replace(device, origin="https://evil.example").get(options)
    assert web.post("/sign-in/passkey", data={"credential": bad}).status_code == 422
    assert web.post("/sign-in/passkey", data={"credential": device.get(options)}).status_code == 422
    late = device.get(challenged(web, "/sign-in/passkey"))
    with games.engine.begin() as db:
        db.execute(text("update passkey_challenge set expires_at = expires_at - :by"), {"by": LIFETIME})
    assert web.post("/sign-in/passkey", data={"credential": late}).status_code == 422
    challenged(web, "/sign-in/passkey")
    with games.engine.connect() as db:
        left = db.execute(text("select count(*) from passkey_challenge where expires_at <= now()")).scalar_one()
    assert left == 0


def test_no_challenge_is_stored_as_it_is_given_out(site: Flask, games: Games) -> None:
    options = challenged(site.test_client(), "/sign-in/passkey")
    assert options["rpId"] == "localhost" and options["userVerification"] == "required"
    assert options.get("allowCredentials", []) == []
    with games.engine.connect() as db:
        rows = db.execute(text("select passkey_challenge::text from passkey_challenge")).scalars().all()
    assert rows and not [row for row in rows if options["challenge"] in row]


def test_a_passkey_whose_counter_runs_backwards_signs_nobody_in_any_more(
    site: Flask, games: Games, person: Person, device: Authenticator
) -> None:
    device.count = 5
    copy = replace(device, count=2)
    assert signed_in_by(site.test_client(), device).status_code == 303
    answer = signed_in_by(site.test_client(), copy)
    assert answer.status_code == 422 and "may have a copy" in answer.text and "Set-Cookie" not in answer.headers
    assert kept(games, person)[0].copied_at is not None
    assert signed_in_by(site.test_client(), device).status_code == 422
    web = visiting(site, games, person)
    assert "may have a copy" in web.get(SETTINGS).text


def test_a_forged_signature_makes_no_passkey_a_copy(
    site: Flask, games: Games, person: Person, device: Authenticator
) -> None:
    device.count = 5
    assert signed_in_by(site.test_client(), device).status_code == 303
    forger = replace(device, key=ec.generate_private_key(ec.SECP256R1()), count=0)
    assert signed_in_by(site.test_client(), forger).status_code == 422
    assert kept(games, person)[0].copied_at is None


def test_an_authenticator_that_does_not_count_signs_in_again_and_again(
    site: Flask, games: Games, person: Person
) -> None:
    device = Authenticator(counts=False)
    registered(visiting(site, games, person), device)
    assert [signed_in_by(site.test_client(), device).status_code for _ in range(3)] == [303] * 3


def test_the_passkey_of_one_account_is_not_that_of_another(
    site: Flask, games: Games, person: Person, device: Authenticator, zoe: Person
) -> None:
    stolen = replace(device, user=zoe.id.bytes)
    assert signed_in_by(site.test_client(), stolen).status_code == 422
    assert registered(visiting(site, games, zoe), replace(device)).status_code == 422
    assert kept(games, zoe) == []


@pytest.mark.parametrize("said", [{"cross": True}, {"top": "https://evil.example"}, {"cross": True, "top": ORIGIN}])
def test_a_page_in_a_frame_of_another_site_neither_makes_a_passkey_nor_signs_in(
    site: Flask, games: Games, person: Person, device: Authenticator, zoe: Person, said: dict[str, Any]
) -> None:
    assert signed_in_by(site.test_client(), replace(device, **said)).status_code == 422
    assert registered(visiting(site, games, zoe), Authenticator(**said)).status_code == 422
    assert kept(games, zoe) == []


@pytest.mark.parametrize(
    "sent",
    ["", "x", "[]", "{}", "null", "[" * 5000, '{"id": 1}', json.dumps({"id": "AA", "rawId": "AA", "response": {}})],
)
def test_what_is_no_answer_is_refused(site: Flask, games: Games, person: Person, sent: str) -> None:
    assert site.test_client().post("/sign-in/passkey", data={"credential": sent}).status_code == 422
    web = visiting(site, games, person)
    key = form_on(web.get(SETTINGS), SETTINGS).hidden["form_key"]
    assert web.post(SETTINGS, data={"form_key": key, "name": "x", "credential": sent}).status_code == 422


@pytest.mark.parametrize(
    "part", ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]
)
@pytest.mark.parametrize("broken", ["", "AAAA", "A" * 4000, "ä", "oWN4oWN4oWN4", "n5-f"])
def test_broken_parts_of_an_answer_are_refused(
    site: Flask, games: Games, person: Person, device: Authenticator, part: str, broken: str
) -> None:
    web = site.test_client()
    answer = json.loads(device.get(challenged(web, "/sign-in/passkey")))
    if part in answer["response"]:
        answer["response"][part] = broken
        assert web.post("/sign-in/passkey", data={"credential": json.dumps(answer)}).status_code == 422
    web = visiting(site, games, person)
    key = {"form_key": form_on(web.get(SETTINGS), SETTINGS).hidden["form_key"]}
    answer = json.loads(Authenticator().create(challenged(web, SETTINGS, **key)))
    if part in answer["response"]:
        answer["response"][part] = broken
        assert web.post(SETTINGS, data={**key, "name": "x", "credential": json.dumps(answer)}).status_code == 422


def test_forms_from_elsewhere_sign_nobody_in(site: Flask, device: Authenticator) -> None:
    web, foreign = site.test_client(), {"Origin": "https://evil.example"}
    assert web.post("/sign-in/passkey/challenge", headers=foreign).status_code == 403
    credential = device.get(challenged(web, "/sign-in/passkey"))
    assert web.post("/sign-in/passkey", data={"credential": credential}, headers=foreign).status_code == 403


# Every way into an account asks the same: whether the account, or its address, is blocked.

Enter = Callable[[], int]
_ASK = text(
    "insert into sign_in (id, email, name, language, asked_at)"
    " values (gen_random_uuid(), :email, 'x', 'en', :now) returning id"
)
_LINK = text("insert into sign_in_link (hash, sign_in_id, expires_at) values (:hash, :id, :now + interval '5 minutes')")


def link_for(games: Games, whom: Person) -> str:
    secret, now = draw(), clock.now()
    with games.engine.begin() as db:
        asked = db.execute(_ASK, {"email": whom.email, "now": now}).scalar_one()
        db.execute(_LINK, {"hash": stored(secret), "id": asked, "now": now})
    return secret


@pytest.fixture
def ways(site: Flask, games: Games, person: Person, device: Authenticator) -> dict[str, Enter]:
    """Each way in, as a function that goes it and returns the status."""
    own = {"headers": {"Origin": "http://localhost"}}
    link, mailed, code = (
        link_for(games, person),
        link_for(games, person),
        sign_in.give_sign_in_code(games, person.id, clock.now()),
    )
    app = registered_app(site, games, bob(games))
    granted = app.tokens(visiting(site, games, person))
    return {
        "passkey": lambda: signed_in_by(site.test_client(), device).status_code,
        "link": lambda: site.test_client().post(f"/sign-in/{link}", data={BUTTON_FIELD: "yes"}, **own).status_code,
        "link of a program": lambda: (
            site.test_client().post("/api/v1/sign-in/token", json={"sign_in": mailed}).status_code
        ),
        "code": lambda: site.test_client().post("/sign-in-code", data={"code": code}, **own).status_code,
        "app": lambda: app.refresh(granted["refresh_token"]).status_code,
    }


def test_no_way_leads_into_a_blocked_account_or_by_a_blocked_address(
    games: Games, person: Person, ways: dict[str, Enter]
) -> None:
    assert person.email is not None
    refused = {"passkey": 403, "link": 403, "link of a program": 403, "code": 403, "app": 400}
    operators.block_account(games, person.id, ZOE, clock.now())
    assert {name: enter() for name, enter in ways.items()} == refused
    operators.unblock_account(games, person.id, ZOE, clock.now())
    operators.block_address(games, person.email, ZOE, clock.now())
    assert {name: enter() for name, enter in ways.items()} == refused
    operators.unblock_address(games, person.email, ZOE, clock.now())
    # What was refused was not used up.
    assert {name: enter() for name, enter in ways.items()} == {
        "passkey": 303,
        "link": 303,
        "link of a program": 201,
        "code": 303,
        "app": 200,
    }


def test_sessions_begin_in_one_place() -> None:
    rooms = [path for path in Path(service.__file__).parent.rglob("*.py") if "migrations" not in path.parts]
    beginning = [path.name for path in rooms if re.search(r"TokenTerms\([^)]*, by\)|browser=True", path.read_text())]
    assert beginning == ["sessions.py"]
