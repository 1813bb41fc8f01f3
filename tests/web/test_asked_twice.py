"""What shows something hidden is asked for twice; and from a mail no action is more than three taps away."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.app import create_app
from service.handlers import links
from service.runtime import Runtime
from service.store.games import Games
from service.store.position import Position
from service.views.dry_run import reveals
from tests.builders import act, now_at, sealed_bids, started
from tests.games.sealed_bids.actions import Hold
from tests.letters import Letter, Page, letters, link, press
from tests.mail.test_turns import dump
from tests.mail_tree import Html, body
from tests.people import alice, bob
from workers.relay import Relay

ALICE, BOB, CAROL = 0, 1, 2
WORDS = (
    (ALICE, "It cannot be taken back. Do you want to play it?"),
    (BOB, "Du kannst es nicht zurücknehmen. Willst du es spielen?"),
    (CAROL, "Vous ne pourrez pas la reprendre. Voulez-vous la jouer\N{NO-BREAK SPACE}?"),
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
    (form,) = Page(web.get(f"{path}/hold").text).forms
    before = dump(games)
    asked = [web.post(form.action, data=form.hidden), press(web, path, "hold"), press(web, path, " H ")]
    assert dump(games) == before
    for page in asked:
        assert (page.status_code, words in page.text) == (200, True)
        # It is said once, and so is what it shows.
        assert page.text.count(words.partition(".")[0]) == 1
        assert "Set-Cookie" not in page.headers and "<script" not in page.text
        assert page.headers["Cache-Control"] == "no-store"
        (second,) = Page(page.text).forms
        assert (second.action, second.hidden, second.inputs) == (f"{path}/hold", {"decision": "1", "sure": "yes"}, [])
    assert web.post(second.action, data=second.hidden).status_code == 200
    assert now_at(games, position.game.id).decision == position.decision + 1
    assert web.post(second.action, data=second.hidden).status_code == 409


def test_what_can_be_taken_back_is_asked_for_once(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    assert "Your action has been played" in press(web, link(games, position, ALICE), "hold").text


def test_a_second_button_that_comes_too_late_plays_nothing(web: FlaskClient, games: Games) -> None:
    position = last_to_bid(games, ALICE)
    path = link(games, position, ALICE)
    (second,) = Page(press(web, path, "hold").text).forms
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
    html = web.get(path := link(games, position, ALICE)).text
    listed = html[: html.index('<div class="actions">')]
    assert listed.count("<details") == listed.count("</details>"), "the list is open"
    assert {offer["notation"] for offer in Page(html).offers} == set(legal)
    assert any(reveals(position, ALICE, action) for action in legal.values())
    picked = [Page(web.get(each).text).forms[0] for each in Page(html).links if "?way=" in each]
    for confirm in (form for form in picked if form.action != path):
        action = links.meant(position, ALICE, confirm.action.rpartition("/")[2])
        # Picking it was the first press of what cannot be taken back, and a look at it says so.
        assert ("sure" in confirm.hidden) == reveals(position, ALICE, action)


def test_what_is_picked_and_cannot_be_taken_back_is_asked_for_and_then_played(web: FlaskClient, games: Games) -> None:
    position = last_to_bid(games, ALICE)
    path, before = link(games, position, ALICE), dump(games)
    way = next(each for each in reversed(Page(web.get(path).text).links) if "?way=" in each)
    page = web.get(way)
    assert WORDS[ALICE][1] in page.text
    assert dump(games) == before
    (sure,) = Page(page.text).forms
    assert "Your action has been played" in web.post(sure.action, data=sure.hidden).text


def test_the_page_of_a_kind_lists_its_actions_and_a_button_is_the_first_press(
    web: FlaskClient, runtime: Runtime, mailbox: Path
) -> None:
    position, mail = turn_mail(runtime, mailbox)
    offers = Page(web.get(f"{mail.path}/all/1").text).offers
    drawing = next(each for each in offers if reveals(position, ALICE, position.ruleset.parse(each["notation"])))
    (second,) = Page(web.post(mail.path, data=drawing).text).forms
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


@pytest.mark.parametrize("number", ["0", "99", "9" * 400])
def test_a_kind_that_there_is_not_shows_all(web: FlaskClient, games: Games, number: str) -> None:
    page = web.get(f"{link(games, sealed_bids(games), ALICE)}/all/{number}")
    assert (page.status_code, len(Page(page.text).offers)) == (404, 4)
