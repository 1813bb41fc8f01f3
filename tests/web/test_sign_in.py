"""Signing in: sessions, codes, and what every way in knows of a person."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time
from sqlalchemy import text

from service.app import create_app
from service.handlers import delete_account, invitations, links, sessions, sign_in
from service.handlers.invitations import ByLink
from service.handlers.people import Arrival, newly_met
from service.handlers.sessions import let_in, recognise
from service.mail.strip_links import host_name, sender_name
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.lobby import invitation_token
from service.texts.names import UNNAMED, UNNAMED_VARIANTS, display_name
from tests.browsing import browser, form_on, send
from tests.builders import first_legal, now_at, sealed_bids, started, table_for
from tests.http.test_limits import FULL_HOUR
from tests.letters import PRESSED, Page, link
from tests.oauth import error_of, reads, registered
from tests.passkeys import Authenticator, signed_in_by, site, visiting
from tests.passkeys import registered as passkeys_registered
from tests.people import Person, alice, bob, carol, new_address
from tests.rest import Caller, refused
from tests.signing_in import address, link_to, mailed, player_at

__all__ = ["address", "site"]

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
    assert until > clock.now() + sessions.LIFETIME - timedelta(minutes=1)


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


# Signing in on another device by a code that the settings of a signed-in browser show.

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
    with freeze_time(clock.now() + timedelta(minutes=sign_in.CODE_MINUTES, seconds=1), tick=True):
        web, status, _ = entered(app, code)
    assert status == 422
    assert "does not work, or no longer works" in web.post("/sign-in-code", data={"code": "x"}).text


def test_signing_out_everywhere_voids_the_code(app: Flask, games: Games, signed_in: FlaskClient) -> None:
    code = shown(signed_in)
    signed_in.post("/sign-out", data={**form_on(signed_in.get("/settings"), "/sign-out").hidden, "everywhere": "yes"})
    assert entered(app, code)[1] == 422


def test_a_session_by_code_is_no_sign_in_anew(games: Games, person: Person) -> None:
    secret = sign_in.enter_sign_in_code(games, sign_in.give_sign_in_code(games, person.id, clock.now()), clock.now())
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
    code = sign_in.give_sign_in_code(games, person.id, clock.now())
    delete_account.delete_account(games, person.id, "web", clock.now())
    assert sign_in.enter_sign_in_code(games, code, clock.now()) is None


# Whichever way a person comes in, the account has the name, the time zone and the language that are known of them.

GERMAN = {"Accept-Language": "de-AT"}
ZONE = "Europe/Vienna"


class Known(NamedTuple):
    """Settings of a person who has come in."""

    name: str
    time_zone: str
    language: str


def known(games: Games, player: UUID) -> Known:
    query = text("select name, time_zone, language from player where id = :player")
    with games.engine.connect() as db:
        return Known(*db.execute(query, {"player": player}).one())


def newest(games: Games) -> UUID:
    with games.engine.connect() as db:
        # Other tests let people be made in days to come.
        query = text("select id from player where created_at <= clock_timestamp() order by created_at desc limit 1")
        found: UUID = db.execute(query).scalar_one()
        return found


class Way(NamedTuple):
    """Resources of a way in."""

    app: Flask
    runtime: Runtime
    mailbox: Path
    address: str


def by_a_press(way: Way) -> UUID:
    web = way.app.test_client()
    form = form_on(web.get("/", headers=GERMAN), "/play").hidden
    web.post("/play", data={**form, "zone": ZONE}, headers=GERMAN)
    return newest(way.runtime.games)


def by_a_mailed_link(way: Way) -> UUID:
    web = way.app.test_client()
    path = link_to(way.runtime, way.mailbox, Caller(web), way.address, language="de")
    form = form_on(web.get(path), path)
    assert "name" in form.inputs, "who has no name yet is asked for one"
    return player_at(way.runtime.games, web.post(path, data={**form.hidden, "name": "Zoë", "zone": ZONE})).id


def by_an_invitation(way: Way) -> UUID:
    games, host = way.runtime.games, alice(way.runtime.games)
    game = table_for(games, "sealed-bids", host, 3)
    given = invitations.invite(games, game, host.id, ByLink("secret"), clock.now(), None)
    link = f"/join/{invitation_token(given.id, 'secret')}"
    web = way.app.test_client()
    form = form_on(web.get(link, headers=GERMAN), link)
    web.post(link, data={**form.hidden, "name": "Zoë", "language": "de", "zone": ZONE}, headers=GERMAN)
    return newest(games)


def by_the_api_with_an_address(way: Way) -> UUID:
    posted = {"name": "Zoë", "email": way.address, "time_zone": ZONE}
    return UUID(Caller(way.app.test_client()).post("/players", posted, **GERMAN).get_json()["id"])


def by_the_api_s_sign_in(way: Way) -> UUID:
    api = Caller(way.app.test_client())
    asked = {"email": way.address, "name": "Zoë"}
    path = link_to(way.runtime, way.mailbox, api, way.address, language="de", name=asked["name"])
    made = api.post("/sign-in/token", {"sign_in": path[-26:], "time_zone": ZONE}).get_json()
    return UUID(Caller(api.client, made["token"]).get("/me").get_json()["id"])


def made_by_a_program(way: Way) -> UUID:
    """An account of which nothing is known, since a program signed in first."""
    api = Caller(way.app.test_client())
    path = link_to(way.runtime, way.mailbox, api, way.address, language="de")
    made = api.post("/sign-in/token", {"sign_in": path[-26:]}).get_json()
    return UUID(Caller(api.client, made["token"]).get("/me").get_json()["id"])


def by_the_code_of_another_device(way: Way) -> UUID:
    player = made_by_a_program(way)
    web = way.app.test_client()
    code = sign_in.give_sign_in_code(way.runtime.games, player, clock.now())
    form = form_on(web.get("/sign-in"), "/sign-in-code").hidden
    web.post("/sign-in-code", data={**form, "code": code, "zone": ZONE})
    send(web, "/games", "/name", name="Zoë")
    return player


def by_an_app(way: Way) -> UUID:
    """An app sends to its page of consent, which sends to sign in, and back."""
    web = way.app.test_client()
    sent = web.get("/oauth/authorize?client_id=x&response_type=code", headers=GERMAN)
    assert sent.location is not None and sent.location.startswith("/sign-in?back=")
    return by_a_mailed_link(way)


WAYS: tuple[Callable[[Way], UUID], ...] = (
    by_a_press,
    by_a_mailed_link,
    by_an_invitation,
    by_the_api_with_an_address,
    by_the_api_s_sign_in,
    by_the_code_of_another_device,
    by_an_app,
)


@pytest.mark.parametrize("come", WAYS)
def test_each_way_in_sets_the_same(
    come: Callable[[Way], UUID], app: Flask, runtime: Runtime, mailbox: Path, address: str
) -> None:
    player = come(Way(app, runtime, mailbox, address))
    name = UNNAMED if come is by_a_press else "Zoë"
    assert known(runtime.games, player) == Known(name, ZONE, "de")


def test_by_a_passkey_an_account_that_a_program_made_learns_the_zone_and_is_asked_for_a_name(
    site: Flask, runtime: Runtime, mailbox: Path, address: str
) -> None:
    way, device = Way(site, runtime, mailbox, address), Authenticator()
    person = Person(made_by_a_program(way), "", "", address, "de")
    passkeys_registered(visiting(site, runtime.games, person), device, "My phone")
    signed_in_by(site.test_client(), device, zone=ZONE)
    assert known(runtime.games, person.id) == Known(UNNAMED, ZONE, "de")
    assert "Wähle den Namen, den die anderen sehen" in browser(site, runtime.games, person).get("/games").text


def test_what_a_player_has_chosen_no_browser_overwrites(
    app: Flask, runtime: Runtime, mailbox: Path, address: str
) -> None:
    way = Way(app, runtime, mailbox, address)
    player = by_a_mailed_link(way)
    with runtime.engine.begin() as db:
        db.execute(text("update player set time_zone = 'UTC' where id = :player"), {"player": player})
    web = app.test_client()
    path = link_to(runtime, mailbox, Caller(web), address)
    form = form_on(web.get(path), path)
    assert form.inputs == [], "who has a name is not asked again"
    web.post(path, data={**form.hidden, "name": "Other", "zone": "Asia/Tokyo"})
    assert known(runtime.games, player) == Known("Zoë", "UTC", "de")


def test_a_guest_is_asked_after_the_first_move_and_only_once(app: Flask, games: Games) -> None:
    # given a guest who has begun a game alone
    web = app.test_client()
    game = UUID(str(send(web, "/", "/play").location).rpartition("/")[2])
    ask = "Choose the name that the others see"
    assert ask not in web.get(f"/games/{game}").text and ask not in web.get("/games").text
    # when they have moved
    position = now_at(games, game)
    move = {"decision": str(position.decision), "notation": position.ruleset.notate(first_legal(position, 0))}
    key = form_on(web.get("/games"), "/language").hidden
    assert web.post(f"/games/{game}/action", data={**key, **move, "sure": "yes"}).status_code == 303
    # then the page of the table asks for a name, and does not once it was put off
    assert ask in web.get(f"/games/{game}").text
    assert send(web, f"/games/{game}", "/name", name="").location == f"/games/{game}"
    assert ask not in web.get(f"/games/{game}").text
    # and a host without a name is asked for one with the invitation
    table = web.get("/games/new?ruleset=new-corp-order").text
    assert "Your name, as it stands in the invitation" in table


@pytest.mark.parametrize("name", UNNAMED_VARIANTS)
def test_a_player_without_a_name_is_called_so_in_the_language_of_each_reader(name: str) -> None:
    assert [display_name(name, language) for language in ("en", "de", "fr")] == [
        "New player",
        "Neuer Spieler",
        "Nouveau joueur",
    ]


def test_an_invitation_bears_the_name_that_is_given_with_it_or_none(
    app: Flask, runtime: Runtime, mailbox: Path, games: Games
) -> None:
    # given a host without a name
    player, _ = newly_met(games, Arrival("de"), clock.now())
    host = Person(player, "", UNNAMED, None, "de")
    game = table_for(games, "sealed-bids", host, 3)
    web = browser(app, games, host)
    # when one invitation leaves without a name, and the next one with it
    for name in ("", "Zoë"):
        send(web, f"/games/{game}", f"/games/{game}/invite", email=new_address(), language="en", own_name=name)
    # then no mail is from a new player
    with games.engine.connect() as db:
        query = text("select id from outbox where game_id = :game and kind = 'invitation' order by id")
        rows = list(db.execute(query, {"game": game}).scalars())
    assert len(rows) == 2
    assert known(games, player).name == "Zoë"


def test_the_mail_of_a_host_without_a_name_is_from_somebody(games: Games) -> None:
    player, _ = newly_met(games, Arrival("de"), clock.now())
    game = table_for(games, "sealed-bids", Person(player, "", UNNAMED, None, "de"), 3)
    assert [host_name(now_at(games, game), language) for language in ("en", "de")] == [
        sender_name(UNNAMED, "en"),
        sender_name(UNNAMED, "de"),
    ]
    assert "Somebody" in sender_name(UNNAMED, "en") and "Jemand" in sender_name("New player", "de")
