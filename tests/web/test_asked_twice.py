"""What shows something hidden is asked for twice; and from a mail no action is more than three taps away."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.app import create_app
from service.handlers import links, lobby, players
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.texts.catalog import say
from service.views.dry_run import reveals
from tests.builders import act, now_at, sealed_bids, started, table_for
from tests.games.sealed_bids.actions import Hold
from tests.letters import Letter, Page, letters, link, press
from tests.mail.test_play import dump
from tests.mail_tree import Html, body
from tests.people import alice, bob
from workers.relay import Relay

ALICE, BOB, CAROL = 0, 1, 2
WORDS = (
    (ALICE, str(say("en", "table-reveals"))),
    (BOB, str(say("de", "table-reveals"))),
    (CAROL, str(say("fr", "table-reveals"))),
)


@pytest.fixture(scope="module")
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def last_to_bid(games: Games, seat: int) -> Position:
    """A round in which the bids of all are shown as soon as the seat has bid."""
    position = sealed_bids(games)
    for other in {ALICE, BOB, CAROL} - {seat}:
        position = act(games, position, other, Hold()).position
    return position


def first_to_act(games: Games, seat: int) -> Position:
    """The seat's first turn in New Corp Order, against Bob."""
    return started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": seat})


def by_notation(position: Position) -> dict[str, Any]:
    """What Alice may do."""
    return {position.ruleset.notate(each): each for each in position.ruleset.legal(position.state, ALICE)}


def turn_mail(runtime: Runtime, mailbox: Path) -> tuple[Position, Letter]:
    """Alice's first turn against Bob, and the mail about it."""
    games = runtime.games
    position = first_to_act(games, ALICE)
    relay = Relay(replace(runtime, redis=None))
    while relay.drain():
        pass
    (mail,) = (each for each in letters(mailbox, position.game.id) if each.asks)
    return position, mail


@pytest.mark.parametrize(("seat", "words"), WORDS)
def test_the_first_press_shows_a_second_button_and_changes_nothing(
    web: FlaskClient, games: Games, seat: int, words: str
) -> None:
    position = last_to_bid(games, seat)
    path = link(games, position, seat)
    form = Page(web.get(f"{path}/hold").text).confirm
    before = dump(games)
    asked = [web.post(form.action, data=form.hidden), press(web, path, "hold"), press(web, path, " H ")]
    asked.append(web.post(f"{path}/hold", data={"decision": 1}))
    assert dump(games) == before
    for page in asked:
        assert (page.status_code, unescape(page.text).count(words)) == (200, 1)
        assert 'role="alert"' in page.text
        assert "Set-Cookie" not in page.headers and "<script" not in page.text
        assert page.headers["Cache-Control"] == "no-store"
        second = Page(page.text).confirm
        assert (second.action, second.inputs) == (path, [])
        assert second.hidden == {"decision": "1", "notation": "hold", "sure": "yes"}
    assert web.post(second.action, data=second.hidden).status_code == 200
    assert now_at(games, position.game.id).decision == position.decision + 1
    assert web.post(second.action, data=second.hidden).status_code == 409


