"""A browser stays signed in, and only forms of its own pages do anything."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from service.app import create_app
from service.handlers import browsers, links
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.browsing import browser, send
from tests.builders import sealed_bids, started
from tests.letters import PRESSED, Page, link
from tests.oauth import error_of, reads, registered
from tests.people import alice, bob, carol
from tests.rest import Caller, refused
from tests.signing_in import address, link_to, mailed, player_at

__all__ = ["address"]

_TOLD = text("""
select count(*) from outbox where kind = 'turn-mail' and game_id = any(:games) and dedupe_key like '%:seen:%'
""")


def test_a_person_asks_for_a_link_presses_its_button_and_is_signed_in(
    app: Flask, runtime: Runtime, mailbox: Path, address: str
) -> None:
    web = app.test_client()
    asked = send(web, "/sign-in", "/sign-in", email=f" {address} ")
    assert address in asked.text
    assert "/mailbox" in Page(asked.text).links
    path = "/sign-in/" + mailed(runtime, mailbox, address).partition("/sign-in/")[2][:26]
    assert send(web, path, path).status_code == 303
    assert "Sign out" in web.get("/").text
    assert send(web, "/", "/sign-out").location == "/"
    assert "Sign out" not in web.get("/").text


def test_the_browser_is_listed_among_the_tokens_and_ends_when_it_is_revoked(app: Flask, games: Games) -> None:
    person = alice(games)
    web, api = browser(app, games, person), Caller(app.test_client(), person.token)
    listed = api.get("/tokens").get_json()["items"]
    (mine,) = [each for each in listed if each["label"] == "browser, by mail"]
    assert api.delete(f"/tokens/{mine['id']}").status_code == 204
    assert "Sign out" not in web.get("/").text


def test_a_token_whose_label_is_that_of_a_session_stands_among_the_tokens(app: Flask, games: Games) -> None:
    person = alice(games)
    web, api = browser(app, games, person), Caller(app.test_client(), person.token)
    made = api.post("/tokens", {"label": "browser, by passkey", "scopes": ["games:read"]}).get_json()
    assert made["kind"] == "personal"
    assert {each["kind"] for each in api.get("/tokens").get_json()["items"]} == {"personal", "mail"}
    page = web.get("/settings/programs").text
    assert "browser, by passkey" in page.partition("<h2>Bots</h2>")[0]
    assert made["hint"] not in page.partition("<h2>Browsers</h2>")[2]


def test_a_token_for_programs_is_no_session(app: Flask, games: Games) -> None:
    web = app.test_client()
    web.set_cookie("boardroom", alice(games).token, domain="localhost")
    assert "Sign out" not in web.get("/").text


@pytest.mark.parametrize("cookie", ["x", "brd_" + "0" * 36, "brd_" + "0" * 30 + "2c8gJs", "é" * 40, "%00"])
def test_a_cookie_of_nobody_is_ignored(app: Flask, cookie: str) -> None:
    web = app.test_client()
    web.set_cookie("boardroom", cookie, domain="localhost")
    assert web.get("/").status_code == 200


def test_signing_out_everywhere_ends_programs_as_well_if_that_is_wished(app: Flask, games: Games) -> None:
    person = alice(games)
    web, api = browser(app, games, person), Caller(app.test_client(), person.token)
    bot = api.post("/bots", {"name": "Robot"}).get_json()["token"]
    client = registered(app, games, bob(games))
    granted = client.tokens(browser(app, games, person))
    calendar = api.post("/me/calendar").get_json()["url"].removeprefix("http://127.0.0.1:8000")
    assert app.test_client().get(calendar).status_code == 200
    send(web, "/settings", "/sign-out", everywhere="yes", programs="yes")
    assert [api.get("/me").status_code, Caller(app.test_client(), bot).get("/me").status_code] == [401, 401]
    assert reads(app, granted["access_token"]) == 401
    assert error_of(client.refresh(granted["refresh_token"])) == "invalid_grant"
    assert app.test_client().get(calendar).status_code == 404


def test_signing_out_everywhere_replaces_the_links_of_all_mails_if_that_is_wished(app: Flask, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    tables = [started(games, "sealed-bids", people).game.id for _ in range(2)]
    with games.engine.begin() as db:
        mine, theirs = ([links.issue(db, game, seat, 0, clock.now()) for game in tables] for seat in (0, 1))
    for links_too in (False, True):
        web = browser(app, games, people[0])
        send(web, "/settings", "/sign-out", everywhere="yes", **({"links": "yes"} if links_too else {}))
        with games.engine.connect() as db:
            works = [[links.resolve(db, each).works(clock.now()) for each in own] for own in (mine, theirs)]  # type: ignore[union-attr] # issued above
            told = db.execute(_TOLD, {"games": tables}).scalar_one()
        assert (works, told) == ([[not links_too] * 2, [True] * 2], 2 if links_too else 0)


def test_signing_out_everywhere_ends_every_browser_and_no_program(app: Flask, games: Games) -> None:
    person = alice(games)
    here, there = browser(app, games, person), browser(app, games, person)
    send(here, "/", "/sign-out", everywhere="yes")
    assert "Sign out" not in there.get("/").text
    assert Caller(there, person.token).get("/me").status_code == 200


def test_the_time_begins_anew_with_a_visit_after_ten_minutes(app: Flask, games: Games) -> None:
    person = alice(games)
    web = browser(app, games, person)
    assert "boardroom=brd_" in web.get("/").headers["Set-Cookie"]
    assert "Set-Cookie" not in web.get("/").headers
    earlier = text(
        "update token set last_used_at = now() - interval '11 minutes', expires_at = now() + interval '1 day'"
        " where player_id = :player and browser returning expires_at"
    )
    with games.engine.begin() as db:
        db.execute(earlier, {"player": person.id})
    assert "Max-Age=2592000" in web.get("/").headers["Set-Cookie"]
    with games.engine.begin() as db:
        until = db.execute(
            text("select expires_at from token where player_id = :player and browser"), {"player": person.id}
        ).scalar_one()
    assert until > clock.now() + browsers.LIFETIME - timedelta(minutes=1)


def test_after_thirty_days_without_a_visit_nobody_is_signed_in(app: Flask, games: Games) -> None:
    person = alice(games)
    web = browser(app, games, person)
    with games.engine.begin() as db:
        db.execute(text("update token set expires_at = now() where player_id = :player"), {"player": person.id})
    assert "Sign out" not in web.get("/").text


@pytest.mark.parametrize("forged", [{}, {"form_key": "a" * 32}, {"form_key": "é"}])
def test_a_form_without_the_key_of_the_session_does_nothing(app: Flask, games: Games, forged: dict[str, str]) -> None:
    web = browser(app, games, alice(games))
    for path in ("/sign-out", "/language"):
        answer = web.post(path, data={"language": "fr", **forged})
        assert (answer.status_code, "Nothing has been done" in answer.text) == (403, True)
    assert "Sign out" in web.get("/").text


def test_a_form_with_somebody_elses_key_does_nothing(app: Flask, games: Games) -> None:
    mine, other = browser(app, games, alice(games)), browser(app, games, bob(games))
    (form,) = [each for each in Page(other.get("/").text).forms if each.action == "/sign-out"]
    assert mine.post("/sign-out", data=form.hidden).status_code == 403


@pytest.mark.parametrize(
    "told", [{"Origin": "https://elsewhere.example"}, {"Origin": "http://["}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_a_form_from_another_site_does_nothing_even_with_the_key(
    app: Flask, games: Games, told: dict[str, str]
) -> None:
    web = browser(app, games, alice(games))
    (form,) = [each for each in Page(web.get("/").text).forms if each.action == "/sign-out"]
    assert web.post("/sign-out", data=form.hidden, headers=told).status_code == 403
    assert web.post("/sign-out", data=form.hidden, headers={"Origin": "http://localhost"}).status_code == 303


def test_over_https_the_cookie_is_for_this_host_only(runtime: Runtime, mailbox: Path, address: str) -> None:
    settings = replace(runtime.settings, base_url="https://boardroom.example")
    app = create_app(replace(runtime, settings=settings))
    path = link_to(runtime, mailbox, Caller(app.test_client()), address)
    cookie = app.test_client().post(path, data=PRESSED).headers["Set-Cookie"]
    assert cookie.startswith("__Host-boardroom=brd_")
    assert all(part in cookie for part in ("Secure", "HttpOnly", "SameSite=Lax", "Path=/"))
    assert "Domain" not in cookie


def test_a_guest_keeps_the_games_by_tying_an_address_to_the_account(
    app: Flask, runtime: Runtime, games: Games, mailbox: Path, address: str
) -> None:
    guest = alice(games, None)
    web, api = browser(app, games, guest), Caller(app.test_client())
    path = link_to(runtime, mailbox, api, address)
    asked = web.get(path).text
    assert "Sign in and keep these games" in asked
    assert "<p>" not in asked.partition("<form")[2].partition("</form>")[0], "the two buttons stand side by side"
    me = player_at(games, web.post(path, data={"keep": "yes", **PRESSED}))
    assert (me.id, me.email, me.email_verified) == (guest.id, address, True)
    # Signing in at another browser leads there too.
    there = app.test_client().post(link_to(runtime, mailbox, api, address), data=PRESSED)
    assert player_at(games, there).id == guest.id


def test_a_guest_gets_no_account_that_has_an_owner_and_loses_nothing_against_their_will(
    app: Flask, runtime: Runtime, games: Games, mailbox: Path, address: str
) -> None:
    api = Caller(app.test_client())
    first = app.test_client().post(link_to(runtime, mailbox, api, address), data=PRESSED)
    guest = browser(app, games, bob(games, None))
    into = guest.post(link_to(runtime, mailbox, api, address), data={"keep": "yes", **PRESSED})
    assert player_at(games, into).id == player_at(games, first).id
    leaving, person = bob(games, None), f"other.{address}"
    alone = browser(app, games, leaving).post(link_to(runtime, mailbox, api, person), data=PRESSED)
    assert player_at(games, alone).id != leaving.id


def test_what_a_browser_keeps_is_no_token_of_the_api(app: Flask, games: Games) -> None:
    web = browser(app, games, alice(games))
    kept = web.get_cookie("boardroom")
    assert kept is not None
    refused(Caller(app.test_client(), kept.value).get("/me"), 401, "unauthenticated")
    assert web.get("/games").status_code == 200


def test_a_mailed_link_to_a_game_has_nothing_to_do_with_the_cookie(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, 1)
    stranger = browser(app, games, alice(games))
    for answer in (stranger.get(path), app.test_client().get(path)):
        assert "Set-Cookie" not in answer.headers
        assert "/sign-out" not in answer.text
        assert answer.status_code == 200


@pytest.mark.parametrize(("wished", "word"), [("de", "Anmelden"), ("fr", "Se connecter"), ("en", "Sign in")])
def test_a_visitor_chooses_a_language_and_the_browser_keeps_it(app: Flask, wished: str, word: str) -> None:
    web = app.test_client()
    assert send(web, "/sign-in", "/language", language=wished).location == "/sign-in"
    assert word in web.get("/sign-in", headers={"Accept-Language": "eo"}).text
    assert f'<html lang="{wished}">' in web.get("/sign-in").text


def test_somebody_signed_in_changes_the_language_of_the_account(app: Flask, games: Games) -> None:
    person = alice(games)
    web = browser(app, games, person)
    send(web, "/", "/language", language="de")
    assert "Abmelden" in web.get("/").text
    assert Caller(app.test_client(), person.token).get("/me").get_json()["language"] == "de"
    assert "Se déconnecter" in web.get("/?language=fr").text


@pytest.mark.parametrize("back", ["https://elsewhere.example", "//elsewhere.example", "/\\elsewhere", "/a\nb", ""])
def test_the_language_switch_leads_to_no_other_site(app: Flask, back: str) -> None:
    answer = app.test_client().post("/language", data={"language": "de", "back": back})
    assert answer.location == "/"


@pytest.mark.parametrize("email", ["", "zoe", "a@b\r\nBcc: x@example.org", "é" * 300])
def test_an_odd_address_gets_an_explanation(app: Flask, email: str) -> None:
    answer = app.test_client().post("/sign-in", data={"email": email})
    assert (answer.status_code, "does not look like a mail address" in answer.text) == (422, True)
