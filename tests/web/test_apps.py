"""Apps of other people (OAuth 2.1, RFC 9700): settings, consent, tokens, and how they end."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

import pytest
from authlib.oauth2 import rfc8414, rfc9207
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time
from sqlalchemy import text

from service.handlers import apps, delete_account, operators
from service.handlers.apps import MOST_SIGN_INS
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.pruning import prune
from service.texts.catalog import languages
from tests.browsing import browser, send
from tests.letters import Page
from tests.oauth import BACK, ISSUER, VERIFIER, Client, client, digest, error_of, person, reads, registered, web
from tests.operating import ZOE
from tests.people import Person, alice, bob, register
from tests.rest import Caller, refused
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


# Apps of other people: what RFC 9700 (and OAuth 2.1) asks of an authorization server, section by section.


def test_what_a_player_has_allowed_an_app_may_do_and_no_more(
    app: Flask, games: Games, api: Caller, person: Person, web: FlaskClient, client: Client
) -> None:
    given = client.tokens(web)
    assert (given["token_type"], given["expires_in"], given["scope"]) == ("Bearer", 3600, "games:read games:play")
    caller = Caller(api.client, given["access_token"])
    assert caller.get("/games").status_code == 200
    for path in ("/me", "/tokens", "/apps", "/grants", "/me/export"):
        assert caller.get(path).status_code == 403
    caller = Caller(api.client, client.tokens(web, scope="profile:read")["access_token"])
    assert caller.get("/me").get_json()["id"] == str(person.id)
    for path, body in (
        ("/tokens", {"label": "x", "scopes": ["profile:read"]}),
        ("/apps", {"name": "x"}),
        ("/bots", {}),
    ):
        assert caller.post(path, body).status_code == 403
    assert caller.delete("/me", {"confirm": "Alice"}).status_code == 403
    assert caller.patch("/me", {"name": "Eve"}).status_code == 403


@pytest.mark.parametrize(
    "scope", ["profile:write", "webhooks:manage", "games:read profile:write", "everything", "", None]
)
def test_an_app_is_granted_nothing_that_would_outlast_it(web: FlaskClient, client: Client, scope: str | None) -> None:
    page = web.get(client.address(scope=scope))
    assert page.status_code == 400 and "<code>invalid_scope</code>" in page.text


def test_a_confidential_app_needs_its_secret_besides(app: Flask, games: Games, web: FlaskClient) -> None:
    client = registered(app, games, bob(games), confidential=True)
    assert client.secret is not None
    code = client.granted(web)["code"]
    for forged in (replace(client, secret="brs_" + "x" * 43), replace(client, secret=None)):
        answer = forged.exchange(code)
        assert (answer.status_code, error_of(answer)) == (401, "invalid_client")
        assert answer.headers["WWW-Authenticate"].startswith("Basic ")
    posted = replace(client, secret=None).exchange(code, client_secret=client.secret)
    assert posted.status_code == 200
    refreshed = replace(client, secret=None).refresh(posted.get_json()["refresh_token"])
    assert error_of(refreshed) == "invalid_client"


# RFC 9700, 2.1 and 4.1: redirect addresses are compared letter by letter, and nobody is sent to another one.


@pytest.mark.parametrize(
    "forged",
    [
        None,
        "https://board.example/back",
        f"{BACK}&more=",
        BACK.replace("https", "http"),
        BACK.replace("board.example", "board.example.evil.example"),
        BACK.replace("/back", "/BACK"),
        BACK.replace("/back", "/back/../back"),
        BACK.replace("board.example", "board.example:444"),
        BACK.replace("board.example", "evil@board.example"),
        "javascript:alert(1)",
        'https://board.example/"><script>',
        "https://böard.example/",
    ],
)
def test_an_address_that_is_not_registered_letter_by_letter_gets_nobody(
    web: FlaskClient, client: Client, forged: str | None
) -> None:
    page = web.get(client.address(redirect_uri=forged))
    assert (page.status_code, page.location) == (400, None)
    links = re.findall(r'href="([^"]+)"', page.text)
    assert [each for each in links if each[0] not in "/#"] == []
    key = {"form_key": Page(web.get(client.address()).text).forms[-1].hidden["form_key"]}
    sent = {**client.asks, "redirect_uri": forged or "", **key, "answer": "allow"}
    assert (answer := web.post("/oauth/authorize", data=sent)).status_code == 400 and answer.location is None


@pytest.mark.parametrize(
    ("address", "asked", "source"),
    [
        ("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb", "http://127.0.0.1:49152"),
        ("http://127.0.0.1:8080/cb", "http://127.0.0.1:49152/cb", "http://127.0.0.1:49152"),
        ("http://[::1]/cb", "http://[::1]:49152/cb", "http:"),
        ("com.example.app:/cb", "com.example.app:/cb", "com.example.app:"),
    ],
)
def test_apps_on_the_users_own_machine_sign_in_by_any_port_or_a_scheme_of_their_own(
    app: Flask, games: Games, web: FlaskClient, address: str, asked: str, source: str
) -> None:
    """RFC 8252, sections 7.1 and 7.3."""
    native = registered(app, games, bob(games), back=address)
    page = web.get(native.address(redirect_uri=asked))
    assert page.status_code == 200
    assert f"form-action 'self' {source};" in page.headers["Content-Security-Policy"]
    location = native.answered(web, redirect_uri=asked).location
    assert location.startswith(f"{asked}?")
    code = dict(parse_qsl(urlsplit(location).query))["code"]
    assert native.exchange(code, redirect_uri=asked).status_code == 200


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("http://127.0.0.1/cb", "http://127.0.0.1:49152/other"),
        ("http://127.0.0.1/cb", "http://localhost/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:1@evil.example/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1.evil.example/cb"),
        ("https://board.example/cb", "https://board.example:444/cb"),
    ],
)
def test_only_the_port_of_ones_own_machine_may_be_any(
    app: Flask, games: Games, web: FlaskClient, address: str, asked: str
) -> None:
    native = registered(app, games, bob(games), back=address)
    assert web.get(native.address(redirect_uri=asked)).status_code == 400


@pytest.mark.parametrize(
    "unknown", ["", "x", "01a1ff83-f5fb-7df1-8f59-4fa9057961eb", "00000000-0000-0000-0000-000000000000\x00"]
)
def test_an_app_that_nobody_has_registered_is_told_nothing(web: FlaskClient, client: Client, unknown: str) -> None:
    page = web.get(client.address(client_id=unknown))
    assert (page.status_code, page.location, BACK in page.text) == (400, None, False)


def test_an_error_sends_nobody_away_without_a_press(web: FlaskClient, client: Client) -> None:
    """RFC 9700, section 4.11.2: a forged request would make a redirector of this site."""
    page = web.get(client.address(response_type="token"))
    assert (page.status_code, page.location) == (400, None)
    (back,) = [each for each in re.findall(r'href="([^"]+)"', page.text) if each.startswith("https:")]
    told = dict(parse_qsl(urlsplit(back.replace("&amp;", "&")).query))
    assert (told["error"], told["iss"]) == ("unsupported_response_type", ISSUER)


def test_who_is_not_signed_in_signs_in_first_and_comes_back(app: Flask, client: Client) -> None:
    answer = app.test_client().get(client.address())
    assert answer.status_code == 303 and answer.location.startswith("/sign-in?back=/oauth/authorize?")
    form = app.test_client().get(answer.location).text
    assert client.id in form
    back = next(each.hidden["back"] for each in Page(form).forms if "back" in each.hidden)
    assert dict(parse_qsl(urlsplit(back).query)) == client.asks


# RFC 9700, 2.1.1 and 4.8: PKCE by S256, for every client, and no way around it.


@pytest.mark.parametrize(
    "less",
    [
        {"code_challenge": None},
        {"code_challenge_method": None},
        {"code_challenge_method": "plain", "code_challenge": VERIFIER},
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge": "short"},
    ],
)
@pytest.mark.parametrize("confidential", [False, True])
def test_no_app_is_talked_into_less_than_pkce(
    app: Flask, games: Games, web: FlaskClient, confidential: bool, less: dict[str, str | None]
) -> None:
    client = registered(app, games, bob(games), confidential=confidential)
    page = web.get(client.address(**less))
    assert page.status_code == 400 and "<code>invalid_request</code>" in page.text


@pytest.mark.parametrize("verifier", [None, "", "w" * 43, "short", "ä" * 43])
def test_a_code_is_worth_nothing_without_its_verifier(web: FlaskClient, client: Client, verifier: str | None) -> None:
    code = client.granted(web)["code"]
    answer = client.exchange(code, code_verifier=verifier)
    assert answer.status_code == 400 and error_of(answer) in ("invalid_request", "invalid_grant")
    assert client.exchange(code).status_code == 200


# RFC 9700, 2.1.1, 4.5 and 4.14: a code and a refresh token are good once, and only for whom they were given to.


def test_a_code_that_is_used_again_ends_all_that_came_of_it(app: Flask, web: FlaskClient, client: Client) -> None:
    code = client.granted(web)["code"]
    given = client.exchange(code).get_json()
    newer = client.refresh(given["refresh_token"]).get_json()
    other = client.tokens(web)
    again = client.exchange(code)
    assert (again.status_code, error_of(again)) == (400, "invalid_grant")
    assert [reads(app, each["access_token"]) for each in (given, newer, other)] == [401, 401, 200]
    assert error_of(client.refresh(newer["refresh_token"])) == "invalid_grant"


def test_a_refresh_token_that_is_used_again_ends_all_that_came_of_its_code(
    app: Flask, web: FlaskClient, client: Client
) -> None:
    first = client.tokens(web)
    second = client.refresh(first["refresh_token"]).get_json()
    assert second["refresh_token"] != first["refresh_token"]
    assert reads(app, second["access_token"]) == 200
    assert error_of(client.refresh(first["refresh_token"])) == "invalid_grant"
    assert [reads(app, each["access_token"]) for each in (first, second)] == [401, 401]
    assert error_of(client.refresh(second["refresh_token"])) == "invalid_grant"


def test_codes_and_tokens_of_one_app_are_worth_nothing_to_another(
    app: Flask, games: Games, web: FlaskClient, client: Client
) -> None:
    """Section 4.5: code injection; and the tokens of an app are revoked by that app alone."""
    thief = registered(app, games, bob(games))
    code = client.granted(web)["code"]
    assert error_of(thief.exchange(code)) == "invalid_grant"
    given = client.exchange(code).get_json()
    assert error_of(thief.refresh(given["refresh_token"])) == "invalid_grant"
    assert error_of(thief.revoke(given["access_token"])) == "invalid_grant"
    assert reads(app, given["access_token"]) == 200
    assert client.refresh(given["refresh_token"]).status_code == 200


def test_a_code_comes_back_with_the_address_that_it_was_sent_to(web: FlaskClient, client: Client) -> None:
    code = client.granted(web)["code"]
    for other in (None, "https://board.example/other"):
        assert error_of(client.exchange(code, redirect_uri=other)) == "invalid_grant"


def test_codes_live_a_minute_access_tokens_an_hour_refresh_tokens_ninety_days(
    app: Flask, games: Games, runtime: Runtime, web: FlaskClient, client: Client
) -> None:
    late, given = client.granted(web)["code"], client.tokens(web)
    with freeze_time(clock.now() + timedelta(seconds=61), tick=True):
        assert error_of(client.exchange(late)) == "invalid_grant"
    with games.engine.begin() as db:
        lapse = text("update token set expires_at = expires_at - interval '61 minutes' where hash = :hash")
        db.execute(lapse, {"hash": digest(given["access_token"])})
    assert reads(app, given["access_token"]) == 401
    with freeze_time(clock.now() + timedelta(days=91), tick=True):
        assert error_of(client.refresh(given["refresh_token"])) == "invalid_grant"
    prune(runtime.engine, clock.now() + timedelta(days=91))
    with games.engine.connect() as db:
        assert (
            db.execute(text("select count(*) from app_code where expires_at < now() + interval '91 days'")).scalar()
            == 0
        )


def test_a_refresh_asks_for_no_more_than_was_granted(app: Flask, web: FlaskClient, client: Client) -> None:
    given = client.tokens(web)
    assert error_of(client.refresh(given["refresh_token"], scope="games:read profile:read")) == "invalid_scope"
    less = client.refresh(given["refresh_token"], scope="games:read").get_json()
    assert less["scope"] == "games:read"
    assert client.refresh(less["refresh_token"]).get_json()["scope"] == "games:read games:play"


def test_an_app_gives_back_what_it_has(app: Flask, web: FlaskClient, client: Client) -> None:
    """RFC 7009: whatever of the two it sends, both end; and what is unknown is no error."""
    for which in ("access_token", "refresh_token"):
        given = client.tokens(web)
        assert client.revoke(given[which], token_type_hint="refresh_token").status_code == 200
        assert reads(app, given["access_token"]) == 401
        assert error_of(client.refresh(given["refresh_token"])) == "invalid_grant"
        assert client.revoke(given[which]).status_code == 200


# RFC 9700, 2.1 and 4.4: an app that talks to several servers can tell them apart; 4.2 and 4.12: nothing leaks.


def test_each_answer_says_whose_it_is_and_belongs_to_one_visit(web: FlaskClient, client: Client) -> None:
    allowed = client.granted(web)
    assert (allowed["iss"], allowed["state"]) == (ISSUER, client.asks["state"])
    denied = client.granted(web, "deny")
    assert (denied["error"], denied["iss"], denied["state"]) == ("access_denied", ISSUER, client.asks["state"])
    assert "code" not in denied


def test_the_metadata_are_those_of_the_standards(app: Flask) -> None:
    answer = app.test_client().get("/.well-known/oauth-authorization-server")
    told = answer.get_json()
    # The library asks for https, as the operator's proxy has it.
    rfc8414.AuthorizationServerMetadata(
        {name: value.replace("http:", "https:") if isinstance(value, str) else value for name, value in told.items()}
    ).validate(metadata_classes=[rfc9207.AuthorizationServerMetadata])
    assert (told["issuer"], told["code_challenge_methods_supported"]) == (ISSUER, ["S256"])
    assert told["authorization_response_iss_parameter_supported"] is True


def test_the_answer_is_no_form_sent_on_and_no_page_passes_its_address_on(web: FlaskClient, client: Client) -> None:
    assert client.answered(web).status_code == 303
    page = web.get(client.address())
    for answer in (page, client.answered(web)):
        assert answer.headers["Referrer-Policy"] in ("no-referrer", "same-origin")
        assert answer.headers["Cache-Control"] == "no-store"


def test_the_page_stands_in_no_frame_and_its_form_leads_to_the_app_alone(web: FlaskClient, client: Client) -> None:
    """RFC 9700, section 4.16: clickjacking."""
    page = web.get(client.address())
    policy = page.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy and "script-src" not in policy
    assert "form-action 'self' https://board.example;" in policy
    assert page.headers["X-Frame-Options"] == "DENY"


def test_a_forged_press_allows_nothing(app: Flask, games: Games, web: FlaskClient, client: Client) -> None:
    """CSRF: the key is that of the visitor's own session."""
    other = browser(app, games, bob(games))
    foreign = Page(other.get(client.address()).text).forms[-1].hidden["form_key"]
    own = Page(web.get(client.address()).text).forms[-1].hidden["form_key"]
    allow = {**client.asks, "answer": "allow"}
    assert web.post("/oauth/authorize", data=allow).status_code == 403
    assert web.post("/oauth/authorize", data={**allow, "form_key": foreign}).status_code == 403
    across = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert web.post("/oauth/authorize", data={**allow, "form_key": own}, headers=across).status_code == 403
    with games.engine.connect() as db:
        query = text("select count(*) from app_grant where app_id = :app")
        assert db.execute(query, {"app": UUID(client.id)}).scalar_one() == 0


