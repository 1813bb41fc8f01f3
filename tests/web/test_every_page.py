"""Rules of every page: HTML, errors, one stylesheet, moments, hosts, refusals, unknown games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from gzip import compress, decompress
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

import service.web
from service.app import create_app
from service.handlers import lobby
from service.http.request import MAX_BODY_BYTES
from service.mail.access import send_sign_in_mail
from service.rules.typography import UNBREAKABLE_SPACE
from service.runtime import Runtime
from service.store import outbox
from service.store.game_row import Terms
from service.store.games import Games
from service.texts.catalog import languages, say
from service.web.local_time import recent_moment
from tests.browsing import browser, form_on
from tests.builders import act, finished, first_legal, opened, sealed_bids, started, table_for
from tests.challenged import called
from tests.competing import tournament_of
from tests.leaving import running
from tests.letters import Page
from tests.people import Person, alice, bob, carol, register
from tests.rest import Caller
from tests.signing_in import address, row_of

PUBLIC = (
    "/",
    "/play/new-corp-order",
    "/play/bastards-inc",
    "/play/sealed-bids",
    "/play/chess",
    "/play/new-corp-order/learn/1",
    "/play/new-corp-order/learn/9",
    "/sign-in",
    "/games/open",
    "/bots",
    "/leaderboards/new-corp-order/2",
    "/games/history",
    "/pace",
    "/rules",
    "/rules/new-corp-order",
    "/rules/bastards-inc",
    "/rules/chess",
)
OWN = (
    "/games",
    "/games/new",
    "/games/alone",
    "/people",
    "/settings",
    "/settings/mail",
    "/settings/channels",
    "/settings/programs",
    "/settings/webhooks",
    "/settings/passkeys",
    "/settings/apps",
    "/games/history",
    "/",
    "/sign-in",
    "/games/open",
)
EMPTY = {"meta", "link", "input", "br", "img", "hr", "col", "source"}
LANGUAGES = pytest.mark.parametrize("language", languages())


class Sound(HTMLParser):
    """Reads a page, and finds what is wrong with it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.labelled: set[str] = set()
        self.fields: list[dict[str, str | None]] = []
        self.seen: list[str] = []
        self.drawn: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element, and what may not be in it."""
        given = dict(attrs)
        self.seen.append(tag)
        if tag not in EMPTY:
            self.open.append(tag)
        if tag == "use":
            self.drawn.add((given.get("href") or "").removeprefix("#"))
        if "id" in given:
            self.ids.append(given["id"] or "")
        if tag == "label":
            self.labelled.add(given.get("for") or "")
        if tag in {"input", "select", "textarea"} and given.get("type") != "hidden" and "label" not in self.open:
            self.fields.append(given)
        if tag == "img" and not given.get("alt"):
            self.wrong.append("a picture without words")
        self.wrong += [f"{name} on {tag}" for name in given if name == "style" or name.startswith("on")]
        self.wrong += [
            f"{tag} from elsewhere: {given[name]}"
            for name in ("src", "action")
            if (given.get(name) or "/")[0] not in "/#" and not (given.get(name) or "").startswith("data:")
        ]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that SVG closes at once."""
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        """Note markup that readers would see."""
        if "script" not in self.open and "style" not in self.open and (seen := re.search(r"</?\w+[ >]", data)):
            self.wrong.append(f"markup as a text: {data[seen.start() :][:60]}")

    def handle_endtag(self, tag: str) -> None:
        """Note that an element ends, which has to be the last one begun."""
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> ends nothing")

    @property
    def faults(self) -> Iterator[str]:
        yield from self.wrong
        yield from (f"<{tag}> does not end" for tag in self.open)
        yield from (f"a drawing of {each}, which is none" for each in sorted(self.drawn - set(self.ids)))
        yield from (f"two of id {each}" for each in set(self.ids) if self.ids.count(each) > 1)
        if self.seen.count("h1") != 1 or self.seen.count("main") != 1:
            yield "not one heading, or not one main part"
        for field in self.fields:
            if field.get("id") not in self.labelled and not field.get("aria-label"):
                yield f"a field without a label: {field}"


