"""The page of a game: what each may see, an action picked step by step, and all that is sent from it."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from sqlalchemy import event

from service.handlers import lobby
from service.shared import clock
from service.store.fast_path import hand_of
from service.store.games import Games, Position
from tests.browsing import browser
from tests.builders import act, finished, now_at, sealed_bids, started, table_for
from tests.letters import Form, Page
from tests.people import Person, alice, bob, carol, register


class Visit:
    """Somebody at the page of a game."""

    def __init__(self, app: Flask, games: Games, position: Position, person: Person | None) -> None:
        self.web = browser(app, games, person)
        self.games, self.game = games, position.game.id

    def look(self, query: str = "", status: int = 200) -> str:
        """The page."""
        answer = self.web.get(f"/games/{self.game}{query}")
        assert answer.status_code == status
        return answer.text

    def form(self, page: str, part: str) -> Form:
        """The form of a page that goes to one of the addresses of the game."""
        return next(form for form in Page(page).forms if form.action.endswith(part))

    def send(self, page: str, part: str, **fields: str) -> Any:
        """What comes of sending a form of a page."""
        form = self.form(page, part)
        return self.web.post(form.action, data={**form.hidden, **fields})

    def follow(self, page: str, label: str) -> str:
        """The page behind a link with this text."""
        found = re.search(rf'href="([^"]*)"[^>]*>{re.escape(label)}', page)
        assert found, label
        return self.look(unescape(found[1]).partition("#")[0])


def duel(games: Games) -> tuple[Position, list[Person]]:
    people = [alice(games), register(games, "Bob", "bob@example.org", "en")]
    position = started(games, "new-corp-order", people)
    first = min(position.awaited)
    return position, [people[first], people[1 - first]]


def test_what_is_written_in_the_notation_is_looked_at_before_it_is_played(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    assert 'name="notation" value="P 1 2"' in visit.look("?decision=1&notation=P+1+2")
    assert "is not a move of the game" in visit.look("?notation=nonsense")
    assert "That is not possible" in visit.look("?notation=T+A1-D4+1")
    assert now_at(games, position.game.id).version == position.version


def test_a_refused_or_stale_action_explains_itself_and_shows_the_table_now(app: Flask, games: Games) -> None:
    position, (mover, other) = duel(games)
    visit = Visit(app, games, position, mover)
    page = visit.look("?notation=P+1+2")
    form = visit.form(page, "/action")
    refused = visit.web.post(form.action, data={**form.hidden, "notation": "T A1-D4 1"})
    assert (refused.status_code, "That is not possible" in refused.text) == (409, True)
    assert visit.web.post(form.action, data={**form.hidden, "notation": "nonsense"}).status_code == 409
    act(games, position, mover_seat(position), position.ruleset.parse("P 3 4"))
    stale = visit.send(page, "/action")
    assert (stale.status_code, "The game has moved on" in stale.text) == (409, True)
    assert 'class="ev' in stale.text
    assert (
        "The game has moved on" in visit.look("?decision=1&kind=plot&first=1")
        or mover_seat(position) not in now_at(games, position.game.id).awaited
    )
    waiting = Visit(app, games, position, other)
    early = waiting.web.post(form.action, data={**waiting_form(waiting), "decision": "99", "notation": "P 1"})
    assert early.status_code == 409


def mover_seat(position: Position) -> int:
    """The seat whose move it is."""
    return min(position.awaited)


def waiting_form(visit: Visit) -> dict[str, str]:
    """What the forms of somebody who waits always send."""
    return visit.form(visit.look(), "/talk").hidden


@pytest.mark.parametrize(
    "query",
    [
        "?kind=castle",
        "?kind=plot&first=9",
        "?first=1",
        f"?kind=plot&{'&'.join(f'x{n}=1' for n in range(40))}",
        "?moves=-5",
    ],
)
def test_an_address_that_leads_nowhere_shows_the_table(app: Flask, games: Games, query: str) -> None:
    position, (mover, _) = duel(games)
    assert "Your move" in Visit(app, games, position, mover).look(query)


def test_an_action_that_has_shown_nothing_can_be_taken_back(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    visit = Visit(app, games, position, alice_of(position, games))
    page = visit.look(f"?decision=1&notation={quote(last_bid(position))}")
    answer = visit.send(page, "/action")
    page = visit.look(answer.headers["Location"].removeprefix(f"/games/{visit.game}"))
    assert visit.send(page, "/undo").status_code == 303
    assert 0 in now_at(games, position.game.id).awaited
    again = visit.web.post(f"/games/{visit.game}/undo", data={**waiting_form(visit), "decision": "1"})
    assert (again.status_code, "can no longer be taken back" in again.text) == (409, True)


def last_bid(position: Position) -> str:
    """The notation of the last legal action of seat 0."""
    return position.ruleset.notate(position.ruleset.legal(position.state, 0)[-1])


def alice_of(position: Position, games: Games) -> Person:
    """The person in seat 0, who reads English."""
    return Person(position.seats[0].player_id, "", "Alice", None, "en")


def test_each_sees_what_their_seat_may_know(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    for row in position.seats:
        page = Visit(app, games, position, Person(row.player_id, "", row.name, None, row.language)).look()
        hands = [", ".join(map(str, hand)) for hand in position.state.hands]
        assert [hand in page for hand in hands] == [seat == row.seat for seat in range(3)]
    for watcher in (register(games, "Dora", None, "en"), None):
        page = Visit(app, games, position, watcher).look()
        assert not any(", ".join(map(str, hand)) in page for hand in position.state.hands)
        assert Page(page).forms[-1].action == "/language", "nothing can be sent by those who look on but the language"
        assert not any(form.action.startswith("/games") for form in Page(page).forms)


def test_a_private_game_is_not_there_for_strangers(app: Flask, games: Games) -> None:
    person = alice(games, None)
    position = lobby.start(games, table_for(games, "new-corp-order", person, 1), person.id, clock.now())
    for stranger in (carol(games), None):
        visit = Visit(app, games, position, stranger)
        visit.look(status=404)
        assert visit.web.get(f"/games/{visit.game}/live").status_code == 404
    visit = Visit(app, games, position, carol(games))
    key = visit.form(visit.web.get("/games").text, "/sign-out").hidden
    for part in ("action", "talk", "notes", "mails", "undo", "ticket"):
        answer = visit.web.post(f"/games/{visit.game}/{part}", data={**key, "text": "x", "notation": "P 1"})
        assert answer.status_code == 404, part


def test_the_news_are_the_same_parts_and_nothing_when_there_are_none(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    live = visit.web.get(f"/games/{visit.game}/live").text
    assert "<html" not in live
    page = visit.look()
    assert all(part.strip() in page for part in re.split(r"(?=<(?:header|nav|div|section)[^>]* data-part)", live))
    beside = live.partition('data-beside="')[2].partition('"')[0]
    for have, other, status in ((position.version, beside, 204), (1, beside, 200), (position.version, "0", 200)):
        assert visit.web.get(f"/games/{visit.game}/live?have={have}&beside={other}").status_code == status
    stranger = Visit(app, games, position, None)
    assert stranger.web.get(f"/games/{visit.game}/live?have={position.version}").status_code == 204


def test_the_pages_policy_allows_its_own_script_and_nothing_inline(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    answer = Visit(app, games, position, mover).web.get(f"/games/{position.game.id}")
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert not re.search(r"<script(?![^>]* src=\"/look/)|\son[a-z]+=|\sstyle=|<style|javascript:", answer.text)


@pytest.mark.parametrize(
    ("language", "mine", "theirs"),
    [("en", "Your move", " is to move"), ("de", "Du bist dran", " ist dran"), ("fr", "À vous", " de jouer")],
)
def test_the_page_speaks_the_players_language(app: Flask, games: Games, language: str, mine: str, theirs: str) -> None:
    people = [register(games, name, None, language) for name in ("Dora", "Emil")]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    for person, words in zip(people, (mine, theirs), strict=True):
        page = Visit(app, games, position, person).look()
        assert words in page.partition('id="act"')[2]
        assert f'<html lang="{language}">' in page
    solo = started(games, "new-corp-order", people[:1])
    assert mine in Visit(app, games, solo, people[0]).look().partition('id="act"')[2]
    over = finished(games, started(games, "new-corp-order", people))
    for reader in (people[0], None):
        assert '<section id="act" class="act wait" hidden' in Visit(app, games, over, reader).look()
    answer = browser(app, games, None).get(f"/games/{position.game.id}", headers={"Accept-Language": language})
    assert (answer.status_code, f'<html lang="{language}">' in answer.text) == (200, True)
    assert theirs in answer.text.partition('id="act"')[2]


def test_a_finished_game_is_explained(app: Flask, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = finished(games, started(games, "sealed-bids", people))
    page = Visit(app, games, position, people[0]).look()
    points = page.partition('id="points"')[2].partition("</section>")[0]
    assert "<h2>Points</h2>" in points
    assert re.search(r"Lot \d brings (Alice|Bob|Carol) \d", points)


def test_a_page_takes_few_statements_and_reads_the_log_once(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    visits = [Visit(app, games, position, Person(row.player_id, "", row.name, None, "en")) for row in position.seats]
    for seat in (0, 1):
        act(games, now_at(games, position.game.id), seat, position.ruleset.legal(position.state, seat)[0])
    asked: list[str] = []
    note, everything = (lambda *given: asked.append(given[2])), hand_of(games.engine).engine
    event.listen(everything, "before_cursor_execute", note)
    # Alice has acted, but not last; it is Carol's move.
    for visit in (visits[0], visits[2]):
        asked.clear()
        visit.look()
        # The statement that opens the game looks at the moment of its last event besides.
        assert len([each for each in asked if " event " in each and "json_build_object" not in each]) == 1
        assert len(asked) <= 5, asked
    event.remove(everything, "before_cursor_execute", note)


def test_every_term_is_a_button_that_opens_its_explanation_once_a_part(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    page = Visit(app, games, position, mover).look()
    explained = set(re.findall(r'id="(term-[a-z-]+)"[^>]* popover>', page))
    for part in page.split("data-part")[1:]:
        used = re.findall(r'popovertarget="([a-z-]+)"', part.partition('id="terms"')[0])
        assert set(used) <= explained
    standings = re.search(r'<div id="standings".*?</section>', page, re.DOTALL)
    assert standings
    used = re.findall(r'popovertarget="([a-z-]+)"', standings[0])
    assert {"term-conglomerate", "term-agent", "term-share"} & set(used)
    assert len(used) == len(set(used))


def test_what_people_write_stays_text_among_the_terms(app: Flask, games: Games) -> None:
    people = [register(games, "<b>HQ & Agent</b>", None, "en"), carol(games)]
    page = Visit(app, games, started(games, "new-corp-order", people), people[0]).look()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert "&amp;lt;" not in page


def test_browsers_that_draw_no_pictures_tell_the_letters_of_the_board_apart(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    page = Visit(app, games, position, mover).look()
    board = page[page.index('class="board"') : page.index("</svg>", page.index('class="board"'))]
    assert "</text> " in board
    assert not re.search(r"</text><", board)
