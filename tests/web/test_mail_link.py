"""The pages behind the link of a turn mail: looking changes nothing, one press plays, past links say so."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from html import escape, unescape
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs
from sqlalchemy import event, text
from werkzeug.test import TestResponse

from service.app import create_app
from service.handlers import links, lobby, mail_preferences, sign_in
from service.handlers.links import Revocation
from service.handlers.people import Arrival
from service.handlers.play import resign
from service.handlers.refusals import NotOpen
from service.handlers.take_back import Wish, take_back
from service.handlers.talk import say
from service.rules.games.new_corp_order.actions import Infiltrate
from service.rules.lookahead import afterwards
from service.rules.tabletop.table import Table
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.texts.catalog import say as catalog_say
from service.views.dry_run import reveals
from tests.browsing import browser, form_on, send
from tests.builders import act, ending_on_resignation, finished, now_at, sealed_bids, started, table_for
from tests.games.sealed_bids.actions import Bid, Hold
from tests.handlers.test_resign import pending
from tests.letters import PRESSED, Letter, Page, buttons, letters, link, press
from tests.people import Person, alice, bob, carol
from tests.rest import Caller
from tests.rules.playouts import times
from tests.signing_in import mailed
from tests.web.test_table import Visit
from workers.jobs import carry_out
from workers.relay import Relay

ALICE, BOB, CAROL = 0, 1, 2


@pytest.fixture(scope="module")
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


# The page of a single move: it shows what would come of it, and one press plays it.

SCREENFUL = 24


def corp(games: Games) -> Position:
    """Alice's first turn in New Corp Order, against Bob."""
    return started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": ALICE})


def path_of(position: Position, page: str, action: Any) -> str:
    return f"{page}/{links.code(position.ruleset.notate(action))}"


def parts_of(address: str) -> int:
    """Count the parts of an action that the address has picked."""
    return len(parse_qs(urlsplit(address).query, keep_blank_values=True)) - 1


def reached(web: FlaskClient, path: str) -> set[str]:
    """The notations of all actions that the links of the page lead to, one part after the other."""
    seen, todo, found = {path}, [path], set()
    while todo:
        page = Page(web.get(todo.pop()).text)
        found |= {form.hidden["notation"] for form in page.forms if "notation" in form.hidden}
        todo += page.picks - seen
        seen |= page.picks
    return found


def open_action(position: Position) -> Any:
    """An action of Alice's that shows nothing but her own cards."""
    legal = position.ruleset.legal(position.state, ALICE)
    return next(each for each in legal if afterwards(position.ruleset, position.state, 2, ALICE, each) is not None)


def test_it_shows_the_action_and_what_comes_of_it_on_the_table_with_one_button(web: FlaskClient, games: Games) -> None:
    position = corp(games)
    action = open_action(position)
    path = path_of(position, link(games, position, ALICE), action)
    response = web.get(path)
    page = Page(response.text)
    assert response.status_code == 200
    seen = Table(position.ruleset, position.state, 2, ALICE, "en", ["Alice", "Bob"])
    assert escape(seen.preview(action).told.sentence) in response.text
    assert 'class="place' in response.text and " chosen" in response.text
    assert f"{path.rpartition('/')[0]}" == page.confirm.action
    assert page.confirm.hidden == {"decision": "1", "notation": position.ruleset.notate(action)}
    assert now_at(games, position.game.id).version == position.version


def test_where_something_hidden_would_be_shown_it_says_so(web: FlaskClient, games: Games) -> None:
    drawing = web.get(link(games, corp(games), ALICE) + "/p-d")
    position = sealed_bids(games)
    for seat in (CAROL, BOB):
        position = act(games, position, seat, Hold()).position
    last = web.get(link(games, position, ALICE) + "/hold")
    for page in (drawing, last):
        assert page.status_code == 200
        assert "This shows something hidden; it cannot be taken back." in page.text
    shown = web.get(path_of(position, link(games, sealed_bids(games), ALICE), Hold()))
    assert "This shows something hidden" not in shown.text


def test_the_page_is_the_same_whatever_is_hidden(runtime: Runtime, games: Games) -> None:
    position = sealed_bids(games)
    path = path_of(position, link(games, position, ALICE), Bid(card=position.state.hands[ALICE][0]))
    told = set()
    for state in (position.state, *position.ruleset.imagine(position.state, ALICE)[:3]):
        known = Games(games.engine, games.rulesets)
        known.committed(replace(position, folded=structs.replace(position.folded, state=state)))
        app = create_app(replace(runtime, games=known))
        told.add(app.test_client(use_cookies=False).get(path).text)
        assert now_at(known, position.game.id).state is state
    assert len(told) == 1


def test_one_press_plays_it_and_the_next_is_told_so(web: FlaskClient, games: Games) -> None:
    position = corp(games)
    action = open_action(position)
    path = path_of(position, link(games, position, ALICE), action)
    form = Page(web.get(path).text).confirm
    played = web.post(form.action, data=form.hidden)
    assert played.status_code == 200
    assert "Your move has been played" in played.text
    again = web.post(form.action, data=form.hidden)
    assert (again.status_code, web.get(path).status_code) == (409, 410)
    assert "nothing has been played just now" in again.text
    assert now_at(games, position.game.id).decision > position.decision


