"""The page behind a mail's link: looking changes nothing, one press plays, and a link that is done says so."""

from __future__ import annotations

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.store.games import Games, Position
from tests.builders import act, now_at, sealed_bids, started
from tests.games.sealed_bids.actions import Bid, Hold
from tests.letters import Page, buttons, link, press
from tests.people import alice, bob

ALICE, BOB, CAROL = 0, 1, 2


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def facts(games: Games, position: Position) -> tuple[Any, ...]:
    """All that a visit could change."""
    query = text(
        "select (select count(*) from event where game_id = :game),"
        " (select count(*) from outbox where game_id = :game),"
        " (select count(*) from action_link where game_id = :game), (select version from game where id = :game)"
    )
    with games.engine.connect() as db:
        return tuple(db.execute(query, {"game": position.game.id}).one())


def test_looking_shows_the_table_and_behind_it_is_a_button_for_every_legal_action(
    web: FlaskClient, games: Games
) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    response = web.get(path)
    assert response.status_code == 200
    assert f"Hand: {', '.join(map(str, position.state.hands[ALICE]))}" in response.text
    assert "Bob gets 3 cards." in response.text
    assert f"{path}/all/0" in Page(response.text).links
    offered = [offer["notation"] for offer in buttons(web, path)]
    assert offered == [position.ruleset.notate(action) for action in position.ruleset.legal(position.state, ALICE)]


