"""Behind a mailed link is the table: the same board, panels and log as on the site, for nobody but its player."""

from __future__ import annotations

import re
from html import unescape
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.handlers import links, lobby
from service.rules.games.new_corp_order.actions import Infiltrate
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.views.dry_run import reveals
from tests.builders import act, finished, now_at, sealed_bids, started, table_for
from tests.letters import Page, buttons, link, press
from tests.people import alice, bob, carol
from tests.rules.playouts import times
from tests.web.test_table import Visit

ALICE, BOB = 0, 1
RULESETS = ("new-corp-order", "sealed-bids", "bastards-inc")
SCRIPTED = re.compile(r"<script|\bon\w+=|style=|form_key|https?://")


@pytest.fixture(scope="module")
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


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
