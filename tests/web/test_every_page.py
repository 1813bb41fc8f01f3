"""What holds for every page of the site: sound HTML, one language, a strict policy, nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.rules.typography import UNBREAKABLE_SPACE
from service.store.games import Games
from service.texts.catalog import languages
from tests.browsing import browser
from tests.builders import opened, sealed_bids, started
from tests.people import Person, alice, bob, carol, register

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
        """What is wrong."""
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