def test_what_can_be_taken_back_is_asked_for_once(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    assert "Your move has been played" in press(web, link(games, position, ALICE), "hold").text


def test_a_second_button_that_comes_too_late_plays_nothing(web: FlaskClient, games: Games) -> None:
    position = last_to_bid(games, ALICE)
    path = link(games, position, ALICE)
    second = Page(press(web, path, "hold").text).confirm
    after = act(games, position, ALICE, Hold()).position
    late = web.post(second.action, data=second.hidden)
    assert (late.status_code, "nothing has been played just now" in late.text) == (409, True)
    assert now_at(games, position.game.id).version == after.version


def test_from_its_mail_every_action_is_at_most_three_taps_away(
    web: FlaskClient, runtime: Runtime, mailbox: Path
) -> None:
    position, mail = turn_mail(runtime, mailbox)
    behind = {urlsplit(url).path.removeprefix(mail.path) for url in Html(body(mail.message, "html")).links}
    legal = by_notation(position)
    taps = {}
    for notation, action in legal.items():
        # The link, the button, and perhaps the second one.
        if f"/{links.code(notation)}" in behind:
            taps[notation] = 2 + reveals(position, ALICE, action)
    for path in behind:
        if path.startswith("/all/"):
            page = web.get(mail.path + path)
            assert page.status_code == 200
            for offer in Page(page.text).offers:
                taps.setdefault(offer["notation"], 2 + reveals(position, ALICE, legal[offer["notation"]]))
    assert set(taps) == set(legal)
    assert set(taps.values()) == {2, 3}


@pytest.mark.parametrize("situation", [last_to_bid, first_to_act])
def test_behind_the_large_button_of_a_mail_every_action_is_at_most_two_taps_away(
    web: FlaskClient, games: Games, situation: Callable[[Games, int], Position]
) -> None:
    position = situation(games, ALICE)
    legal = by_notation(position)
    path = link(games, position, ALICE)
    assert f"{path}/all/0" in Page(web.get(path).text).links
    html = web.get(f"{path}/all/0").text
    listed = html[: html.index('<div class="actions">')]
    assert listed.count("<details") == listed.count("</details>"), "the list is open"
    assert {offer["notation"] for offer in Page(html).offers} == set(legal)
    assert any(reveals(position, ALICE, action) for action in legal.values())
    for notation in legal:
        assert "sure" not in Page(web.get(f"{path}/{links.code(notation)}").text).confirm.hidden, "a look is no press"


def test_a_player_who_has_switched_it_off_is_asked_twice_behind_no_link(web: FlaskClient, games: Games) -> None:
    position = last_to_bid(games, ALICE)
    players.change(games, position.seats[ALICE].player_id, {"asked_twice": False}, clock.now())
    form = Page(web.get(f"{link(games, position, ALICE)}/hold").text).confirm
    assert "Your move has been played" in web.post(form.action, data=form.hidden).text


def test_a_player_alone_is_never_asked_twice(web: FlaskClient, games: Games) -> None:
    person = alice(games)
    position = lobby.start(games, table_for(games, "new-corp-order", person, 1), person.id, clock.now())
    while not (drawing := [each for each in by_notation(position).values() if reveals(position, ALICE, each)]):
        position = act(games, position, ALICE, position.ruleset.legal(position.state, ALICE)[0]).position
    path = link(games, position, ALICE, position.decision)
    form = Page(web.get(f"{path}/{links.code(position.ruleset.notate(drawing[0]))}").text).confirm
    assert "Your move has been played" in web.post(form.action, data=form.hidden).text


def test_what_is_picked_and_cannot_be_taken_back_is_asked_for_and_then_played(web: FlaskClient, games: Games) -> None:
    position = last_to_bid(games, ALICE)
    path, before = link(games, position, ALICE), dump(games)
    page = web.get(f"{path}/hold")
    assert WORDS[ALICE][1] in page.text
    first = Page(page.text).confirm
    asked = web.post(first.action, data=first.hidden)
    assert WORDS[ALICE][1] in asked.text
    assert dump(games) == before
    sure = Page(asked.text).confirm
    assert "Your move has been played" in web.post(sure.action, data=sure.hidden).text


def test_the_page_of_a_kind_lists_its_actions_and_a_button_is_the_first_press(
    web: FlaskClient, runtime: Runtime, mailbox: Path
) -> None:
    position, mail = turn_mail(runtime, mailbox)
    offers = Page(web.get(f"{mail.path}/all/1").text).offers
    drawing = next(each for each in offers if reveals(position, ALICE, position.ruleset.parse(each["notation"])))
    second = Page(web.post(mail.path, data=drawing).text).confirm
    assert now_at(runtime.games, position.game.id).version == position.version
    assert web.post(second.action, data=second.hidden).status_code == 200
    assert now_at(runtime.games, position.game.id).version > position.version
    assert web.get(f"{mail.path}/all/1").status_code == 410


def test_of_twenty_second_presses_at_the_same_time_one_plays(runtime: Runtime, mailbox: Path) -> None:
    position, mail = turn_mail(runtime, mailbox)
    app = create_app(runtime)

    def once(_: int) -> int:
        form = {"decision": 1, "sure": "yes"}
        return app.test_client(use_cookies=False).post(f"{mail.path}/p-d", data=form).status_code

    with ThreadPoolExecutor(20) as pool:
        assert sorted(pool.map(once, range(20))) == [200] + [409] * 19
    with runtime.engine.connect() as db:
        query = text("select count(distinct decision) from event where game_id = :game and door = 'link'")
        assert db.execute(query, {"game": position.game.id}).scalar_one() == 1


def test_kind_nought_is_all_kinds(web: FlaskClient, games: Games) -> None:
    page = web.get(f"{link(games, sealed_bids(games), ALICE)}/all/0")
    assert (page.status_code, len(Page(page.text).offers)) == (200, 4)


@pytest.mark.parametrize("number", ["99", "9" * 400])
def test_a_kind_that_there_is_not_shows_the_beginning(web: FlaskClient, games: Games, number: str) -> None:
    path = link(games, sealed_bids(games), ALICE)
    page = web.get(f"{path}/all/{number}")
    assert (page.status_code, Page(page.text).picks) == (404, Page(web.get(path).text).picks)