def test_looking_often_and_in_every_way_changes_nothing(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    before = facts(games, position)
    for _ in range(25):
        assert web.get(path).status_code == 200
        assert web.head(path).status_code == 200
        web.options(path)
        assert web.put(path).status_code == 405
    assert facts(games, position) == before


def test_every_form_goes_to_the_link_itself_and_what_plays_names_the_decision(web: FlaskClient, games: Games) -> None:
    path = link(games, sealed_bids(games), ALICE)
    pages = [Page(web.get(f"{path}{behind}").text) for behind in ("", "/hold", "/all/0")]
    written = (f"{path}#act", {"decision": "1"}, ["notation"])
    assert [[(form.action, form.hidden, form.inputs) for form in page.forms] for page in pages] == [
        [written],
        [(path, {"decision": "1", "notation": "hold"}, []), written],
        [(path, {"decision": "1"}, [])],
    ]
    assert all("script" not in page.tags for page in pages)


def test_one_press_plays_the_action_through_the_links_door(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    card = position.state.hands[ALICE][0]
    response = press(web, link(games, position, ALICE), f"bid {card}")
    assert response.status_code == 200
    assert "Your move has been played" in response.text
    assert f"Bid {card}." in response.text
    assert now_at(games, position.game.id).state.sealed == {ALICE: card}
    with games.engine.connect() as db:
        query = text("select door, seat, decision from event where game_id = :game order by seq desc limit 1")
        assert tuple(db.execute(query, {"game": position.game.id}).one()) == ("link", ALICE, 1)


def test_a_typed_notation_is_looked_at_first_and_then_one_press_plays_it(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    (typed,) = Page(web.get(path).text).forms
    looked = web.get(path, query_string={**typed.hidden, typed.inputs[0]: "  H "})
    assert (looked.status_code, "Hold the cards." in looked.text) == (200, True)
    assert now_at(games, position.game.id).version == position.version
    confirm = Page(looked.text).confirm
    assert (confirm.action, confirm.hidden["notation"]) == (path, "hold")
    assert web.post(confirm.action, data=confirm.hidden).status_code == 200
    assert now_at(games, position.game.id).state.sealed == {ALICE: None}
    assert press(web, link(games, position, BOB), "  H ").status_code == 200


@pytest.mark.parametrize("origin", [None, "null", "http://127.0.0.1:8000"])
def test_a_form_is_accepted_whatever_origin_the_browser_tells(
    web: FlaskClient, games: Games, origin: str | None
) -> None:
    path = link(games, sealed_bids(games), ALICE)
    headers = {} if origin is None else {"Origin": origin}
    assert web.post(path, data={"decision": 1, "notation": "hold"}, headers=headers).status_code == 200


def test_of_twenty_presses_at_the_same_time_one_plays_and_the_others_are_told(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)

    def once(_: int) -> TestResponse:
        return press(app.test_client(use_cookies=False), path, "hold")

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(once, range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert all("Hold the cards." in answer.text for answer in answers)
    assert now_at(games, position.game.id).version == position.version + 1


def test_the_last_move_of_a_game_shows_its_result(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    while len(position.ruleset.to_act(position.state)) > 1 or position.state.lot < 3:
        position = act(games, position, min(position.ruleset.to_act(position.state)), Hold()).position
    (seat,) = position.ruleset.to_act(position.state)
    response = press(web, link(games, position, seat, 3), "hold", decision=3, sure="yes")
    assert response.status_code == 200
    assert "Alice, Bob et Carol" in response.text


def test_a_link_plays_for_its_own_seat_game_and_decision_only(web: FlaskClient, games: Games) -> None:
    position, other = sealed_bids(games), sealed_bids(games)
    for game in (position, other):
        for seat in (ALICE, BOB, CAROL):
            path = link(games, game, seat, decision=2)
            assert press(web, path, "hold", decision=1).status_code == 409
            assert press(web, path, "hold", decision=2).status_code == 409
    assert press(web, link(games, position, BOB), "hold", seat=ALICE, game=str(other.game.id)).status_code == 200
    assert now_at(games, position.game.id).state.sealed == {BOB: None}
    assert now_at(games, other.game.id).state.sealed == {}


@pytest.mark.parametrize("decision", ["2", "", "one", "9" * 30])
def test_a_form_for_another_decision_plays_nothing(web: FlaskClient, games: Games, decision: str) -> None:
    position = sealed_bids(games)
    response = press(web, link(games, position, ALICE), "hold", decision=decision)
    assert response.status_code == 409
    assert "made for another move" in response.text
    assert now_at(games, position.game.id).version == position.version


def test_an_action_against_the_rules_is_refused_with_the_reason_and_can_be_corrected(
    web: FlaskClient, games: Games
) -> None:
    position = sealed_bids(games)
    (foreign, *_) = {*range(1, 21)} - {*position.state.hands[ALICE]}
    path = link(games, position, ALICE)
    for response in (press(web, path, f"bid {foreign}"), web.get(path, query_string={"notation": f"bid {foreign}"})):
        assert response.status_code == 409
        assert f"That is not possible: Card {foreign} is not in the hand." in response.text
        assert f'value="bid {foreign}"' in response.text
        assert Page(response.text).picks
    assert now_at(games, position.game.id).version == position.version


@pytest.mark.parametrize("written", ["", "castle", '"><script>alert(1)</script>', "bid \x00", "x" * 5000, "ß💥"])
def test_what_cannot_be_read_is_refused_and_never_repeated_as_markup(
    web: FlaskClient, games: Games, written: str
) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    usual = len(web.get(path).text)
    for response in (press(web, path, written), web.get(path, query_string={"notation": written})):
        assert response.status_code == 400
        assert "is not a move of the game" in response.text
        assert "<script" not in response.text
        assert len(response.text) < usual + 1000
    assert now_at(games, position.game.id).version == position.version


def test_a_word_that_is_no_action_is_quoted_as_it_was_typed_along_with_what_to_write(
    web: FlaskClient, games: Games
) -> None:
    position = started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": ALICE})
    said = unescape(press(web, link(games, position, ALICE), "Castle").text)
    assert 'is not a move of the game: "Castle" (P 2 D | ' in said


def test_every_answer_of_a_link_keeps_it_from_leaking(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    answers = [web.get(path), web.head(path), press(web, path, "castle"), press(web, path, "hold"), web.get(path)]
    answers += [press(web, path, "hold"), web.get("/t/unknown")]
    answers += [web.get(path + mistyped) for mistyped in ("/link/nothing", "/link/fresh")]
    answers += [web.get(path.replace("/t/", "/join/") + "/neve"), web.put(path)]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [200, 200, 400, 200, 410, 409, 404, 404, 405, 404, 405]
    for answer in answers:
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert answer.headers["X-Frame-Options"] == "DENY"
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "Set-Cookie" not in answer.headers


def test_a_page_asks_for_nothing_but_its_own_style_font_and_icon_and_does_not_tell_them_the_link(
    web: FlaskClient, games: Games
) -> None:
    page = web.get(link(games, sealed_bids(games), ALICE)).text
    asked = re.findall(r"<link [^>]*>", page)
    assert asked and all('referrerpolicy="no-referrer"' in each for each in asked)
    assert not re.search(r"https?://|src=|style=|\bon\w+=", page)
    for each in asked:
        href = re.search(r'href="(/(?:look|rules)/[^"]+)"', each)
        assert href
        with web.get(href[1]) as sheet:
            assert sheet.mimetype in ("text/css", "image/svg+xml", "font/woff2")


def test_no_token_gets_into_a_log_or_the_log_of_the_game(
    web: FlaskClient, games: Games, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    with caplog.at_level(logging.DEBUG):
        for notation in ("castle", "bid 99", "hold", "hold"):
            web.get(path)
            press(web, path, notation)
    token = path.rpartition("/")[2]
    printed = capfd.readouterr()
    assert token not in caplog.text + printed.out + printed.err
    with games.engine.connect() as db:
        for table in ("event", "outbox", "action_link", "idempotency"):
            rows = db.execute(text(f"select * from {table}")).all()
            assert all(token not in str(tuple(row)) for row in rows)


def test_a_players_name_cannot_bring_markup_into_a_page(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    name = "<img src=x>"
    with games.engine.begin() as db:
        changed = {"name": name, "id": position.seats[BOB].player_id}
        db.execute(text("update player set name = :name where id = :id"), changed)
    page = web.get(link(games, position, ALICE)).text
    assert name not in page
    assert "&lt;img src=x&gt;" in page


def test_the_page_after_a_move_leads_on_when_the_same_seat_is_to_act_again(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    for seat in (BOB, CAROL):
        position = act(games, position, seat, Bid(card=position.state.hands[seat][0])).position
    path = link(games, position, ALICE)
    page = Page(press(web, path, "hold", sure="yes").text)
    (onward,) = (each for each in page.links if each.startswith("/t/") and not each.startswith(path))
    assert {sent["decision"] for sent in buttons(web, onward)} == {"2"}
    assert press(web, onward, "hold", decision=2).status_code == 200
