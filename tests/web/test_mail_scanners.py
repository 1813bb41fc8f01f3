"""Programs that open the links of mails change nothing, and links leak to nobody."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.handlers import links
from service.local.servers import LocalServers
from service.runtime import Runtime
from service.store.games import Games, Position
from tests.builders import now_at, sealed_bids, started
from tests.house import forget_what_is_due
from tests.letters import PRESSED, Letter, Page, letters, link, press
from tests.mail.test_play import dump
from tests.mail_corpus import every_kind
from tests.people import alice, bob, carol
from tests.rules.playouts import times
from workers.relay import Relay

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
    """Return whether the page gives the link in its address to nobody: no cache, no index, no frame, no other site."""
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


# Whoever looks changes nothing, whoever has one link has no other, and no link is found where it does not belong.

ALICE, BOB, CAROL = 0, 1, 2
URL = re.compile(r"https?://[^\s\"<>]+")
GOOD_URL = re.compile(r"[a-z0-9/.:_-]+[a-z0-9]")


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


@pytest.fixture(scope="module")
def tables(runtime: Runtime) -> list[UUID]:
    """Two games of New Corp Order and one in which all act at once."""
    games = runtime.games
    corps = [started(games, "new-corp-order", [alice(games), bob(games), carol(games)]) for _ in range(2)]
    return [each.game.id for each in (*corps, sealed_bids(games))]


@settings(times(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    table=st.integers(0, 2),
    holder=st.integers(0, 2),
    claimed=st.integers(0, 2),
    ahead=st.sampled_from([0, 0, -1, 1, 2]),
    told=st.sampled_from([0, 0, -1, 1, 2]),
    lot=st.integers(0, 10_000),
)
def test_whatever_a_form_claims_a_link_plays_for_its_own_game_seat_and_decision_or_not_at_all(
    web: FlaskClient,
    games: Games,
    tables: list[UUID],
    table: int,
    holder: int,
    claimed: int,
    ahead: int,
    told: int,
    lot: int,
) -> None:
    before = [now_at(games, game) for game in tables]
    there, other = before[table], before[(table + 1) % len(tables)]
    if not there.awaited:
        return
    decision = there.decision + ahead
    legal = there.ruleset.legal(there.state, min(there.awaited) if holder not in there.awaited else holder)
    fields = {"seat": claimed, "game": str(other.game.id), "player": str(there.seats[claimed].player_id), "sure": "yes"}
    notation = there.ruleset.notate(legal[lot % len(legal)])
    answer = press(web, link(games, there, holder, decision), notation, decision=there.decision + told, **fields)
    good = (ahead, told) == (0, 0) and holder in there.awaited
    assert answer.status_code == (200 if good else 409)
    moved = [now_at(games, game).version > position.version for game, position in zip(tables, before, strict=True)]
    assert moved == [good and number == table for number in range(len(tables))]
    with games.engine.connect() as db:
        query = text("select seat, decision from event where game_id = :game and seq = :seq")
        played = db.execute(query, {"game": there.game.id, "seq": there.version + 1}).one_or_none()
    assert played == ((holder, decision) if good else None)


def test_every_page_behind_a_link_keeps_it_from_leaking_and_takes_forms_from_wherever(
    web: FlaskClient, games: Games
) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    looked = [
        path,
        f"{path}/all/1",
        f"{path}/hold",
        f"{path}/castle",
        f"{path}?way=0",
        f"{path}/link/others",
        "/t/none/hold",
    ]
    answers = [web.get(each) for each in looked] + [web.head(each) for each in looked]
    for origin in ({"Origin": "null"}, {}):
        own = link(games, position, ALICE)
        answers.append(web.post(f"{own}/hold", data={"decision": position.decision}, headers=origin))
        answers += [web.post(f"{own}/link/back", data=PRESSED, headers=origin), web.get(f"{own}/hold")]
        path = link(games, position, ALICE)
        answers += [web.post(f"{path}/link/{name}", data=PRESSED, headers=origin) for name in ("fresh", "others")]
    assert {answer.status_code for answer in answers[14:]} == {200, 410}
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
    web: FlaskClient,
    runtime: Runtime,
    games: Games,
    mailbox: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    position = sealed_bids(games)
    with caplog.at_level(logging.DEBUG):
        paths = [link(games, position, seat) for seat in (ALICE, BOB)]
        onward = Page(web.get(paths[ALICE]).text).links
        for path in (*paths, *onward):
            web.get(path)
        web.get(f"{paths[ALICE]}/hold")
        web.get(f"{paths[ALICE]}/%00")
        web.post(f"{paths[ALICE]}/hold", data={"decision": position.decision})
        for name in ("back", "fresh", "others", "nothing"):
            web.post(f"{paths[ALICE]}/link/{name}", data=PRESSED)
        web.post(f"{paths[BOB]}/link/others", data=PRESSED)
        mails = mailed(runtime, mailbox, position)
    tokens = {path[len("/t/") :] for path in paths} | {mail.token for mail in mails if mail.asks}
    assert len(tokens) >= 4
    stored = "\n".join(dump(games))
    # The mail server of the tests writes down what it receives.
    noted = [record.getMessage() for record in caplog.records if record.name != "mail.log"]
    logged = "\n".join([*noted, capfd.readouterr().err])
    assert "/t/<token>" in logged
    for token in tokens:
        assert token not in logged
        assert token not in stored
        assert links.stored(token) is not None
