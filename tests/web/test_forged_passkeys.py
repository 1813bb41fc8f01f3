"""What signs nobody in: answers of browsers that are forged, broken, late, given before, or made elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from flask import Flask
from sqlalchemy import text

from service.handlers.passkeys import LIFETIME
from service.store.games import Games
from tests.browsing import form_on
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
from tests.people import Person

__all__ = ["device", "person", "site", "zoe"]

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
