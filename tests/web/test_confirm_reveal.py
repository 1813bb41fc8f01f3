"""Actions that reveal hidden things are confirmed once more, and any action takes few presses."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.app import create_app
from service.handlers import links, lobby
from service.handlers.people import change_player
from service.handlers.play import play_automaton
from service.rules.games.new_corp_order.actions import Discard, Infiltrate, Plot, TakeOver
from service.rules.games.new_corp_order.legal import takeover_succeeds
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.texts.catalog import say
from service.views.dry_run import reveals
from service.web.play.action_picker import confirms_reveals
from tests.browsing import form_on, send
from tests.builders import act, now_at, sealed_bids, started, table_for
from tests.e2e.mail_game import seeded
from tests.games.sealed_bids.actions import Hold
from tests.letters import Letter, Page, letters, link, press
from tests.mail.test_play import dump
from tests.mail_tree import Html, body
from tests.people import Person, alice, bob
from tests.seating import against
from tests.web.test_table import Visit, duel
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
    """Return Alice's legal actions."""
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
    change_player(games, position.seats[ALICE].player_id, {"asked_twice": False}, clock.now())
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


# Hidden things are asked for once more, unless a player has switched that off or plays among computers.


def pressed(visit: Visit, page: str, place: str) -> str:
    """The page behind the link of a place of the board, or of a piece."""
    links = (each for each in re.findall(r"<a [^>]*>", page) if f'data-place="{place}"' in each)
    found = re.search(r'href="([^"]*)"', next(links))
    assert found
    return visit.look(unescape(found[1]).partition("#")[0])


def test_a_plot_of_two_cards_is_three_taps_without_a_script_and_one_more_if_it_cannot_be_taken_back(
    app: Flask, games: Games
) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    page = pressed(visit, pressed(visit, visit.look(""), "1"), "2")
    asked = visit.send(page, "/action")
    assert now_at(games, position.game.id).version == position.version
    page = visit.look(urlsplit(asked.headers["Location"])._replace(path="", fragment="").geturl())
    assert "This shows something hidden; it cannot be taken back." in page
    answer = visit.send(page, "/action")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/games/{visit.game}")
    now = now_at(games, position.game.id)
    assert now.version > position.version
    assert visit.send(page, "/action").status_code == 303, "pressed twice, it is played once"
    assert now_at(games, position.game.id).version == now.version
    assert "is to move" in visit.look("")


