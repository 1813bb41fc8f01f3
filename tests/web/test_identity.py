"""What all pages share: the mark that says whether a move waits, one small stylesheet, one font, the offline page."""

from __future__ import annotations

import re
from gzip import compress, decompress
from pathlib import Path

import pytest
from flask import Flask

import service.web
from service.store.games import Games
from service.texts.catalog import languages, say
from tests.browsing import browser
from tests.builders import act, first_legal, started
from tests.letters import Page
from tests.people import alice, bob, carol

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