def sound(page: TestResponse, language: str) -> None:
    """Check that a page is as every page has to be."""
    assert page.status_code in (200, 404), page.text
    assert list(Sound(page.text).faults) == []
    assert f'<html lang="{language}">' in page.text
    assert language != "fr" or not UNBREAKABLE_SPACE.search(page.text), UNBREAKABLE_SPACE.search(page.text)
    policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["X-Content-Type-Options"] == "nosniff"


@LANGUAGES
def test_every_page_for_everybody_is_sound(app: Flask, language: str) -> None:
    web = app.test_client()
    for path in PUBLIC:
        sound(web.get(path, headers={"Accept-Language": language}), language)


@LANGUAGES
def test_every_page_for_those_who_have_signed_in_is_sound(app: Flask, games: Games, language: str) -> None:
    host, others = alice(games), [bob(games), carol(games)]
    waiting = opened(games, "sealed-bids", [host, *others])
    running, six = sealed_bids(games), [*others, *(register(games, name, None, "en") for name in ("Dan", "Eve"))]
    crowded = started(games, "bastards-inc", [host, *six, alice(games)])
    player = Person(running.seats[0].player_id, "", "Alice", None, "en")
    for person, more in (
        (host, [f"/games/{waiting}", f"/games/{crowded.game.id}"]),
        (player, [f"/games/{running.game.id}"]),
    ):
        web = browser(app, games, person)
        for path in (*OWN, *more):
            sound(web.get(f"{path}?language={language}"), language)


def test_whoever_has_not_signed_in_is_asked_to(app: Flask) -> None:
    web = app.test_client()
    for path in OWN[:8]:
        answer = web.get(path)
        assert (answer.status_code, answer.location) == (303, "/sign-in"), path


def test_every_form_of_ones_own_pages_does_nothing_without_the_key_of_the_session(app: Flask, games: Games) -> None:
    web = browser(app, games, alice(games))
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("web.") and "POST" in rule.methods]
    # Nobody has a session there: the mailbox is everybody's at this machine, and a provider shows its secret.
    others = ("/sign-in", "/sign-in-code", "/mailbox/<name>", "/inbound/mail")
    own = [rule for rule in rules if "token" not in rule.arguments and rule.rule not in others]
    assert len(own) > 20
    for rule in own:
        values = dict.fromkeys(rule.arguments, "01a1ff83-f5fb-7df1-8f59-4fa9057961eb")
        path = rule.rule
        for name, value in values.items():
            path = path.replace(f"<uuid:{name}>", value).replace(f"<int:{name}>", "0")
        path = re.sub(r"<any\((\w+)[^>]*>", r"\1", path)
        assert web.post(path, data={"name": "x"}).status_code == 403, rule.rule


def test_a_page_in_another_language_than_the_accounts_is_whole_in_it(app: Flask, games: Games) -> None:
    me = register(games, "Ann", None, "en")
    started(games, "new-corp-order", [me, bob(games), carol(games)], **{"short-game": True, "deluxe": True})
    page = browser(app, games, me).get("/games?language=fr").text
    assert "partie courte" in page and "short game" not in page
    alone = browser(app, games, me).get("/games/alone?language=fr").text
    assert "SOD" in alone and "ODS" not in alone


# What a person sees whose request came to nothing: their own language, why, and what to do next.