@pytest.mark.parametrize(
    "path", ["/me/friends", "/me/blocks", "/me/ignored", "/me/absences", "/me/channels", "/tokens", "/bots", "/apps"]
)
def test_an_app_that_may_see_the_profile_sees_nothing_else_of_the_account(
    app: Flask, web: FlaskClient, client: Client, path: str
) -> None:
    caller = Caller(app.test_client(), client.tokens(web, scope="profile:read")["access_token"])
    assert caller.get("/me").status_code == 200
    assert refused(caller.get(path), 403, "scope-missing")["scope"] == "account:read"


# Apps of other people: what strangers send, what is kept, and how it ends.


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
    delete_account.delete_account(games, player.id, "web", clock.now())
    assert [reads(app, each["access_token"]) for each in (one, three)] == [401, 200]
    operators.block_account(games, owner.id, ZOE, clock.now())
    assert error_of(client.refresh(three["refresh_token"])) == "invalid_client"
    delete_account.delete_account(games, owner.id, "web", clock.now())
    assert reads(app, three["access_token"]) == 401


def test_a_blocked_player_is_served_by_no_app(
    app: Flask, games: Games, person: Person, web: FlaskClient, client: Client
) -> None:
    given = client.tokens(web)
    operators.block_account(games, person.id, ZOE, clock.now())
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
