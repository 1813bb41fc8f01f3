"""Apps of other people: what RFC 9700 (and OAuth 2.1) asks of an authorization server, section by section."""

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

from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.pruning import prune
from tests.browsing import browser
from tests.letters import Page
from tests.oauth import BACK, ISSUER, VERIFIER, Client, client, digest, error_of, person, reads, registered, web
from tests.people import Person, bob
from tests.rest import Caller, refused

__all__ = ["client", "person", "web"]


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