@pytest.fixture
def broken(runtime: Runtime) -> FlaskClient:
    """A browser at a house with a page that fails."""
    app = create_app(replace(runtime))
    app.add_url_rule("/broken", view_func=lambda: 1 // 0)
    app.add_url_rule("/api/v1/broken", endpoint="api-broken", view_func=lambda: 1 // 0)
    return app.test_client()


@pytest.mark.parametrize("language", languages())
def test_every_error_is_a_page_in_the_readers_language(broken: FlaskClient, language: str) -> None:
    wished = {"Accept-Language": language}
    for path, method, body, status, notice in (
        ("/nowhere", "GET", b"", 404, "unknown"),
        ("/play", "GET", b"", 405, "not-there"),
        ("/sign-in", "POST", b"a" * (MAX_BODY_BYTES + 2), 413, "too-large"),
        ("/broken", "GET", b"", 500, "broken"),
    ):
        answer = broken.open(path, method=method, data=body, headers=wished)
        assert (answer.status_code, answer.mimetype) == (status, "text/html"), path
        page = Page(answer.text)
        assert say(language, f"{notice}-title") in unescape(answer.text) and f'lang="{language}"' in answer.text
        assert "/" in page.links, "there is a way on"
        assert "ZeroDivision" not in answer.text
        assert (answer.headers["X-Request-Id"] in answer.text) == (status == 500)
        assert ("Allow" in answer.headers) == (status == 405)


def test_a_language_chosen_at_the_browser_is_kept_where_things_fail(broken: FlaskClient) -> None:
    broken.set_cookie("language", "fr")
    assert say("fr", "broken-title") in unescape(broken.get("/broken").text)


def test_the_german_of_austria_is_german_before_a_lesser_wish_for_english(broken: FlaskClient) -> None:
    told = broken.get("/nowhere", headers={"Accept-Language": "de-AT, en;q=0.5"})
    assert say("de", "unknown-title") in told.text


def test_programs_are_told_by_a_problem_and_not_by_a_page(broken: FlaskClient) -> None:
    answer = broken.get("/api/v1/broken", headers={"Accept-Language": "de"})
    assert (answer.status_code, answer.mimetype) == (500, "application/problem+json")
    assert answer.get_json()["title"] == "Something went wrong on our side"
    assert "Bei uns ist etwas schiefgegangen" in answer.get_json()["detail"]


def test_a_page_that_is_not_there_leads_on(app: Flask, games: Games) -> None:
    missing = "/games/01a1ff83-f5fb-7df1-8f59-4fa9057961eb"
    assert "/sign-in" in Page(app.test_client().get(missing).text).links
    mine = browser(app, games, alice(games))
    assert "/games" in Page(mine.get(missing).text).links
    hidden = form_on(mine.get("/games"), "/play").hidden
    assert hidden
    refused = mine.post("/play", data={**hidden, "form_key": "other"})
    assert (refused.status_code, "load" in refused.text, "/games" in Page(refused.text).links) == (403, True, True)


# What all pages share: the mark that says whether a move waits, one small stylesheet, one font, the offline page.

STATIC = Path(service.web.__file__).parent / "static"
LARGEST_STYLE, LARGEST_FONT = 10 * 1024, 70 * 1024


def test_the_lower_seat_of_the_mark_is_lit_while_a_move_waits_for_the_reader(app: Flask, games: Games) -> None:
    people = [alice(games, None), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    mine, theirs = (browser(app, games, person).get("/rules/new-corp-order").text for person in people)
    assert "/look/icon-move.svg" in mine and 'class="brand move"' in mine and '<span class="n">1</span>' in mine
    assert "/look/icon.svg" in theirs and 'class="brand"' in theirs and 'class="n"' not in theirs
    while 0 in position.awaited:
        position = act(games, position, 0, first_legal(position, 0)).position
    assert "/look/icon-move.svg" in browser(app, games, people[1]).get("/rules/new-corp-order").text


def test_a_stranger_has_the_plain_mark(app: Flask) -> None:
    assert "/look/icon.svg" in app.test_client().get("/").text


def test_a_finished_or_waiting_game_lights_nothing(app: Flask, games: Games) -> None:
    person = carol(games)
    assert 'class="n"' not in browser(app, games, person).get("/games").text


def test_the_style_is_sent_compressed_and_is_small(app: Flask) -> None:
    plain = app.test_client().get("/look/style.css", buffered=True)
    packed = app.test_client().get("/look/style.css", headers={"Accept-Encoding": "gzip"}, buffered=True)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert decompress(packed.data) == plain.data
    assert "Content-Encoding" not in plain.headers
    assert {plain.headers["Vary"], packed.headers["Vary"]} == {"Accept-Encoding"}
    assert len(packed.data) <= LARGEST_STYLE
    again = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert app.test_client().get("/look/style.css", headers=again, buffered=True).status_code == 304


@pytest.mark.parametrize("ruleset", ["new-corp-order", "bastards-inc", "sealed-bids"])
def test_the_one_stylesheet_of_a_table_is_small_and_has_all_its_rules(app: Flask, ruleset: str) -> None:
    path = f"/rules/{ruleset}/table.css"
    packed = app.test_client().get(path, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.data) <= LARGEST_STYLE
    plain = app.test_client().get(path).text
    assert plain == decompress(packed.data).decode()
    assert 'url("/look/fonts/archivo-boardroom.woff2")' in plain
    common, others = (STATIC / "style.css").read_text().split("/* Only for pages without a table, from here .. */")
    for part in (common, others.split("/* .. to here */")[1], (STATIC / "table.css").read_text()):
        assert bare(part) and bare(part.replace('url("', 'url("/look/')) in bare(plain)


def bare(style: str) -> str:
    """A stylesheet without comments, white space, and the last semicolon of each block."""
    return re.sub(r"/\*.*?\*/|\s|;(?=\s*})", "", style, flags=re.DOTALL)


def test_all_other_styles_together_are_small() -> None:
    others = [path for path in sorted(STATIC.glob("*.css")) if path.name not in {"style.css", "table.css"}]
    assert len(compress(b"".join(path.read_bytes() for path in others), 9)) <= LARGEST_STYLE / 2


def test_the_font_is_one_file_with_its_licence_that_browsers_keep(app: Flask) -> None:
    answer = app.test_client().get("/look/fonts/archivo-boardroom.woff2", buffered=True)
    assert (answer.status_code, answer.mimetype) == (200, "font/woff2")
    assert "immutable" in answer.headers["Cache-Control"]
    assert "Content-Encoding" not in answer.headers
    assert len(answer.data) <= LARGEST_FONT
    assert "SIL OPEN FONT LICENSE" in (STATIC / "fonts" / "LICENSE").read_text()
    page = app.test_client().get("/")
    assert re.search(r'<link rel="preload" href="/look/fonts/archivo-boardroom.woff2"[^>]* crossorigin', page.text)
    assert "font-src 'self'" in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize("language", languages())
def test_the_page_without_a_connection_holds_nothing_private(app: Flask, games: Games, language: str) -> None:
    web = browser(app, games, alice(games))
    answer = web.get(f"/offline?language={language}")
    assert say(language, "offline-title") in answer.text
    assert "Alice" not in answer.text and "form_key" not in answer.text
    assert Page(answer.text).links == ["/games"]


def test_everything_that_the_service_worker_keeps_is_there(app: Flask) -> None:
    (listed,) = re.findall(r"const PARTS = \[([^\]]*)\]", (STATIC / "service-worker.js").read_text())
    paths = re.findall(r'"([^"]+)"', listed)
    assert len(paths) == 4
    for path in paths:
        with app.test_client().get(path) as answer:
            assert answer.status_code == 200, path


def test_programs_that_read_no_page_find_the_icon_and_what_robots_may_read(app: Flask) -> None:
    web = app.test_client()
    assert web.get("/favicon.ico").mimetype == "image/png"
    assert web.get("/robots.txt").text.splitlines()[1:] == [
        *("Allow: /$", "Allow: /look/", "Allow: /play/", "Allow: /rules"),
        "Disallow: /",
    ]


def test_search_engines_may_list_what_tells_of_games_and_nothing_that_tells_of_people(app: Flask, games: Games) -> None:
    web = app.test_client()
    for path in ("/", "/play/new-corp-order", "/play/new-corp-order/learn/1", "/rules", "/rules/new-corp-order"):
        page = web.get(path)
        assert "X-Robots-Tag" not in page.headers, path
        assert '<meta name="description" content="' in page.text
    private = started(games, "new-corp-order", [alice(games), bob(games)]).game.id
    for path in (f"/games/{private}", "/play/unknown", "/sign-in", "/games", "/t/unknown"):
        assert web.get(path).headers["X-Robots-Tag"] == "noindex", path


# Moments on pages, in the reader's language and time zone.

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


def told(at: datetime, language: str, zone: str = "UTC") -> str:
    return re.sub("<[^>]*>", "", recent_moment(at, language, zone))


@pytest.mark.parametrize(
    ("language", "today", "yesterday", "before"),
    [
        ("en", "today 09:05", "yesterday 09:05", "8 Mar 2026, 09:05"),
        ("de", "heute, 09:05", "gestern, 09:05", "08.03.2026, 09:05"),
        ("fr", "aujourd’hui à 09:05", "hier à 09:05", "8 mars 2026, 09:05"),
    ],
)
def test_a_day_that_is_near_is_a_word(language: str, today: str, yesterday: str, before: str) -> None:
    with freeze_time(NOON):
        at = [NOON.replace(hour=9, minute=5) - timedelta(days=days) for days in range(3)]
        assert [told(each, language) for each in at] == [today, yesterday, before]


def test_which_day_is_near_the_readers_own_zone_says() -> None:
    with freeze_time(NOON):
        at = NOON - timedelta(hours=13)
        assert told(at, "en") == "yesterday 23:00"
        assert told(at, "en", "Europe/Berlin") == "today 00:00"
        assert 'datetime="2026-03-10T00:00+01:00"' in recent_moment(at, "en", "Europe/Berlin")


# Under which addresses there are pages, and who is shown the mails that the mail sink has caught.

assert address, "pytest finds fixtures by their names"

PUBLIC_PATHS = {"base_url": "https://games.example", "host": "0.0.0.0"}
LOOPBACK = ("localhost", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:81", "LOCALHOST:9")
ELSEWHERE = (
    "evil.example",
    "evil.example:8000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "10.0.0.7",
    "[::2]",
    # No names at all: a label may be neither empty nor longer than 63 characters.
    "evil..example",
    f"{'e' * 64}.example",
)
Web = Callable[..., FlaskClient]


@pytest.fixture(scope="module")
def web(runtime: Runtime) -> Web:
    """Makes a browser at a service with these settings."""
    made: dict[str, Flask] = {}

    def make(**changed: Any) -> FlaskClient:
        name = str(changed)
        if name not in made:
            made[name] = create_app(replace(runtime, settings=replace(runtime.settings, **changed)))
        return made[name].test_client()

    return make


@pytest.mark.parametrize("path", ["/", "/mailbox", "/sign-in", "/games/open", "/t/none"])
def test_pages_are_under_the_services_own_address_and_on_loopback_those_of_loopback(web: Web, path: str) -> None:
    local, public = web(), web(**PUBLIC_PATHS)
    for host in LOOPBACK:
        assert local.get(path, headers={"Host": host}).status_code != 421
        assert public.get(path, headers={"Host": host}).status_code == 421
    for host in ("games.example", "Games.Example:443", "games.example."):
        assert public.get(path, headers={"Host": host}).status_code != 421
    for host in ELSEWHERE:
        answers = [each.get(path, headers={"Host": host, "Accept-Language": "de"}) for each in (local, public)]
        assert [answer.status_code for answer in answers] == [421, 421]
        assert "Andere Adresse" in answers[1].text
        assert 'href="https://games.example/"' in answers[1].text
        assert all("Set-Cookie" not in answer.headers for answer in answers)


def test_a_form_that_is_sent_to_another_address_changes_nothing(web: Web) -> None:
    sent = {"language": "de", "back": "/"}
    assert web().post("/language", data=sent, headers={"Host": "evil.example"}).status_code == 421
    assert web().post("/language", data=sent).status_code == 303


@pytest.mark.parametrize("host", [*LOOPBACK, *ELSEWHERE, "games.example"])
def test_probes_the_api_and_what_pages_look_like_are_under_every_address(web: Web, host: str) -> None:
    for client in (web(), web(**PUBLIC_PATHS)):
        for path in ("/livez", "/readyz", "/metrics", "/api/v1/rulesets", "/look/style.css"):
            assert client.get(path, headers={"Host": host}, buffered=True).status_code == 200


def test_the_mails_are_shown_at_this_machine_alone(web: Web, mailbox: Path) -> None:
    (mailbox / "1.eml").write_text("Subject: Hello\n\nhttp://127.0.0.1:8000/sign-in/secret\n")

    def shown(client: FlaskClient, peer: str, host: str = "127.0.0.1:8000", **headers: str) -> bool:
        told = {"Host": host, **headers}
        paths = ("/mailbox", "/mailbox/1.eml", "/")
        *answers, start = (client.get(each, headers=told, environ_base={"REMOTE_ADDR": peer}) for each in paths)
        (status,) = {answer.status_code for answer in answers}
        assert ("/mailbox" in start.text) == (status == 200)
        return status == 200

    for peer in ("127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"):
        assert shown(web(), peer)
        assert shown(web(), peer, "localhost")
        assert not shown(web(), peer, "evil.example")
        assert not shown(web(), peer, **{"X-Forwarded-For": "127.0.0.1"})
        assert not shown(web(**PUBLIC_PATHS, local_mail=True), peer, "games.example")
        assert not shown(web(proxies=1), peer, **{"X-Forwarded-For": "192.0.2.2"})
        assert shown(web(proxies=1), peer, **{"X-Forwarded-For": "::1"})
    for peer in ("192.0.2.2", "10.0.0.7", "::2", "", "unknown"):
        assert not shown(web(), peer)
        assert not shown(web(proxies=1), "127.0.0.1", **{"X-Forwarded-For": peer or "-"})
    own = {**PUBLIC_PATHS, "base_url": "http://127.0.0.1:8000", "local_mail": True}
    assert shown(web(**own), "127.0.0.1")
    assert not shown(web(**own), "192.0.2.2")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, True),
        ({"host": "0.0.0.0", "local_mail": True}, False),
        ({"base_url": "https://games.example"}, False),
        ({"proxies": 1}, False),
        ({"mailbox": None}, False),
    ],
)
def test_a_log_holds_a_link_that_signs_in_only_where_nobody_else_can_use_it(
    api: Caller, runtime: Runtime, mailbox: Path, address: str, changed: dict[str, Any], told: bool
) -> None:
    api.post("/sign-in", {"email": address})
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_of(runtime.games, address))
    assert row is not None
    house = replace(runtime, settings=replace(runtime.settings, **changed))
    with structlog.testing.capture_logs() as lines:
        assert send_sign_in_mail(house, row) == "done"
    assert any("/sign-in/" in str(line) for line in lines) == told


