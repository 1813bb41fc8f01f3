"""Signing in on another device by a code that the settings of a signed-in browser show."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time

from service.app import create_app
from service.handlers import farewell, sign_in_codes
from service.handlers.browsers import let_in, recognise
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.browsing import browser, form_on, send
from tests.http.test_limits import FULL_HOUR
from tests.people import Person, alice, bob
from tests.signing_in import player_at

CODE = re.compile(r'<code class="secret">([A-Z2-9]{5}-[A-Z2-9]{5})</code>')


@pytest.fixture
def person(games: Games) -> Person:
    return alice(games)


@pytest.fixture
def signed_in(app: Flask, games: Games, person: Person) -> FlaskClient:
    return browser(app, games, person)


def shown(web: FlaskClient) -> str:
    answer = send(web, "/settings", "/settings/code#code")
    (code,) = CODE.findall(answer.text)
    return str(code)


def entered(app: Flask, code: str, **more: str) -> tuple[FlaskClient, int, str | None]:
    web = app.test_client()
    answer = web.post("/sign-in-code", data={"code": code, **more}, headers={"Origin": "http://localhost"})
    return web, answer.status_code, answer.location


def test_a_code_of_the_settings_signs_another_device_in(
    app: Flask, games: Games, signed_in: FlaskClient, person: Person
) -> None:
    code = shown(signed_in)
    other = app.test_client()
    answer = send(other, "/sign-in?back=/games/open", "/sign-in-code", code=code.lower().replace("-", " "))
    assert (answer.status_code, answer.location) == (303, "/games/open")
    assert player_at(games, answer).id == person.id


def test_a_code_works_once_and_the_newest_alone(app: Flask, signed_in: FlaskClient) -> None:
    old, new = shown(signed_in), shown(signed_in)
    assert entered(app, old)[1] == 422
    assert entered(app, new)[1:] == (303, "/games")
    assert entered(app, new)[1] == 422


def test_a_code_is_void_after_five_minutes(app: Flask, signed_in: FlaskClient) -> None:
    code = shown(signed_in)
    with freeze_time(clock.now() + timedelta(minutes=sign_in_codes.MINUTES, seconds=1), tick=True):
        web, status, _ = entered(app, code)
    assert status == 422
    assert "does not work, or no longer works" in web.post("/sign-in-code", data={"code": "x"}).text


def test_signing_out_everywhere_voids_the_code(app: Flask, games: Games, signed_in: FlaskClient) -> None:
    code = shown(signed_in)
    signed_in.post("/sign-out", data={**form_on(signed_in.get("/settings"), "/sign-out").hidden, "everywhere": "yes"})
    assert entered(app, code)[1] == 422


def test_a_session_by_code_is_no_sign_in_anew(games: Games, person: Person) -> None:
    secret = sign_in_codes.enter(games, sign_in_codes.give(games, person.id, clock.now()), clock.now())
    assert secret is not None
    there = recognise(games, secret)
    assert there is not None and not there.is_fresh(clock.now())


def test_whoever_was_signed_in_at_the_device_is_signed_out(app: Flask, games: Games, signed_in: FlaskClient) -> None:
    with games.engine.begin() as db:
        before = let_in(db, bob(games).id, clock.now())
    web = app.test_client()
    web.set_cookie("boardroom", before, domain="localhost")
    web.post("/sign-in-code", data={"code": shown(signed_in)}, headers={"Origin": "http://localhost"})
    assert recognise(games, before) is None


def test_codes_cannot_be_tried_through(runtime: Runtime) -> None:
    strict = replace(runtime, settings=replace(runtime.settings, rate_limits=1.0))
    with freeze_time(FULL_HOUR, tick=True):
        app = create_app(strict)
        statuses = [entered(app, "AAAAA-AAAAA")[1] for _ in range(12)]
    assert (set(statuses[:9]), statuses[-1]) == ({422}, 429)


def test_a_deleted_account_leaves_no_code(games: Games, person: Person) -> None:
    code = sign_in_codes.give(games, person.id, clock.now())
    farewell.leave(games, person.id, "web", clock.now())
    assert sign_in_codes.enter(games, code, clock.now()) is None
