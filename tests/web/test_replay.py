"""The page at which a game is looked at again: every moment has an address, and nobody sees more than they may."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

from flask import Flask

from service.handlers.resign import resign
from service.handlers.take_back import Wish, take_back
from service.rules.games.new_corp_order.actions import Infiltrate
from service.shared import clock
from service.store.games import Games, Position
from tests.browsing import browser
from tests.builders import act, finished, now_at, started
from tests.people import Person, alice, bob, carol
from tests.web.test_every_page import LANGUAGES, sound


def bids(games: Games) -> tuple[Position, list[Person]]:
    people = [alice(games), bob(games), carol(games)]
    return started(games, "sealed-bids", people), people


def ways(page: str) -> dict[str, str]:
    """The addresses that the page leads to, by the name of the way."""
    found = re.findall(r'<a class="button" href="([^"]*)" data-way="(\w+)"', page)
    return {way: unescape(address) for address, way in found}


def felt_of(page: str) -> str:
    """The table as it is drawn on a page."""
    return page.partition('<section id="felt"')[2].partition('<section id="board"')[0]


def cards_on(page: str) -> list[int]:
    """The numbers of the cards in the hand that is shown on a page."""
    return [int(card) for card in re.findall(r'data-place="card-(\d+)"', felt_of(page))]


def test_a_finished_game_is_walked_through_by_links_alone(app: Flask, games: Games) -> None:
    position, people = bids(games)
    position = finished(games, position)
    web, path = browser(app, games, people[0]), f"/games/{position.game.id}/replay"
    assert f'href="{path}"' in web.get(f"/games/{position.game.id}").text
    page = web.get(path).text
    assert "The game begins." in page and "The beginning" in page
    assert set(ways(page)) == {"on", "last"}
    told = []
    while following := ways(page).get("on"):
        page = web.get(path + following).text
        told += re.findall(r"Step (\d+) of 10", page)
    assert told == [str(number) for number in range(2, 11)]
    assert set(ways(page)) == {"first", "back"}
    assert " is worth " in page


def test_a_turn_is_jumped_to_by_a_form(app: Flask, games: Games) -> None:
    position, people = bids(games)
    position = finished(games, position)
    web, path = browser(app, games, people[0]), f"/games/{position.game.id}/replay"
    offered = web.get(f"{path}?language=en").text.partition('<select name="at">')[2].partition("</select>")[0]
    turns = re.findall(r'<option value="(\d+)"[^>]*>([^<]+)', offered)
    assert [name for _, name in turns] == ["The beginning", "Turn 1", "Turn 2", "Turn 3"]
    for seq, name in turns:
        assert f" · {name}</h2>" in web.get(f"{path}?at={seq}&eyes=0&language=en").text


def test_after_the_end_everybody_looks_through_any_eyes(app: Flask, games: Games) -> None:
    position, people = bids(games)
    hands = position.state.hands
    position = finished(games, position)
    for person in (people[1], None):
        web, path = browser(app, games, person), f"/games/{position.game.id}/replay"
        for seat in range(3):
            page = web.get(f"{path}?at=4&eyes={seat}&language=en").text
            assert f"Hand: {', '.join(map(str, hands[seat]))}" in page
            assert f'data-eyes="{seat}" aria-current="true"' in page
            assert cards_on(page) == list(hands[seat])
        beside = web.get(f"{path}?at=4&eyes=spectator&language=en").text
        assert "Hand:" not in beside and cards_on(beside) == []
        assert "Short form: <code>bid " in web.get(f"{path}?at=5&language=en").text


def test_while_a_game_runs_ones_own_eyes_are_all(app: Flask, games: Games) -> None:
    position, people = bids(games)
    card = position.state.hands[0][0]
    position = act(games, position, 0, position.ruleset.parse(f"bid {card}")).position
    path = f"/games/{position.game.id}/replay?at={position.version}&eyes=0&language=en"
    mine, theirs, beside = (browser(app, games, each).get(path).text for each in (people[0], people[1], None))
    assert f"<code>bid {card}</code>" in mine
    for page in (theirs, beside):
        assert "<code>" not in page and "Through the eyes" not in page
        assert "While the game runs you see only your own knowledge." in page
    hands = now_at(games, position.game.id).state.hands
    assert [cards_on(page) for page in (mine, theirs, beside)] == [list(hands[0]), list(hands[1]), []]


def test_a_game_that_is_not_for_everybody_is_looked_at_by_its_players_alone(app: Flask, games: Games) -> None:
    person = alice(games)
    position = started(games, "new-corp-order", [person])
    resign(games, position.game.id, person.id, "web", clock.now())
    path = f"/games/{position.game.id}/replay"
    assert browser(app, games, person).get(path).status_code == 200
    assert browser(app, games, bob(games)).get(path).status_code == 404
    assert browser(app, games).get(path).status_code == 404


def test_what_was_taken_back_is_seen_done_and_undone_and_the_links_to_moments_stay(app: Flask, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    web, path = browser(app, games, people[0]), f"/games/{position.game.id}/replay"
    quiet = next(each for each in position.ruleset.legal(position.state, 0) if isinstance(each, Infiltrate))
    done = act(games, position, 0, quiet).position
    take_back(games, Wish(position.game.id, 0, position.decision, "web"), timedelta(minutes=10), clock.now())
    undone = now_at(games, position.game.id)
    moments = [f"{path}?at={each.version}&eyes=0&language=en" for each in (position, done, undone)]
    _, during, after = pages = [web.get(each).text for each in moments]
    pictures = [felt_of(page) for page in pages]
    unmarked = [re.sub(r'<g class="marks".*?</g></svg>', "", each, flags=re.DOTALL) for each in pictures]
    assert unmarked[0] == unmarked[2] != unmarked[1]
    assert ["This move was taken back later." in page for page in pages] == [False, True, False]
    assert "takes the last move back" in after
    assert [ways(page).get("on") for page in pages] == [f"?at={each.version}&eyes=0" for each in (done, undone)] + [
        None
    ]
    assert position.ruleset.notate(quiet) in during
    act(games, undone, 0, position.ruleset.legal(undone.state, 0)[0])
    resign(games, position.game.id, people[1].id, "web", clock.now())
    for moment, picture in zip(moments, pictures, strict=True):
        assert felt_of(web.get(moment).text) == picture, "a link that was passed on shows what it showed"


def test_an_address_that_leads_nowhere_leads_to_the_nearest_moment(app: Flask, games: Games) -> None:
    position, people = bids(games)
    web, path = browser(app, games, people[0]), f"/games/{position.game.id}/replay"
    for query in ("?at=0", "?at=-3", "?at=x", "?at=99999", "?eyes=7", "?eyes=", "?at=2&eyes=spectator"):
        page = web.get(path + query)
        assert (page.status_code, "Step 1 of 1" in page.text) == (200, True), query


@LANGUAGES
def test_the_page_is_sound_in_every_language(app: Flask, games: Games, language: str) -> None:
    position, people = bids(games)
    position = finished(games, position)
    path = f"/games/{position.game.id}/replay?at=6&eyes=1&language={language}"
    for person in (people[0], None):
        answer = browser(app, games, person).get(path)
        sound(answer, language)
        assert "script-src 'self';" in answer.headers["Content-Security-Policy"]