def test_where_the_address_is_of_https_every_answer_asks_for_it(web: Web) -> None:
    paths = ("/", "/nowhere", "/api/v1/rulesets", "/api/v1/me", "/livez", "/look/style.css")
    for path in paths:
        answer = web(base_url="https://localhost").get(path, buffered=True)
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        assert "Strict-Transport-Security" not in web().get(path, buffered=True).headers


# What a form of the pages about people, tournaments and apps cannot use is refused in words that say what to do.

WORDS = {"empty": "", "blank": " ", "long": "x" * 2001, "nul": "a\0b", "lines": "a\nb"}
TOURNAMENT = {"ruleset": "three-harbours", "seats": "2", "pace": "daily", "system": "swiss", "access": "public"}
TOURNAMENT |= {"next_round": "host"}
ALERT = re.compile(r'role="alert">\s*(.+?)\s*</p>', re.DOTALL)


def forms(games: Games, one: Person, other: Person) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield where each form leads, the field that is written into, and the other fields."""
    called(games, other, handle := f"u{uuid4().hex[:12]}")
    game = started(games, "sealed-bids", [one, other, bob(games)]).game.id
    hosted, joined = tournament_of(games, one).id, tournament_of(games, other).id
    yield f"/players/{handle}/report", "text", {}
    yield f"/players/{handle}/challenge", "ruleset", {}
    yield f"/games/{game}/report", "text", {"seat": 1}
    yield f"/tournaments/{joined}/report", "text", {}
    yield f"/tournaments/{hosted}/invite", "to", {}
    yield "/tournaments/new", "title", TOURNAMENT
    yield "/tournaments/new", "ruleset", TOURNAMENT | {"title": "Spring Cup"}
    yield "/settings/apps", "name", {"redirect_uris": "https://app.example.org/back"}
    yield "/settings/apps", "redirect_uris", {"name": "Abacus"}
    yield "/people/challenge", "to", {"ruleset": "new-corp-order"}
    yield "/bots", "to", {"ruleset": "new-corp-order"}


@pytest.mark.parametrize("language", languages())
def test_a_form_that_cannot_be_used_says_what_to_do(app: Flask, games: Games, language: str) -> None:
    one, other = alice(games), bob(games)
    web = browser(app, games, one)
    key = form_on(web.get("/tournaments/new"), "/tournaments/new").hidden
    silent = []
    for action, field, rest in forms(games, one, other):
        for kind, words in WORDS.items():
            answer = web.post(f"{action}?language={language}", data={**key, **rest, field: words})
            said = ALERT.search(answer.text)
            if not (400 <= answer.status_code < 500 and said and Sound(answer.text).wrong == []):
                silent.append((action, field, kind, answer.status_code))
    assert silent == []


def test_a_title_or_a_number_of_rounds_that_no_tournament_has_is_named(app: Flask, games: Games) -> None:
    web = browser(app, games, alice(games))
    key = form_on(web.get("/tournaments/new"), "/tournaments/new").hidden
    for wrong, text in (
        ({"title": "a\u202eb"}, "name-unseen"),
        ({"title": "x" * 61}, "new-bad-form"),
        ({"rounds": "16"}, "tournament-bad-rounds"),
        ({"rounds": "\N{GAME DIE}"}, "tournament-bad-rounds"),
    ):
        answer = web.post("/tournaments/new", data={**key, **TOURNAMENT, "title": "Spring Cup", **wrong})
        assert answer.status_code == 422 and f'role="alert">{say("en", text)}' in answer.text


def test_what_was_written_stands_in_the_form_again(app: Flask, games: Games) -> None:
    other, handle = bob(games), f"u{uuid4().hex[:12]}"
    called(games, other, handle)
    web = browser(app, games, alice(games))
    key = form_on(web.get("/tournaments/new"), "/tournaments/new").hidden
    answer = web.post(f"/players/{handle}/report", data={**key, "text": f"<b>{'x' * 500}"})
    assert f'value="&lt;b&gt;{"x" * 500}"' in answer.text and "<details open>" in answer.text
    hosted = tournament_of(games, other).id
    answer = web.post(f"/tournaments/{hosted}/report", data={**key, "text": "The title is an insult."})
    assert answer.headers["Location"] == "/reports?sent="
    for said in ("The name is an insult. \N{GAME DIE}", "é" * 500):
        assert web.post(f"/players/{handle}/report", data={**key, "text": said}).status_code == 303


# Another's private game is answered as a game that does not exist, whatever is asked or sent, and never by a 500.

NUL = "\x00"
GOOD = {
    "chosen": "draw-at-once", "confirm": "yes", "decision": "1", "email": "eve@example.org", "first": "1",
    "level": "random", "message": "Join us!", "notation": "bid 1", "press": "1", "seat": "1", "seq": "1", "sure": "yes",
    "text": "Good luck!", "until": "2026-12-24T18:00:00",
}  # fmt: skip
"""Fields of the forms with values that one of them accepts."""
FORMS: tuple[Mapping[str, str], ...] = (
    {},
    GOOD,
    dict.fromkeys(GOOD, NUL),
    dict.fromkeys(GOOD, "x" * 5_000),
    dict.fromkeys(GOOD, ""),
)
BODIES: tuple[Any, ...] = (None, {}, [], {"decision": 1, "notation": "bid 1"}, dict.fromkeys(GOOD, NUL))
QUERIES = ("", "?seat=0&at=1&limit=1", "?seat=-1&at=9999999999&after=x&limit=x&language=xx")
_OF_THE_ANSWER = re.compile(r'nonce-[\w+/=-]+|nonce="[^"]*"|"request_id": ?"\w+"')
"""Parts drawn anew for each answer."""


@pytest.fixture
def foreign(games: Games) -> dict[str, UUID]:
    """Private games of other people, by what has become of them."""
    people = [alice(games), bob(games), carol(games)]
    cancelled = table_for(games, "sealed-bids", people[0], 3, Terms())
    lobby.cancel_game(games, cancelled, people[0].id)
    runs = running(games, "sealed-bids", people, Terms())
    over = finished(games, running(games, "sealed-bids", people, Terms()))
    return {
        "open": table_for(games, "sealed-bids", people[0], 3, Terms()),
        "cancelled": cancelled,
        "running": runs.game.id,
        "finished": over.game.id,
    }


@pytest.fixture
def stranger(games: Games) -> Person:
    return register(games, "Dan", None, "en")


def of_games(app: Flask, *, api: bool) -> Iterator[Rule]:
    """The addresses below which games are, of the API or of the pages."""
    for rule in app.url_map.iter_rules():
        if "game_id" in rule.arguments and rule.rule.startswith("/api/") == api:
            yield rule


def addressed(rule: Rule, game: UUID) -> Iterator[str]:
    """The paths of an address, one for each word where it has a choice of words."""
    words = re.search(r"<any\(([^)]*)\):\w+>", rule.rule)
    for word in words[1].split(",") if words else [""]:
        path = re.sub(r"<any\([^>]*>", word.strip(), rule.rule)
        path = re.sub(r"<(?:uuid:)?game_id>", str(game), path)
        path = re.sub(r"<uuid:\w+>", str(UUID(int=7)), path)
        path = re.sub(r"<int:\w+>", "1", path)
        yield re.sub(r"<\w+>", "points", path)


def answer_of(answer: TestResponse, game: UUID) -> tuple[Any, ...]:
    """Return an answer for comparison: without the id of the game and what is drawn anew for each answer."""
    assert answer.status_code < 500, answer.request.path
    headers = {name: value for name, value in answer.headers if name not in {"Set-Cookie", "X-Request-Id"}}
    text = _OF_THE_ANSWER.sub("", answer.text + repr(sorted(headers.items())))
    return answer.status_code, text.replace(str(game), "GAME")


def form_key(web: FlaskClient) -> dict[str, str]:
    """The key of the visitor's forms, none for who is not signed in."""
    forms = Page(web.get("/settings").text).forms
    return {"form_key": forms[0].hidden["form_key"]} if forms and "form_key" in forms[0].hidden else {}


