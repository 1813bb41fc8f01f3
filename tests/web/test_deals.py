"""The page of a day's deal, and its card on the start page: playing at once, and results when they may be known."""

from __future__ import annotations

from uuid import uuid4

import pytest
from flask import Flask

from service.handlers import handles
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.browsing import browser, send
from tests.dealing import commit, counted, dealing, played, today, tried
from tests.people import Person, alice, bob

__all__ = ["dealing"]


@pytest.fixture
def bob_has_tried(dealing: Runtime, games: Games) -> Person:
    """Bob, who has played today's deal to its end and stands in its table."""
    commit(dealing, today())
    person = bob(games)
    handles.take(games, person.id, f"bob-{uuid4().hex[:8]}", clock.now())
    counted(dealing, games, played(games, tried(games, person, clock.now()), moment=clock.now()).game.id)
    return person


@pytest.mark.usefixtures("bob_has_tried")
def test_a_stranger_tries_the_deal_with_one_press_and_sees_nobodys_result_before(app: Flask, games: Games) -> None:
    web = browser(app, games)
    assert "1 person has a result." in web.get("/").text
    for path in ("/", "/deal"):
        assert "Try today’s deal" in web.get(path).text
        assert "<bdi>Bob</bdi></span><progress" not in web.get(path).text
    answer = send(web, "/", "/deal")
    assert "/games/" in answer.headers["Location"]
    assert web.get(answer.headers["Location"]).status_code == 200
    again = send(web, "/", "/play")
    assert again.status_code == 303
    assert "Your try is not over yet." in web.get("/deal").text
    assert "Go on with your try" in web.get("/").text
    assert web.post("/deal").status_code == 403


def test_who_has_tried_sees_the_table_and_what_proves_the_cards(
    app: Flask, games: Games, bob_has_tried: Person
) -> None:
    web = browser(app, games, bob_has_tried)
    page = web.get("/deal?language=en").text
    assert "place 1" in page
    assert "<b>1</b><span>You</span>" in page
    assert "Fixed before the first try" in page
    assert "Rehearsing the same cards before, without signing in, cannot be prevented" in page
    assert "<b>1</b><span>You</span>" in web.get("/?language=en").text


@pytest.mark.usefixtures("bob_has_tried")
def test_hints_analysis_fork_and_record_are_not_offered_while_the_day_runs(
    app: Flask, games: Games, dealing: Runtime
) -> None:
    me = alice(games)
    running = tried(games, me, clock.now())
    game = f"/games/{running.game.id}"
    web = browser(app, games, me)
    assert f"{game}/hint" not in web.get(game).text
    played(games, running, moment=clock.now())
    assert f"{game}/fork" not in web.get(f"{game}/replay").text
    assert f"{game}/analysis" not in web.get(f"{game}/replay").text
    assert web.get(f"{game}/record.jsonl").status_code == 404
    assert f"{game}/record.jsonl" not in web.get(f"{game}/proof").text
    counted(dealing, games, running.game.id)


def test_without_a_deal_the_pages_say_so(app: Flask, games: Games, dealing: Runtime) -> None:
    web = browser(app, games)
    assert "There is no deal today." in web.get("/deal").text
    assert "deal" not in web.get("/").text
    assert web.get("/deal/nonsense").status_code == web.get("/deal/1999-01-01").status_code == 404
