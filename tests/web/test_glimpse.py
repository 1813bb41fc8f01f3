"""A game in a list is seen at a glance: a small picture of its board, for those who may see the game."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers.resign import resign
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.games import Games
from tests.browsing import browser
from tests.builders import opened, started
from tests.people import alice, bob, carol

CELL = "{http://www.w3.org/2000/svg}rect"


@pytest.mark.parametrize(("ruleset", "cells"), [("new-corp-order", 12), ("sealed-bids", 3)])
def test_my_games_show_the_board_of_each_game_that_has_begun(
    app: Flask, games: Games, ruleset: str, cells: int
) -> None:
    people = [alice(games), bob(games), carol(games)]
    wanted = people if ruleset == "sealed-bids" else people[:2]
    game, waiting = started(games, ruleset, wanted).game.id, opened(games, ruleset, wanted)
    web = browser(app, games, people[0])
    drawn = re.findall(r'<img class="glimpse" src="([^"]+)" alt="[^"]+"', web.get("/games").text)
    assert drawn == [f"/games/{game}/glimpse.svg"] and str(waiting) not in drawn[0]
    picture = web.get(drawn[0])
    assert picture.content_type == "image/svg+xml; charset=utf-8"
    ground, *squares = fromstring(picture.text).iter(CELL)
    assert len(squares) == cells
    assert {ground.get("fill")}.isdisjoint(each.get("fill") for each in squares)
    again = web.get(drawn[0], headers={"If-None-Match": picture.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_nobody_sees_a_game_at_a_glance_who_may_not_see_it(app: Flask, games: Games) -> None:
    person = alice(games)
    position = started(games, "new-corp-order", [person])
    resign(games, position.game.id, person.id, "web", clock.now())
    path, waiting = f"/games/{position.game.id}/glimpse.svg", opened(games, "new-corp-order", [person, bob(games)])
    assert browser(app, games, person).get(path).status_code == 200
    assert browser(app, games, bob(games)).get(path).status_code == 404
    assert browser(app, games, person).get(f"/games/{waiting}/glimpse.svg").status_code == 404


def test_the_start_page_shows_the_board_of_a_game_that_runs(app: Flask, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    started(games, "new-corp-order", people[:2])
    newer = started(games, "sealed-bids", people).game.id
    page = app.test_client().get("/?language=en").text
    live = page.partition('<section class="card" aria-labelledby="live">')[2].partition("</section>")[0]
    # A board that can be seen at a glance goes before a newer game that has none.
    (shown,) = re.findall(r'href="/games/([0-9a-f-]{36})"', live)
    with transaction(games.engine) as db:
        ruleset = db.execute(text("select ruleset from game where id = :shown"), {"shown": shown}).scalar_one()
    assert ruleset == "new-corp-order" and shown != str(newer)
    assert live.count('class="t-sq') == 12
    shelf = page.partition('<section class="shelf"')[2].partition("</section>")[0]
    assert [each.count("t-edge") for each in shelf.split("<li")[1:]] == [12, 3, 4, 10]