@pytest.mark.parametrize("known", [True, False])
def test_pages_and_forms_tell_no_private_game_from_one_that_does_not_exist(
    app: Flask, games: Games, foreign: dict[str, UUID], stranger: Person, known: bool
) -> None:
    web = browser(app, games, stranger if known else None)
    key, asked = form_key(web), 0
    for rule in of_games(app, api=False):
        for method in rule.methods or ():
            for sent in (None,) if method in {"GET", "HEAD", "OPTIONS"} else FORMS:
                for query in QUERIES if sent is None else QUERIES[:1]:
                    answers = {}
                    for what, game in {"unknown": uuid4(), **foreign}.items():
                        for path in addressed(rule, game):
                            data = None if sent is None else {**key, **sent}
                            answer = web.open(path + query, method=method, data=data)
                            answers[what, path.replace(str(game), "GAME")] = answer_of(answer, game)
                            asked += 1
                    for (what, path), answer in answers.items():
                        assert answer == answers["unknown", path], (what, method, path, query, sent)
    assert asked > 500


def test_the_api_tells_no_private_game_from_one_that_does_not_exist(
    app: Flask, foreign: dict[str, UUID], stranger: Person
) -> None:
    caller, asked = Caller(app.test_client()).by(stranger), 0
    for rule in of_games(app, api=True):
        for method in rule.methods or ():
            for body in (None,) if method in {"GET", "HEAD", "OPTIONS"} else BODIES:
                for query in QUERIES if body is None else QUERIES[:1]:
                    answers = {}
                    for what, game in {"unknown": uuid4(), **foreign}.items():
                        for path in addressed(rule, game):
                            answer = caller.call(method, path.removeprefix("/api/v1") + query, body)
                            answers[what, path.replace(str(game), "GAME")] = answer_of(answer, game)
                            asked += 1
                    for (what, path), answer in answers.items():
                        assert answer == answers["unknown", path], (what, method, path, query, body)
    assert asked > 500