@pytest.mark.parametrize("code", ["castle", "bid-99", "x", "_", "%00", "a" * 3000, "bid_41x"])
def test_a_move_that_is_not_possible_shows_those_that_are_and_plays_nothing(
    web: FlaskClient, games: Games, code: str
) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    looked, pressed = web.get(f"{path}/{code}"), web.post(f"{path}/{code}", data={"decision": position.decision})
    assert (looked.status_code, pressed.status_code) == (404, 400)
    assert reached(web, path) == {*map(position.ruleset.notate, position.ruleset.legal(position.state, ALICE))}
    assert Page(looked.text).picks == Page(web.get(path).text).picks
    assert now_at(games, position.game.id).version == position.version


def test_an_action_is_picked_part_by_part_with_links_alone_a_screenful_at_a_time(
    web: FlaskClient, games: Games
) -> None:
    position, lots = corp(games), Random(3)
    for _ in range(4):
        address = path = link(games, position, ALICE)
        while (page := Page(web.get(address).text)) and not any("notation" in form.hidden for form in page.forms):
            further = {each for each in page.picks if parts_of(each) > parts_of(address)}
            assert 0 < len(further) <= SCREENFUL
            address = lots.choice(sorted(further))
        assert page.confirm.action == path
        action = position.ruleset.parse(page.confirm.hidden["notation"])
        assert action in position.ruleset.legal(position.state, ALICE)


@pytest.mark.parametrize("way", ["0", "0.1", "99", "0.0.0.0.0.0.0", "x", "-1", "1.", "9" * 500])
def test_a_way_of_an_older_page_shows_the_beginning(web: FlaskClient, games: Games, way: str) -> None:
    path = link(games, sealed_bids(games), ALICE)
    page = web.get(f"{path}?way={way}")
    assert page.status_code == 200
    assert Page(page.text).picks == Page(web.get(path).text).picks


def test_the_link_of_a_move_that_is_past_explains_itself(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, BOB)
    act(games, position, BOB, Bid(card=position.state.hands[BOB][0]))
    for answer in (web.get(f"{path}/hold"), web.post(f"{path}/hold")):
        assert answer.status_code in (409, 410)
        assert "Dieser Link wurde schon benutzt" in answer.text


# Behind a mailed link is the table: the same board, panels and log as on the site, for nobody but its player.

RULESETS = ("new-corp-order", "sealed-bids", "bastards-inc")
SCRIPTED = re.compile(r"<script|\bon\w+=|style=|form_key|https?://")


def played_on(games: Games, ruleset: str, decisions: int) -> Position:
    """A game of three after some random moves, at a decision of Alice's."""
    position, chance = started(games, ruleset, [alice(games), bob(games), carol(games)]), Random(decisions)
    while position.decision <= decisions or ALICE not in position.awaited:
        seat = min(position.awaited)
        position = act(games, position, seat, chance.choice(position.ruleset.legal(position.state, seat))).position
    return position


def part(page: str, name: str) -> str:
    """A section of a page by its id, as text without the addresses and the white space of its elements."""
    found = re.search(rf'<(section|div|nav) id="{name}".*?</\1>', page, re.DOTALL)
    assert found, name
    return " ".join(re.sub(r' href="[^"]*"', "", found[0]).split())


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_link_shows_the_table(web: FlaskClient, games: Games, ruleset: str) -> None:
    position = played_on(games, ruleset, 1 if ruleset == "sealed-bids" else 12)
    page = web.get(link(games, position, ALICE, position.decision)).text
    assert 'class="board"' in page and 'class="dock"' in page
    for name in ("felt", "act", "panels", "log"):
        assert f'id="{name}"' in page
    for seat in range(3):
        assert f'id="panel-{seat}"' in page
    assert not SCRIPTED.search(page)
    assert not [name for name in ("talk", "notes", "orders", "auto-answers") if f'id="{name}"' in page]


def test_what_has_changed_since_the_own_last_move_is_numbered_alike_on_the_board_and_in_the_log(
    web: FlaskClient, games: Games
) -> None:
    position = started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": ALICE})
    while ALICE in position.awaited:
        position = act(games, position, ALICE, position.ruleset.legal(position.state, ALICE)[0]).position
    while ALICE not in position.awaited:
        legal = position.ruleset.legal(position.state, BOB)
        wanted = next((each for each in legal if isinstance(each, Infiltrate)), legal[0])
        position = act(games, position, BOB, wanted).position
    page = web.get(link(games, position, ALICE, position.decision)).text
    on_board = {*re.findall(r'class="disc" data-n="(\d+)"', page), *re.findall(r'class="num mk"[^>]*>(\d+)<', page)}
    in_log = set(re.findall(r'class="ev new" data-n="(\d+)"', page))
    assert on_board and on_board <= in_log
    assert "Since your move" in page


