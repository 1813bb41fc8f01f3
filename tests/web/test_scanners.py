"""Programs that open whatever is in a mail change nothing, however often and in whatever way they look."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.local.servers import LocalServers
from service.runtime import Runtime
from tests.house import forget_what_is_due
from tests.letters import Page
from tests.mail.test_play import dump
from tests.mail_corpus import every_kind
from tests.web.test_links_leak_nothing import GOOD_URL, urls

LONGEST_URL = 69
CAPABILITIES = {"t", "u", "join", "confirm", "sign-in"}
PRIVATE = ("same-origin", "no-store", "noindex", "DENY")


@pytest.fixture(scope="module")
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def behind(web: FlaskClient, path: str) -> set[str]:
    """The page at the path, and all that its links and forms lead to in this house."""
    page = Page(web.get(path).text)
    found = {each.partition("#")[0] for each in (*page.links, *(form.action for form in page.forms))}
    return {path, *(each for each in found if each.startswith("/") and not each.startswith("//"))}


def keeps_its_address(page: TestResponse) -> bool:
    """Whether the page gives the link in its address to nobody: no cache, no index, no frame, no other site."""
    told = page.headers
    private = (told["Referrer-Policy"], told["Cache-Control"], told["X-Robots-Tag"], told["X-Frame-Options"])
    policy = told["Content-Security-Policy"]
    return private == PRIVATE and policy.startswith("default-src 'none'") and "unsafe" not in policy


@pytest.fixture(scope="module")
def addresses(runtime: Runtime, servers: LocalServers) -> set[str]:
    """The addresses in every kind of mail, which these tests only look at."""
    forget_what_is_due(runtime)
    for mail in servers.mailbox.iterdir():
        mail.unlink()
    return set().union(*(urls(mail) for mail in every_kind(runtime, servers.mailbox)))


def test_every_page_behind_a_link_of_any_kind_of_mail_keeps_it_from_leaking(
    web: FlaskClient, runtime: Runtime, addresses: set[str]
) -> None:
    paths = {urlsplit(url).path for url in addresses if url.startswith(runtime.settings.base_url)}
    of_tokens = [path for path in sorted(paths) if path.split("/")[1] in CAPABILITIES]
    assert {path.split("/")[1] for path in of_tokens} == CAPABILITIES
    for path in of_tokens:
        _, kind, token, *rest = path.split("/")
        unknown = "/".join(("", kind, "a" * len(token), *rest))
        pages = [web.get(path), web.get(unknown), web.post(unknown, headers={"Origin": "null"})]
        assert {page.status_code for page in pages} <= {200, 404, 405, 410}
        for page in (page for page in pages if page.status_code != 405):
            assert keeps_its_address(page) and "Set-Cookie" not in page.headers, path


_GAME = re.compile(r"/games/([0-9a-f-]{36})")


@pytest.mark.parametrize("times", [1, pytest.param(100, marks=pytest.mark.slow)])
def test_looking_at_any_address_of_any_kind_of_mail_changes_nothing(
    web: FlaskClient, runtime: Runtime, addresses: set[str], times: int
) -> None:
    ours = {urlsplit(url).path for url in addresses if url.startswith(runtime.settings.base_url)}
    assert {path.split("/")[1] for path in ours} >= {
        "t",
        "u",
        "join",
        "confirm",
        "sign-in",
        "games",
        "settings",
        "rules",
    }
    assert all(len(url) <= LONGEST_URL and GOOD_URL.fullmatch(url) for url in addresses)
    before = dump(runtime.games)
    # What is behind the pages, too, is opened by some: once, since there is much of it.
    found = set().union(*(behind(web, path) for path in ours)) - ours
    # Public games of other tests may have been altered.
    games = {game for path in ours for game in _GAME.findall(path)}
    further = {path for path in found if set(_GAME.findall(path)) <= games}
    for path in sorted(ours) * times + sorted(further):
        for method in ("GET", "HEAD", "OPTIONS"):
            assert web.open(path, method=method).status_code < 500
    assert dump(runtime.games) == before


@pytest.mark.parametrize(
    "sent",
    [
        {},
        pytest.param({"json": {}}, marks=pytest.mark.slow),
        pytest.param({"data": b"ping"}, marks=pytest.mark.slow),
        pytest.param({"data": {"utm_source": "mail"}}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_a_post_without_the_form_of_the_page_changes_nothing_at_any_address_of_any_kind_of_mail(
    web: FlaskClient, runtime: Runtime, addresses: set[str], sent: dict[str, Any]
) -> None:
    ours = {urlsplit(url).path for url in addresses if url.startswith(runtime.settings.base_url)}
    before = dump(runtime.games)
    behind_them = set().union(*(behind(web, path) for path in ours))
    acting = {path for path in behind_them if path.split("/")[1] in CAPABILITIES}
    assert {path.split("/")[1] for path in acting} == CAPABILITIES
    assert {path.rpartition("/link/")[2] for path in acting if "/link/" in path} >= {"others"}
    for path in sorted(behind_them):
        answer = web.post(path, **sent)
        assert answer.status_code in {303, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422}, path
    assert dump(runtime.games) == before
