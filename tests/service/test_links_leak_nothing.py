"""Whoever looks changes nothing, whoever has one link has no other, and no link is found where it does not belong."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.handlers import links
from service.runtime import Runtime
from service.store.games import Games, Position
from tests.builders import now_at, sealed_bids, started
from tests.letters import Letter, Page, letters, link, press
from tests.people import alice, bob
from tests.service.test_mail_turns import dump
from workers.relay import Relay

ALICE, BOB, CAROL = 0, 1, 2
TIMES = 3
URL = re.compile(r"https?://[^\s\"<>]+")
GOOD_URL = re.compile(r"[a-z0-9/.:_-]+[a-z0-9]")


@pytest.fixture(scope="module")
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def mailed(runtime: Runtime, mailbox: Path, *games: Position) -> list[Letter]:
    """The mails about the games."""
    relay = Relay(replace(runtime, redis=None))
    while relay.drain():
        pass
    return [mail for game in games for mail in letters(mailbox, game.game.id)]


def urls(mail: Letter) -> set[str]:
    """Every address in the mail, of its text and of its HTML."""
    parts = [part for part in mail.message.walk() if part.get_content_maintype() == "text"]
    found = {url.rstrip(".,)") for part in parts for url in URL.findall(part.get_content())}
    return {url for url in found if "w3.org" not in url}


def test_looking_at_any_address_of_any_mail_changes_nothing(web: FlaskClient, runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    corp = started(games, "new-corp-order", [alice(games), bob(games)])
    mails = mailed(runtime, mailbox, corp, sealed_bids(games))
    addresses = set().union(*(urls(mail) for mail in mails))
    ours = {urlsplit(url).path for url in addresses if url.startswith(runtime.settings.base_url)}
    tokens = {path[: len("/t/") + 26] for path in ours if path.startswith("/t/")}
    assert len(mails) >= 4 and len(tokens) >= 4
    behind = {path for token in tokens for path in Page(web.get(token).text).links}
    pages = {*ours, *behind, *(f"{token}/link/{name}" for token in tokens for name in ("fresh", "others", "back"))}
    before = dump(games)
    for path in sorted(pages):
        for _ in range(TIMES):
            for method in ("GET", "HEAD", "OPTIONS"):
                web.open(path, method=method)
    assert dump(games) == before
    for url in addresses:
        if "/t/" in url:
            assert len(url) < 70 and GOOD_URL.fullmatch(url), url


def test_a_link_is_good_for_its_own_decision_of_its_own_seat_of_its_own_game(web: FlaskClient, games: Games) -> None:
    tables = [sealed_bids(games), sealed_bids(games)]
    good = list(product((0, 1), (ALICE, BOB, CAROL), (1, 2)))
    paths = {each: link(games, tables[each[0]], each[1], each[2]) for each in good}
    before = [table.version for table in tables]
    for one, other in product(good, good):
        if (one[2], other[2]) != (1, 1):
            fields = {"seat": other[1], "game": str(tables[other[0]].game.id), "decision": other[2]}
            assert press(web, paths[one], "hold", **fields).status_code == 409
    assert [now_at(games, table.game.id).version for table in tables] == before
    for number, seat in product((0, 1), (BOB, CAROL)):
        assert seat not in now_at(games, tables[number].game.id).state.sealed
        assert press(web, paths[number, seat, 1], "hold", seat=ALICE).status_code == 200
        assert seat in now_at(games, tables[number].game.id).state.sealed
    assert [sorted(now_at(games, table.game.id).state.sealed) for table in tables] == [[BOB, CAROL]] * 2


def test_every_page_behind_a_link_keeps_it_from_leaking_and_takes_forms_from_wherever(
    web: FlaskClient, games: Games
) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    looked = [path, f"{path}/hold", f"{path}/castle", f"{path}?way=0", f"{path}/link/others", "/t/none/hold"]
    answers = [web.get(each) for each in looked] + [web.head(each) for each in looked]
    for origin in ({"Origin": "null"}, {}):
        own = link(games, position, ALICE)
        answers.append(web.post(f"{own}/hold", headers=origin))
        answers += [web.post(f"{own}/link/back", headers=origin), web.get(f"{own}/hold")]
        path = link(games, position, ALICE)
        answers += [web.post(f"{path}/link/{name}", headers=origin) for name in ("fresh", "others")]
    assert {answer.status_code for answer in answers[12:]} == {200, 410}
    for answer in answers:
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert "Set-Cookie" not in answer.headers
        assert "<script" not in answer.text and "style=" not in answer.text


def test_no_token_gets_into_a_log_an_event_or_a_table(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path, caplog: pytest.LogCaptureFixture
) -> None:
    position = sealed_bids(games)
    with caplog.at_level(logging.DEBUG):
        paths = [link(games, position, seat) for seat in (ALICE, BOB)]
        onward = Page(web.get(paths[ALICE]).text).links
        for path in (*paths, *onward):
            web.get(path)
        web.get(f"{paths[ALICE]}/hold")
        web.get(f"{paths[ALICE]}/%00")
        web.post(f"{paths[ALICE]}/hold")
        for name in ("back", "fresh", "others", "nothing"):
            web.post(f"{paths[ALICE]}/link/{name}")
        web.post(f"{paths[BOB]}/link/others")
        mails = mailed(runtime, mailbox, position)
    tokens = {path[len("/t/") :] for path in paths} | {mail.token for mail in mails if mail.asks}
    assert len(tokens) >= 4
    stored = "\n".join(dump(games))
    # The mail server of the tests writes down what it receives.
    logged = "\n".join(record.getMessage() for record in caplog.records if record.name != "mail.log")
    assert "/t/<token>" in logged
    for token in tokens:
        assert token not in logged
        assert token not in stored
        assert links.stored(token) is not None