def test_the_log_is_short_and_the_rest_of_it_is_behind_a_press(web: FlaskClient, games: Games) -> None:
    position = played_on(games, "new-corp-order", 60)
    page = web.get(link(games, position, ALICE, position.decision)).text
    log = page[page.index('id="moves"') :]
    seen, _, whole = log.partition("Whole log")
    few, others = (each.count('class="ev') for each in (seen, whole))
    assert 0 < few <= 10 and others > 0
    older = next(each for each in Page(page).links if "moves=" in each)
    assert web.get(older.partition("#")[0]).status_code == 200


@pytest.mark.parametrize("ruleset", [pytest.param("new-corp-order", marks=pytest.mark.slow), "sealed-bids"])
def test_every_legal_action_can_be_reached_by_links_from_the_page(web: FlaskClient, games: Games, ruleset: str) -> None:
    people = [alice(games), bob(games), carol(games)][: 2 if ruleset == "new-corp-order" else 3]
    position = started(games, ruleset, people, **_first(ruleset))
    legal = {*map(position.ruleset.notate, position.ruleset.legal(position.state, ALICE))}
    seen = {path := link(games, position, ALICE)}
    todo, found = [path], set()
    while todo and not found >= legal:
        page = Page(web.get(todo.pop()).text)
        found |= {form.hidden["notation"] for form in page.forms if "notation" in form.hidden}
        todo += page.picks - seen
        seen |= page.picks
    assert found == legal
    assert now_at(games, position.game.id).version == position.version


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_press_in_the_mail_and_one_confirm_play_it(web: FlaskClient, games: Games, ruleset: str) -> None:
    position = started(games, ruleset, [alice(games), bob(games), carol(games)], **_first(ruleset))
    legal = position.ruleset.legal(position.state, ALICE)
    action = next(each for each in legal if not reveals(position, ALICE, each))
    path = link(games, position, ALICE)
    confirm = Page(web.get(f"{path}/{links.code(position.ruleset.notate(action))}").text).confirm
    played = web.post(confirm.action, data=confirm.hidden)
    assert (played.status_code, now_at(games, position.game.id).version > position.version) == (200, True)
    assert "Your move has been played" in played.text
    assert unescape(position.ruleset.describe(action, ALICE, "en", position.names_in("en"))) in unescape(played.text)
    assert 'class="board"' in played.text and f"{path}/link/back" in played.text
    # An answer that nobody sees before all are in is no line of the log.
    assert ('class="ev new"' in played.text) == (ruleset != "bastards-inc"), "what has just happened is marked"


def _first(ruleset: str) -> dict[str, int]:
    return {"first-player": ALICE} if ruleset != "sealed-bids" else {}


def test_what_the_link_shows_of_the_table_is_what_its_player_sees_on_the_site(
    app: Flask, web: FlaskClient, games: Games
) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": ALICE})
    behind = web.get(link(games, position, ALICE)).text
    at_table = Visit(app, games, position, people[ALICE]).look()
    for name in ("strip", "felt", "panels"):
        assert part(behind, name) == part(at_table, name)


def test_the_way_to_the_table_of_a_private_game_leads_through_signing_in(app: Flask, games: Games) -> None:
    person = alice(games)
    private = lobby.start(games, table_for(games, "new-corp-order", person, 1), person.id, clock.now())
    stranger, at_table = app.test_client(use_cookies=False), f"/games/{private.game.id}"
    (way,) = (each for each in Page(stranger.get(link(games, private, ALICE)).text).links if "/sign-in" in each)
    assert Page(stranger.get(way).text).forms[0].hidden == {"back": at_table}
    signed_in = Visit(app, games, private, person).web.get(way)
    assert (signed_in.status_code, signed_in.location) == (303, at_table)


def test_a_game_that_is_over_shows_its_result_to_holders_of_a_link_that_works_and_to_no_others(
    web: FlaskClient, games: Games
) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    finished(games, position)
    shown = web.get(path).text
    assert 'class="ending"' in shown and 'class="board"' in shown and "play-again" not in shown
    with games.engine.begin() as db:
        links.revoke(db, position.seats[ALICE].player_id, "seen", clock.now())
    revoked = web.get(path)
    assert (revoked.status_code, "<svg" in revoked.text) == (410, False)


WORDS = ("kind", "first", "second", "notation", "decision", "asked", "moves", "way", "source", "card", "", "language")
VALUES = ("plot", "infiltrate", "bid", "hold", "1", "D", "-1", "0", "9" * 40, "yes", "x\x00", "é💥", "A1", "%", "P 1")


@settings(times(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(VALUES) | st.text(max_size=20)), max_size=8))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_query_breaks_the_page_or_changes_anything(
    web: FlaskClient, games: Games, fuzzed: dict[str, tuple[Position, str]], ruleset: str, query: list[tuple[str, str]]
) -> None:
    position, path = fuzzed[ruleset]
    for behind in ("", "/hold", "/all/0", "/p-1"):
        answer = web.get(path + behind, query_string=query)
        assert answer.status_code in (200, 400, 404, 409)
        assert "<script" not in answer.text
    assert now_at(games, position.game.id).version == position.version


@pytest.fixture(scope="module")
def fuzzed(runtime: Runtime) -> dict[str, tuple[Position, str]]:
    """A game of each ruleset and the path of a link to Alice's first decision."""
    games = runtime.games
    found = {}
    for name in RULESETS:
        position = started(games, name, [alice(games), bob(games), carol(games)], **_first(name))
        found[name] = (position, link(games, position, ALICE))
    return found