def test_nothing_is_asked_twice_where_a_player_has_switched_it_off(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    assert send(visit.web, "/settings", "/settings/second-question").status_code == 303
    visit.send(visit.look("?decision=1&notation=P+D+D"), "/action")
    assert now_at(games, position.game.id).version > position.version
    form = form_on(visit.web.get("/settings"), "/settings/second-question")
    assert visit.web.post(form.action, data={**form.hidden, "asked": "yes"}).status_code == 303
    assert 'name="asked" value="yes" checked' in visit.web.get("/settings").text


def test_a_player_alone_is_not_asked_twice_at_the_table(app: Flask, games: Games) -> None:
    person = alice(games, None)
    position = lobby.start(games, table_for(games, "new-corp-order", person, 1), person.id, clock.now())
    visit = Visit(app, games, position, person)
    while not (drawing := [each for each in position.ruleset.legal(position.state, 0) if reveals(position, 0, each)]):
        position = act(games, position, 0, position.ruleset.legal(position.state, 0)[0]).position
    visit.send(visit.look(f"?notation={quote(position.ruleset.notate(drawing[0]))}"), "/action")
    assert now_at(games, position.game.id).version > position.version


def test_a_player_among_computers_is_never_asked_twice(app: Flask, games: Games) -> None:
    person = alice(games, None)
    position = against(games, "new-corp-order", person, ["easy"])
    assert not confirms_reveals(position, 0)
    assert confirms_reveals(duel(games)[0], 0)


# How often a player presses something: for each kind of turn, and over whole solo games; nothing is remembered.

SOLO_GAMES, MOST_PRESSES, SEED = 10, 75 / 37, 1_000
"""Presses for a decision, on the average of games dealt alike each time: 75 in a game of 37 decisions."""
PLACE = re.compile(r'<a class="(?:place|piece)[^"]*\bcan\b[^"]*"[^>]*>')
CHOICE = re.compile(r'<a class="button step (?!chosen)[^"]*"[^>]*>')
KIND = re.compile(r'<a class="step"[^>]*>')


class Presser:
    """A player who presses what is there, and counts how often."""

    def __init__(self, app: Flask, games: Games, position: Position, person: Person) -> None:
        self.visit, self.games, self.game = Visit(app, games, position, person), games, position.game.id
        self.page, self.presses = self.visit.look(), 0
        self.picked: dict[str, list[str]] = {}

    @property
    def confirming(self) -> bool:
        """Return whether the page has a button that plays an action."""
        return 'class="confirm"' in self.page

    def press(self, link: str) -> None:
        """Follow a link."""
        found = re.search(r'href="([^"]*)"', link)
        assert found
        self.page, self.presses = self.visit.look(unescape(found[1]).partition("#")[0]), self.presses + 1
        self.picked = _picks(link)

    def place(self, name: str) -> None:
        """Press a place of the board, or a piece."""
        self.press(next(each for each in re.findall(r"<a [^>]*>", self.page) if f'data-place="{name}"' in each))

    def kind(self, word: str) -> None:
        """Press a kind of action."""
        self.press(next(each for each in KIND.findall(self.page) if f"kind={word}" in unescape(each)))

    def confirm(self) -> None:
        """Press the button that plays what is chosen."""
        answer = self.visit.send(self.page, "/action")
        assert answer.status_code == 303
        query = urlsplit(answer.headers["Location"])._replace(path="", fragment="").geturl()
        self.page, self.presses, self.picked = self.visit.look(query), self.presses + 1, {}

    def anything(self, chance: Random) -> None:
        """Press a place that can be chosen, else a choice in words, else a kind; nothing that is chosen is changed."""
        act_part = self.page.partition('<section id="act"')[2].partition("</section>")[0]
        for offered in (PLACE.findall(self.page), CHOICE.findall(act_part), KIND.findall(act_part)):
            if further := [each for each in offered if len(_picks(each)) > len(self.picked)]:
                self.press(chance.choice(further))
                return
        raise AssertionError("nothing further can be chosen")


def _picks(link: str) -> dict[str, list[str]]:
    found = re.search(r'href="([^"]*)"', link)
    return parse_qs(urlsplit(unescape(found[1])).query) if found else {}


def turn_with(games: Games, people: list[Person], wanted: type[Any], seat: int = 0) -> Position:
    """A game that was played at random until the seat may take an action of this type, one that does not fail."""
    chance = Random(1)
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    while True:
        if not position.awaited:
            position = started(games, "new-corp-order", people, **{"first-player": 0})
        legal = position.ruleset.legal(position.state, min(position.awaited))
        if seat in position.awaited and any(isinstance(each, wanted) and _wins(position, each) for each in legal):
            return position
        position = act(games, position, min(position.awaited), chance.choice(legal)).position


def _wins(position: Position, action: Any) -> bool:
    if not isinstance(action, TakeOver):
        return True
    source, target = (position.state.companies[each] for each in (action.source, action.target))
    return source.colour != target.colour and takeover_succeeds(target, source.colour, action.agents, action.use)


def at_own_turn(app: Flask, games: Games, wanted: type[Any]) -> Presser:
    """Alice, in a game of two, at a turn in which she may take an action of this type."""
    people = [alice(games, None), bob(games)]
    return Presser(app, games, turn_with(games, people, wanted), people[0])


def played(games: Games, game: UUID, version: int) -> bool:
    """Return whether an action was played since a version."""
    return now_at(games, game).version > version


def test_a_plot_of_two_open_cards_is_three_presses_and_one_more_if_it_is_asked_twice(app: Flask, games: Games) -> None:
    player = at_own_turn(app, games, Plot)
    version = now_at(games, player.game).version
    for place in re.findall(r'<a class="piece[^"]*" href="[^"]*" data-place="(\d)"', player.page)[:2]:
        player.place(place)
    player.confirm()
    assert player.presses == 3
    if 'name="sure"' in player.page:
        player.confirm()
    assert played(games, player.game, version)


def test_a_takeover_with_the_preselected_source_is_two_presses(app: Flask, games: Games) -> None:
    player = at_own_turn(app, games, TakeOver)
    position = now_at(games, player.game)
    target = next(each.target for each in position.ruleset.legal(position.state, 0) if isinstance(each, TakeOver))
    player.place(target)
    player.confirm()
    assert played(games, player.game, position.version) and player.presses == 2


@pytest.mark.parametrize(("wanted", "most"), [(Infiltrate, 3), (Discard, 2)])
def test_a_card_of_the_hand_is_played_in_few_presses(app: Flask, games: Games, wanted: type[Any], most: int) -> None:
    player = at_own_turn(app, games, wanted)
    version = now_at(games, player.game).version
    player.place(re.findall(r'data-place="(hand-[a-z]+)"', player.page)[0])
    player.confirm()
    assert played(games, player.game, version) and player.presses <= most


@pytest.mark.slow
def test_a_solo_game_takes_few_presses(app: Flask, games: Games) -> None:
    total, decisions = 0, 0
    for number in range(SOLO_GAMES):
        person, chance = alice(games, None), Random(number)
        with seeded(SEED + number):
            game = table_for(games, "new-corp-order", person, 1)
            dealt = lobby.start(games, game, person.id, clock.now())
        player = Presser(app, games, dealt, person)
        while (position := now_at(games, game)).game.status == "running":
            if position.ruleset.automaton(position.state) is not None:
                play_automaton(games, game)
                player.page = player.visit.look()
            elif player.confirming:
                player.confirm()
                decisions += 1
            else:
                player.anything(chance)
        total += player.presses
    print(f"{total / SOLO_GAMES:.1f} presses a solo game, for {decisions / SOLO_GAMES:.1f} decisions")
    assert total / decisions <= MOST_PRESSES