def test_all_actions_stand_as_buttons_beside_the_board(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    page = web.get(f"{path}/all/0").text
    assert 'class="board"' in page
    assert len(Page(page).offers) == len(buttons(web, path)) == 4
    assert press(web, path, Page(page).offers[-1]["notation"]).status_code == 200


# Behind a link one can take an action back, ask for a fresh link, and replace links that others have seen.


def delivered(runtime: Runtime, mailbox: Path, position: Position) -> list[Letter]:
    """The mails about the game that have come since the last time."""
    relay = Relay(replace(runtime, redis=None))
    # What asks for a fresh link is carried out first, and has a mail written.
    while relay.drain() or relay.drain():
        pass
    mails = letters(mailbox, position.game.id)
    for path in mailbox.glob("*.eml"):
        path.unlink()
    return mails


def requests_for(games: Games) -> int:
    with games.engine.connect() as db:
        return int(db.execute(text("select count(*) from outbox where kind = 'fresh-link'")).scalar_one())


def test_what_was_just_played_can_be_taken_back_and_the_way_goes_on(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position = sealed_bids(games)
    delivered(runtime, mailbox, position)
    path = link(games, position, ALICE)
    for page in (press(web, path, "hold"), web.get(path)):
        assert f"{path}/link/back" in [form.action for form in Page(page.text).forms]
    answer = web.post(f"{path}/link/back", data=PRESSED)
    assert answer.status_code == 200
    assert "Taken back" in answer.text
    assert now_at(games, position.game.id).state == position.state
    (onward,) = (each for each in Page(answer.text).links if each.startswith("/t/") and not each.startswith(path))
    assert [mail.recipient for mail in delivered(runtime, mailbox, position)] == ["alice@example.org"]
    old = web.get(path)
    assert old.status_code == 410
    assert "Hold the cards." in old.text and "This move was taken back afterwards." in old.text
    assert press(web, path, "hold").status_code == 409
    assert press(web, onward, "hold").status_code == 200


def test_a_turn_of_new_corp_order_is_taken_back_and_a_mail_brings_the_link_that_plays(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": ALICE})
    (mail,) = (each for each in delivered(runtime, mailbox, position) if each.asks)
    legal = position.ruleset.legal(position.state, ALICE)
    notation = position.ruleset.notate(next(each for each in legal if not reveals(position, ALICE, each)))
    assert press(web, mail.path, notation).status_code == 200
    assert now_at(games, position.game.id).decision > position.decision
    assert web.post(f"{mail.path}/link/back", data=PRESSED).status_code == 200
    after = now_at(games, position.game.id)
    assert (after.state, after.awaited) == (position.state, position.awaited)
    (again,) = (each for each in delivered(runtime, mailbox, position) if each.asks)
    assert again.recipient == "alice@example.org"
    assert [web.get(each.path).status_code for each in (mail, again)] == [410, 200]
    assert press(web, again.path, notation, decision=after.decision).status_code == 200


def test_it_is_told_in_the_players_language_why_an_action_cannot_be_taken_back(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    paths = [link(games, position, seat) for seat in (ALICE, BOB, CAROL)]
    nothing = web.post(f"{paths[BOB]}/link/back", data=PRESSED)
    for path in paths:
        press(web, path, "hold", sure="yes")
    acted, shown = (
        web.post(f"{paths[BOB]}/link/back", data=PRESSED),
        web.post(f"{paths[CAROL]}/link/back", data=PRESSED),
    )
    assert [answer.status_code for answer in (nothing, acted, shown)] == [409, 409, 409]
    assert "Es gibt nichts mehr zurückzunehmen." in nothing.text
    assert "Seitdem hat jemand gezogen." in acted.text
    assert "quelque chose de caché" in shown.text
    assert "link/back" not in web.get(paths[CAROL]).text


def test_without_time_for_it_nothing_is_offered(runtime: Runtime, games: Games) -> None:
    hurried = replace(runtime, settings=replace(runtime.settings, take_back_seconds=0))
    web = create_app(hurried).test_client(use_cookies=False)
    path = link(games, sealed_bids(games), ALICE)
    assert "take it back" not in web.get(f"{path}/hold").text
    assert "link/back" not in press(web, path, "hold").text
    assert "The time for taking it back is over." in web.post(f"{path}/link/back", data=PRESSED).text


def test_a_fresh_link_goes_to_the_players_address_and_is_shown_to_nobody(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    for seat in (ALICE, BOB, CAROL):
        position = act(games, position, seat, Hold()).position
    delivered(runtime, mailbox, position)
    (form,) = Page(web.get(path).text).forms
    answer = web.post(form.action, data=form.hidden)
    assert answer.status_code == 200
    assert "/t/" not in answer.text
    (mail,) = delivered(runtime, mailbox, position)
    assert mail.recipient == "alice@example.org"
    assert press(web, mail.path, "hold", decision=2).status_code == 200


def test_whoever_asks_is_answered_alike_whatever_the_link_once_was(web: FlaskClient, games: Games) -> None:
    position, now = sealed_bids(games), clock.now()
    paths = [link(games, position, ALICE), "/t/" + "a" * 26, "/t/short", "/t/" + "ö" * 26]
    with games.engine.begin() as db:
        long_ago = now - timedelta(days=400)
        paths.append("/t/" + links.issue(db, position.game.id, BOB, 1, long_ago))
        paths.append("/t/" + links.issue(db, position.game.id, CAROL, 1, now))
        links.revoke(db, position.seats[CAROL].player_id, "seen", now, position.game.id)
    resign(games, position.game.id, position.seats[BOB].player_id, "api", now)
    asked: list[tuple[Any, ...]] = []
    for path in paths:
        statements: list[str] = []

        def note(_: Any, __: Any, statement: str, *___: Any, into: list[str] = statements) -> None:
            into.append(statement)

        before = requests_for(games)
        event.listen(games.engine, "before_cursor_execute", note)
        answer = web.post(f"{path}/link/fresh", data=PRESSED)
        event.remove(games.engine, "before_cursor_execute", note)
        headers = [(name, value) for name, value in answer.headers if name not in ("X-Request-Id", "RateLimit")]
        asked.append((answer.status_code, answer.data, headers, statements, requests_for(games) - before))
    assert all(each == asked[0] for each in asked)
    assert asked[0][0] == 200 and asked[0][-1] == 1


def test_nobody_gets_more_than_one_fresh_link_in_ten_minutes_by_it(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position = sealed_bids(games)
    delivered(runtime, mailbox, position)
    paths = [link(games, position, ALICE) for _ in range(2)]
    for path in paths * 3:
        assert web.post(f"{path}/link/fresh", data=PRESSED).status_code == 200
    # One, or two where one stretch of time ends just now and another begins.
    assert len(delivered(runtime, mailbox, position)) in (1, 2)
    later = clock.now() + links.FRESH_LINK_PAUSE
    token = paths[0].rpartition("/")[2]
    links.ask_fresh_link(games, token, later)
    with games.engine.begin() as db:
        rows = text("select count(*) from outbox where kind = 'turn-mail' and game_id = :game and payload ? 'asked'")
        before = db.execute(rows, {"game": position.game.id}).scalar_one()
        assert links.answer_fresh_link(db, games, links.stored(token) or b"", later)
        assert db.execute(rows, {"game": position.game.id}).scalar_one() == before + 1


def test_whoever_asks_too_often_is_told_to_wait(runtime: Runtime) -> None:
    strict = replace(runtime, settings=replace(runtime.settings, rate_limits=1.0))
    web, here = create_app(strict).test_client(use_cookies=False), {"REMOTE_ADDR": "198.51.100.7"}
    answers = [web.post(f"/t/{'b' * 26}/link/fresh", data=PRESSED, environ_base=here).status_code for _ in range(21)]
    assert answers == [200] * 20 + [429]


def test_whoever_is_not_to_act_has_no_address_or_has_resigned_gets_no_mail(games: Games) -> None:
    position, now = sealed_bids(games), clock.now()
    tokens = [link(games, position, seat).rpartition("/")[2] for seat in (ALICE, BOB, CAROL)]
    act(games, position, ALICE, Hold())
    resign(games, position.game.id, position.seats[BOB].player_id, "api", now)
    with games.engine.begin() as db:
        carol = {"id": position.seats[CAROL].player_id}
        db.execute(text("update player set email = null, email_verified = false where id = :id"), carol)
        written = [links.answer_fresh_link(db, games, links.stored(token) or b"", now) for token in tokens]
    assert written == [False, False, False]


def test_links_that_others_have_seen_are_replaced_by_one_that_they_have_not(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position, other = sealed_bids(games), sealed_bids(games)
    mine = [link(games, position, ALICE) for _ in range(2)]
    bobs, elsewhere = link(games, position, BOB), link(games, other, ALICE)
    delivered(runtime, mailbox, position)
    (offered,) = [each for each in Page(web.get(mine[0]).text).links if each.endswith("/link/others")]
    (form,) = Page(web.get(offered).text).forms
    assert web.get(mine[0]).status_code == 200
    assert web.post(form.action, data=form.hidden).status_code == 200
    assert [web.get(path).status_code for path in (*mine, bobs, elsewhere)] == [410, 410, 200, 200]
    replaced = press(web, mine[1], "hold").text
    assert "You had this link replaced" in replaced
    assert "<h1>Sealed Bids: This link no longer works</h1>" in replaced
    assert web.post(f"{mine[1]}/link/others", data=PRESSED).status_code == 409
    (mail,) = delivered(runtime, mailbox, position)
    assert mail.recipient == "alice@example.org"
    assert press(web, mail.path, "hold").status_code == 200


def test_a_program_has_them_replaced_as_the_page_does(
    api: Caller, web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    people = [alice(games), bob(games), alice(games, email=None)]
    position = started(games, "sealed-bids", people)
    renewal = f"/games/{position.game.id}/links/renewal"
    elsewhere = link(games, started(games, "sealed-bids", people), ALICE)
    (first,) = [mail for mail in delivered(runtime, mailbox, position) if mail.recipient == people[ALICE].email]
    bobs, carols = link(games, position, BOB), link(games, position, CAROL)
    for _ in range(2):
        answer = api.by(people[ALICE]).post(renewal)
        assert (answer.status_code, answer.data) == (204, b"")
    assert [web.get(path).status_code for path in (first.path, bobs, carols, elsewhere)] == [410, 200, 200, 200]
    assert "You had this link replaced" in press(web, first.path, "hold").text
    (mail,) = delivered(runtime, mailbox, position)
    assert mail.recipient == people[ALICE].email
    assert web.get(mail.path).status_code == 200
    # The new link can be seen by others as well, and the next one when there is no longer anything to be asked.
    assert api.by(people[ALICE]).post(renewal).status_code == 204
    (last,) = delivered(runtime, mailbox, position)
    assert [web.get(mail.path).status_code, press(web, last.path, "hold").status_code] == [410, 200]
    assert [api.by(people[seat]).post(renewal).status_code for seat in (ALICE, CAROL)] == [204, 204]
    assert delivered(runtime, mailbox, position) == []
    assert [web.get(path).status_code for path in (last.path, bobs, carols)] == [410, 200, 410]


def test_a_link_dies_with_its_players_seat(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    with games.engine.begin() as db:
        who = {"game": position.game.id, "player": sealed_bids(games).seats[ALICE].player_id}
        db.execute(text("update seat set player_id = :player where game_id = :game and seat = 0"), who)
    assert [web.get(path).status_code, press(web, path, "hold").status_code] == [404, 404]
    assert web.post(f"{path}/link/others", data=PRESSED).status_code == 404


def test_the_link_of_a_decision_that_vanished_says_why_and_plays_no_other(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    paths = {seat: link(games, position, seat) for seat in (ALICE, BOB)}
    act(games, position, ALICE, Bid(card=position.state.hands[ALICE][0]))
    web.post(f"{paths[ALICE]}/link/back", data=PRESSED)
    looked, pressed = web.get(paths[ALICE]), press(web, paths[ALICE], "hold")
    assert (looked.status_code, pressed.status_code) == (410, 409)
    assert "A move was taken back, and this link no longer counts." in looked.text
    assert press(web, paths[BOB], "hold").status_code == 200
    assert now_at(games, position.game.id).state.sealed == {BOB: None}


def test_links_that_went_to_an_earlier_address_of_the_player_no_longer_work(web: FlaskClient, games: Games) -> None:
    position, now = sealed_bids(games), clock.now()
    moved, stayed = (position.seats[seat] for seat in (ALICE, BOB))
    paths = [link(games, position, seat) for seat in (ALICE, BOB)]
    with games.engine.begin() as db:
        for seat in (moved, stayed):
            unverified = text("update player set email = :email, email_verified = false where id = :id")
            db.execute(unverified, {"id": seat.player_id, "email": f"{seat.player_id.hex}@example.org"})
    for seat, address in ((moved, "new."), (stayed, "")):
        email = f"{address}{seat.player_id.hex}@example.org"
        sign_in.ask(games, email, "Nobody", "en", now)
        with games.engine.begin() as db:
            asked = db.execute(text("select id from sign_in where email = :email"), {"email": email}).scalar_one()
            prepared = sign_in.prepare(db, asked, now)
        assert prepared
        entered = sign_in.enter(games, prepared.secret, seat.player_id, Arrival("en"), now)
        assert entered and entered.moved.whole
    assert [web.get(path).status_code for path in paths] == [410, 200]
    assert "an address that is no longer yours" in web.get(paths[ALICE]).text


# A link that has nothing left to do says so, in its player's language, and never plays.


def test_a_link_that_has_played_says_what_was_played_and_by_which_door(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    press(web, path, "hold")
    looked, pressed = web.get(path), press(web, path, "hold")
    assert (looked.status_code, pressed.status_code) == (410, 409)
    for page in (looked, pressed):
        assert "This link has been used already" in page.text
        assert "Hold the cards." in page.text
        assert "by a link in a mail" in page.text
    assert "nothing has been played just now" in pressed.text
    assert "nothing has been played just now" not in looked.text
    assert now_at(games, position.game.id).version == position.version + 1


def test_a_past_link_shows_nothing_of_the_table_as_it_is_now(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    for seat in (ALICE, BOB, CAROL):
        position = act(games, position, seat, Hold()).position
    page = web.get(path).text
    assert "It is your move again" in page
    assert "Hand:" not in page
    assert [(form.action, form.inputs, form.buttons) for form in Page(page).forms] == [(f"{path}/link/fresh", [], [])]


def test_a_past_link_speaks_its_players_language(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, CAROL)
    act(games, position, CAROL, Hold())
    page = web.get(path).text
    assert '<html lang="fr">' in page
    assert "Ce lien a déjà servi" in page
    assert "par l’API" in page


def test_a_link_of_a_finished_game_tells_the_result(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, BOB)
    while position.ruleset.outcome(position.state) is None:
        position = act(games, position, min(position.ruleset.to_act(position.state)), Hold()).position
    looked, pressed = web.get(path), press(web, path, "hold")
    assert (looked.status_code, pressed.status_code) == (410, 409)
    assert "Alice, Bob und Carol" in looked.text
    assert 'class="ending"' in looked.text and 'class="board"' in looked.text


def test_an_old_link_no_longer_plays_and_says_so(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    with games.engine.begin() as db:
        long_ago = clock.now() - timedelta(days=400)
        path = "/t/" + links.issue(db, position.game.id, ALICE, 1, long_ago)
    assert web.get(path).status_code == 410
    assert press(web, path, "hold").status_code == 409
    assert "too long ago" in web.get(path).text
    assert now_at(games, position.game.id).version == position.version


@pytest.mark.parametrize("token", ["a" * 26, "short", "A" * 26, "%00" * 9, "ö" * 26, "a" * 3000])
def test_an_unknown_link_is_a_friendly_404_in_the_visitors_language(web: FlaskClient, token: str) -> None:
    for response in (web.get(f"/t/{token}", headers={"Accept-Language": "de-AT,de"}), web.post(f"/t/{token}")):
        assert response.status_code == 404
        assert response.mimetype == "text/html"
    assert "Diese Seite gibt es nicht" in web.get(f"/t/{token}", headers={"Accept-Language": "de-AT,de"}).text


def test_what_was_said_is_no_answer_to_a_decision(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    say(games, position.game.id, position.seats[ALICE].player_id, "I shall hold.", "api", clock.now())
    assert web.get(path).status_code == 200
    press(web, path, "hold")
    page = web.get(path)
    assert page.status_code == 410
    assert "Hold the cards." in page.text
    assert "says something" not in page.text


def test_whoever_has_resigned_is_told_that_there_is_nothing_to_do(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    resign(games, position.game.id, position.seats[ALICE].player_id, "api", clock.now())
    for page in (web.get(path), press(web, path, "hold")):
        assert page.status_code in (409, 410)
        assert "You have resigned from this game." in page.text


# Links of players who want them to work for nobody but themselves: signed in as today, and else not at all.

ELSEWHERE = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "same-site"}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    """A game in which Alice wants to be signed in."""
    mail_preferences.change(games, people[ALICE].id, {"links_need_sign_in": True})
    return started(games, "sealed-bids", people)


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    """A browser at which nobody has signed in, which keeps no cookies."""
    return app.test_client(use_cookies=False)


def test_who_has_not_signed_in_sees_nothing_of_the_table_and_plays_nothing(
    stranger: FlaskClient, games: Games, position: Position
) -> None:
    path = link(games, position, ALICE)
    for shown in ("", "?way=0", "/hold", "/all/1", "/link/others"):
        page = stranger.get(path + shown)
        assert page.status_code == 403
        assert "<h1>Sealed Bids: Sign in first</h1>" in page.text
        assert not [word for word in ("Hand", "<svg", "Hold the cards") if word in page.text]
        assert [(form.action, form.hidden, form.inputs) for form in Page(page.text).forms] == [
            ("/sign-in", {"back": path + shown}, ["email"])
        ]
    for sent in ("", "/hold", "/link/others", "/link/back"):
        refused = stranger.post(
            path + sent, data={"decision": position.decision, "notation": "hold", "sure": "yes", **PRESSED}
        )
        assert (refused.status_code, "Nothing has been played." in refused.text) == (403, True)
    assert now_at(games, position.game.id).version == position.version
    assert stranger.get(link(games, position, BOB)).status_code == 200
    assert press(stranger, link(games, position, BOB), "hold").status_code == 200


def test_what_a_link_has_played_is_shown_to_nobody_else_either(
    stranger: FlaskClient, games: Games, position: Position
) -> None:
    path = link(games, position, ALICE)
    act(games, position, ALICE, Hold())
    page = stranger.get(path)
    assert (page.status_code, "Hold the cards" in page.text) == (403, False)
    assert stranger.post(f"{path}/link/fresh", data=PRESSED).status_code == 200


def test_signed_in_as_its_player_it_plays_as_any_link_and_as_anybody_else_it_does_not(
    app: Flask, games: Games, people: list[Person], position: Position
) -> None:
    path = link(games, position, ALICE)
    other, mine = browser(app, games, people[BOB]), browser(app, games, people[ALICE])
    refused = other.get(path)
    assert (refused.status_code, "You are signed in as Bob." in refused.text) == (403, True)
    assert other.post(f"{path}/hold", data={"decision": position.decision}).status_code == 403
    assert "Hand" in mine.get(path).text
    assert mine.post(f"{path}/hold", data={"decision": position.decision}, headers=ELSEWHERE).status_code == 403
    assert now_at(games, position.game.id).version == position.version
    played = send(mine, f"{path}/hold", path)
    assert (played.status_code, "Your move has been played" in played.text) == (200, True)


def test_signing_in_from_there_leads_back_to_the_same_move(
    app: Flask, games: Games, runtime: Runtime, mailbox: Path, people: list[Person], position: Position
) -> None:
    web, path, email = app.test_client(), f"{link(games, position, ALICE)}/hold", f"own.{position.game.id}@example.org"
    with games.engine.begin() as db:
        db.exec_driver_sql(
            "update player set email = %(email)s, email_verified = true, email_confirmed = true where id = %(id)s",
            {"email": email, "id": people[ALICE].id},
        )
    asking, *_ = Page(web.get(path).text).forms
    unread = web.post(asking.action, data={**asking.hidden, "email": "nowhere"})
    assert (unread.status_code, Page(unread.text).forms[0].hidden) == (422, asking.hidden)
    asked = web.post(asking.action, data={**asking.hidden, "email": email})
    assert asked.status_code == 200
    mail = mailed(runtime, mailbox, email)
    assert "/t/" not in mail
    entry = "/sign-in/" + mail.partition("/sign-in/")[2][:26]
    assert send(web, entry, entry).location == path
    assert form_on(web.get(path), path.removesuffix("/hold")).hidden["decision"] == str(position.decision)


def test_a_form_from_elsewhere_cannot_say_where_signing_in_leads(
    app: Flask, games: Games, runtime: Runtime, mailbox: Path
) -> None:
    for way in ("//example.org/", "https://example.org/", "/\\example.org"):
        web, email = app.test_client(), f"way.{abs(hash(way))}@example.org"
        assert "way=" not in str(web.post("/sign-in", data={"email": email, "back": way}).headers)
        web.set_cookie("way", way, path="/sign-in", domain="localhost")
        entry = "/sign-in/" + mailed(runtime, mailbox, email).partition("/sign-in/")[2][:26]
        assert send(web, entry, entry).location == "/games"


# The links of a mail whose move is past: a friendly page in its player's language, which never plays.

LANGUAGES = ("en", "de", "fr")
SEATS = range(len(LANGUAGES))
BEHIND = ("", "/hold", "/all/1", "?way=0")

Cause = Callable[[Runtime, Position, int], None]


def played(runtime: Runtime, position: Position, seat: int) -> None:
    act(runtime.games, position, seat, Hold())


def taken_back(runtime: Runtime, position: Position, seat: int) -> None:
    played(runtime, position, seat)
    wish = Wish(position.game.id, seat, position.decision, "api")
    take_back(runtime.games, wish, timedelta(minutes=10), clock.now())


def given_up(runtime: Runtime, position: Position, seat: int) -> None:
    resign(runtime.games, position.game.id, position.seats[seat].player_id, "api", clock.now())


def taken_over(runtime: Runtime, position: Position, seat: int) -> None:
    """The seat is given up, and the service plays for it."""
    given_up(runtime, position, seat)
    (row,) = pending(runtime.games, position, "automaton")
    carry_out(runtime, row.id)
    assert seat not in now_at(runtime.games, position.game.id).to_act


def ended(runtime: Runtime, position: Position, seat: int) -> None:
    finished(runtime.games, position)


def ended_by_another(runtime: Runtime, position: Position, seat: int) -> None:
    given_up(runtime, ending_on_resignation(runtime.games, position), (seat + 1) % len(LANGUAGES))


def replaced(runtime: Runtime, position: Position, seat: int) -> None:
    revoked(runtime, position, seat, "seen")


def moved_away(runtime: Runtime, position: Position, seat: int) -> None:
    revoked(runtime, position, seat, "address")


def revoked(runtime: Runtime, position: Position, seat: int, why: Revocation) -> None:
    with runtime.engine.begin() as db:
        links.revoke(db, position.seats[seat].player_id, why, clock.now())


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(
    ("cause", "reason"),
    [
        (played, "past-waiting"),
        (taken_back, "past-taken-back"),
        (given_up, "past-resigned"),
        (taken_over, "past-resigned"),
        (ended, "past-over"),
        (ended_by_another, "past-over"),
        (replaced, "past-seen"),
        (moved_away, "past-address"),
    ],
)
def test_whatever_made_it_old_its_links_say_so_in_the_players_language_and_play_nothing(
    web: FlaskClient, runtime: Runtime, cause: Cause, reason: str, seat: int
) -> None:
    position = sealed_bids(runtime.games)
    path = link(runtime.games, position, seat)
    cause(runtime, position, seat)
    before = now_at(runtime.games, position.game.id).version
    looked = [web.get(path + behind) for behind in BEHIND]
    pressed = [press(web, path, "hold", sure="yes"), web.post(f"{path}/hold", data={"decision": 1, "sure": "yes"})]
    assert [page.status_code for page in looked] == [410] * len(looked)
    assert [page.status_code for page in pressed] == [409] * len(pressed)
    for page in (*looked, *pressed):
        assert f'<html lang="{LANGUAGES[seat]}">' in page.text
        assert str(catalog_say(LANGUAGES[seat], reason)).replace("'", "&#39;") in page.text
    assert now_at(runtime.games, position.game.id).version == before


def test_nobody_loses_a_seat_and_the_links_to_it_once_the_game_has_begun(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, 1)
    with pytest.raises(NotOpen):
        lobby.kick_player(games, position.game.id, 1, position.seats[0].player_id)
    with pytest.raises(NotOpen):
        lobby.leave_table(games, position.game.id, position.seats[1].player_id)
    assert press(web, path, "hold").status_code == 200
