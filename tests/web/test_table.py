"""The page of a table: what each viewer may see, picked actions, the cache, compression; and the start page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from gzip import decompress
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time
from sqlalchemy import event, update

from service.app import create_app
from service.handlers import lobby, mail_preferences
from service.handlers.people import change_player
from service.handlers.play import resign
from service.handlers.take_back import Wish, take_back
from service.mail.play import send_turn_mail
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store import mail
from service.store.fast_path import hand_of
from service.store.game_row import Terms
from service.store.games import Games, Position, RulesNotInstalled
from service.store.tables import game as game_table
from service.texts.catalog import languages, say
from service.web.play.guide import glossary
from tests.browsing import browser
from tests.builders import act, finished, now_at, sealed_bids, started, table_for
from tests.dropping import Drop, with_dropping
from tests.letters import Form, Page, letters, turn_mails
from tests.people import Person, alice, bob, carol, register
from tests.rest import Caller


class Visit:
    """Browser of a visitor at the page of a game."""

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
        """Send a form of a page, and return the answer."""
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
    """Return the hidden fields of a waiting player's forms."""
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


# What is kept of a page between two views: each reader sees their own, and nothing stays that has changed.

SECRET = re.compile(r'name="form_key" value="[^"]*"|nonce-[\w-]+|data-key="[^"]*"')


def seen(visit: Visit, query: str = "") -> str:
    return SECRET.sub("", visit.look(query))


def moved(games: Games, position: Position) -> Position:
    seat = min(position.awaited)
    return act(games, position, seat, position.ruleset.legal(position.state, seat)[0]).position


def test_a_page_seen_again_is_the_same_page(app: Flask, games: Games) -> None:
    position, people = duel(games)
    moved(games, position)
    for person in (*people, carol(games), None):
        visit = Visit(app, games, position, person)
        assert seen(visit) == seen(visit)


def test_seeing_a_choice_does_not_change_what_is_seen_without_it(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    before = seen(visit)
    assert seen(visit, f"?decision={position.decision}&kind=plot&first=1") != before
    assert seen(visit) == before


def test_both_players_look_in_turn_and_each_sees_their_own_hand(app: Flask, games: Games) -> None:
    position, people = duel(games)
    ruleset, names = position.ruleset, position.names_in("en")
    for person in people * 2:
        seat = position.seat_of(person.id)
        drawn = ruleset.draw(ruleset.view(position.state, seat), "en", names)
        page = unescape(seen(Visit(app, games, position, person)))
        assert [line for line in drawn.splitlines() if line.rstrip() not in page] == []


def test_a_move_a_new_name_and_a_new_zone_are_seen_at_once(app: Flask, games: Games) -> None:
    position, (mover, other) = duel(games)
    moved(games, position)
    visit = Visit(app, games, position, other)
    before = seen(visit)
    moved(games, now_at(games, position.game.id))
    after = seen(visit)
    assert after != before
    change_player(games, mover.id, {"name": "Zoe"}, clock.now())
    renamed = seen(visit)
    assert "Zoe" not in after and "Zoe" in renamed
    change_player(games, other.id, {"time_zone": "Asia/Tokyo"}, clock.now())
    assert seen(visit) != renamed


# What the page of a game has at hand: an action taken back, why no mails come, what the heads of the points mean.


def test_an_action_can_be_taken_back_for_the_whole_window_however_the_page_is_opened(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    visit = Visit(app, games, position, alice_of(position, games))
    visit.send(visit.look(f"?decision=1&notation={quote(last_bid(position))}"), "/action")
    assert "10 more minutes, as long as nobody moves" in visit.look()
    with freeze_time(clock.now() + timedelta(minutes=9, seconds=30), tick=True):
        page = visit.look()
        assert "One more minute, as long as nobody moves" in page
        assert 0 < int(re.findall(r'data-left="(\d+)"', page)[0]) <= 30
    with freeze_time(clock.now() + timedelta(minutes=10, seconds=5), tick=True):
        assert "/undo" not in visit.look()
    assert visit.send(visit.look(), "/undo").status_code == 303
    assert "/undo" not in visit.look(), "what is taken back is not offered again"
    visit.send(visit.look(f"?decision=1&notation={quote(last_bid(position))}"), "/action")
    act(games, now_at(games, visit.game), 1, position.ruleset.legal(position.state, 1)[0])
    assert "/undo" not in visit.look(), "somebody has acted since"
    take_back(games, Wish(visit.game, 1, now_at(games, visit.game).decision, "web"), timedelta(minutes=10), clock.now())
    assert "/undo" in visit.look(), "and has taken it back"


def test_whom_no_mail_reaches_is_told_to_the_others_and_the_cause_to_themselves(app: Flask, games: Games) -> None:
    people = alice(games, "alice@silence.example"), register(games, "Bob", "bob@silence.example", "en")
    position = started(games, "new-corp-order", people)
    own, others = (Visit(app, games, position, person) for person in people)
    told = "Alice cannot be reached by mail"
    assert told not in others.look() and "No mails are sent" not in own.look()
    with games.engine.begin() as db:
        mail.note_suppression(
            db, mail.suppression_digest("alice@silence.example"), "mailbox-full", "5.2.2", clock.now()
        )
        assert told not in others.look(), "once may happen"
        mail.note_suppression(
            db, mail.suppression_digest("alice@silence.example"), "unknown-address", "5.1.1", clock.now()
        )
    assert told in others.look() and "no such address" not in others.look()
    page = own.look()
    assert told not in page and "its provider says that there is no such address" in page
    assert (
        own.web.post(
            "/settings/mail/trial",
            data=next(form for form in Page(page).forms if form.action == "/settings/mail/trial").hidden,
        ).status_code
        == 200
    )
    assert told not in others.look() and "no such address" not in own.look()
    mail_preferences.change(games, people[0].id, {"kinds": {"turn": False}})
    assert told in others.look() and "you have turned them off" in own.look()


@pytest.mark.parametrize("language", languages())
def test_every_cause_of_silence_is_explained(language: str) -> None:
    causes = {"no-address", "unconfirmed", "unwanted", *mail.SUPPRESSION_POINTS}
    assert len({say(language, f"own-mail-{cause}", email="a@example.org") for cause in causes}) == len(causes)


@pytest.mark.parametrize(("language", "short"), [("en", "Pts"), ("de", "SP"), ("fr", "PV")])
def test_the_heads_of_the_points_explain_themselves(app: Flask, games: Games, language: str, short: str) -> None:
    person = register(games, "Zoë", None, language)
    page = Visit(app, games, started(games, "new-corp-order", [person]), person).look()
    table = page[page.index('id="standings"') :]
    opened = re.findall(rf'popovertarget="(term-[a-z-]+)">{short}</button></th>', table[: table.index("</table>")])
    assert opened == ["term-victory-point"] and f'id="{opened[0]}"' in page
    assert f"({short})" in page[page.index('id="terms"') :]
    assert 'name="text" maxlength="500"' not in page, "nobody to talk to"


def test_the_stop_of_a_sentence_stays_on_the_line_of_a_term(games: Games) -> None:
    mark = glossary(started(games, "new-corp-order", [alice(games)]).ruleset.guide, "en").marker()
    assert re.fullmatch(
        r'Take it from the <span class="whole"><button [^>]+>deck</button>\.</span> &lt;i&gt;',
        mark("Take it from the deck. <i>"),
    )
    assert re.fullmatch(r"A <button [^>]+>card</button> of the deck\.", mark("A card of the deck.")), "each term once"


@pytest.mark.parametrize("name", ["\u017fupply", "Stoc\u212a", "\u0130", "The \u0130 Card"])
def test_letters_that_only_look_like_those_of_a_term_break_no_page(games: Games, name: str) -> None:
    mark = glossary(started(games, "new-corp-order", [alice(games)]).ruleset.guide, "en").marker()
    assert f"{name} takes it." == re.sub("<[^>]+>", "", mark(f"{name} takes it."))


@pytest.mark.parametrize("language", languages())
def test_a_solo_game_is_one_press_from_the_start_page(app: Flask, language: str) -> None:
    web = app.test_client()
    wished = {"Accept-Language": language}
    form = next(form for form in Page(web.get("/", headers=wished).text).forms if form.action == "/play")
    begun = web.post(form.action, data=form.hidden, headers=wished, follow_redirects=True)
    assert begun.status_code == 200 and begun.request.path.startswith("/games/")
    assert say(language, "table-as-list") in begun.text and f'lang="{language}"' in begun.text


def test_the_first_decision_of_a_first_game_says_what_is_scored(app: Flask, games: Games) -> None:
    person = register(games, "Zoë", None, "en")
    position = started(games, "new-corp-order", [person])
    visit = Visit(app, games, position, person)
    first = visit.look()
    assert "Goal: more points than ODS, the computer." in first
    assert 'href="/rules/new-corp-order">The rules of New Corp Order</a>' in first
    act(games, position, 0, position.ruleset.legal(position.state, 0)[0])
    assert "Goal:" not in visit.look()
    again = Visit(app, games, started(games, "new-corp-order", [person]), person)
    assert "Goal:" not in again.look(), "a second game"


# Who has taken a step that nobody else may know of stands on no page, in no answer, and in no file.


def test_who_has_dropped_a_card_is_told_to_nobody_else(runtime: Runtime) -> None:
    house = with_dropping(runtime)
    people = [alice(house.games), bob(house.games), carol(house.games)]
    position = started(house.games, "sealed-bids", people)
    after = act(house.games, position, 0, Drop(card=position.state.hands[0][0])).position
    app = create_app(house)
    api = Caller(app.test_client())
    for person in people:
        own = person is people[0]
        log = Visit(app, house.games, after, person).look().partition('id="log"')[2].partition("</section>")[0]
        turn = next(each for each in log.split('class="turnh')[1:] if "A card is dropped." in each)
        assert ("Alice" in turn.partition('class="ev')[0]) == own
        game = f"/games/{after.game.id}"
        (event,) = api.by(person).get(f"{game}/events?after={position.version}").json["items"]
        steps = api.by(person).get(f"{game}/replay").json["items"]
        record = [json.loads(line) for line in api.by(person).get(f"{game}/record").text.splitlines()]
        assert [event["actor"], steps[-1]["actor"], record[-1]["seat"]] == ([0] * 3 if own else [None] * 3)


# Beside the links that are the reader's alone stands the one that may be shared, where anybody may look on.

MAILED, ON_PAGE = "you may share this link", "Others may watch by this link"


@pytest.mark.parametrize(
    ("terms", "shared"),
    [({"spectators": True}, True), ({"spectators": False}, False), ({"access": "invitation"}, False)],
)
def test_the_table_is_offered_for_sharing_where_anybody_may_look_on(
    app: Flask, runtime: Runtime, mailbox: Path, terms: dict[str, Any], shared: bool
) -> None:
    games, position = runtime.games, sealed_bids(runtime.games)
    with games.engine.begin() as db:
        db.execute(update(game_table).where(game_table.c.id == position.game.id).values(**terms))
    position = now_at(games, position.game.id)
    assert send_turn_mail(runtime, turn_mails(games, position)[0]) == "done"
    (mail,) = letters(mailbox, position.game.id)
    table, web = f"/games/{position.game.id}", app.test_client(use_cookies=False)
    page = web.get(mail.path).text
    assert (MAILED in " ".join(mail.text.split()), ON_PAGE in page) == (shared, shared)
    assert (table in Page(page).links) == shared
    seen = web.get(table)
    assert seen.status_code == (200 if shared else 404)
    assert "Please do not forward" in " ".join(mail.text.split()) and "Hand:" not in seen.text


# The page of a table is sent compressed, but never with words in it that another site can have put there.

GZIP = {"Accept-Encoding": "gzip, br"}


def test_the_page_of_a_table_is_sent_compressed_to_browsers_that_can_read_it(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    web, path = browser(app, games, mover), f"/games/{position.game.id}"
    plain, packed = web.get(path), web.get(path, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.data) * 3 < len(plain.data)
    assert 'id="felt"' in decompress(packed.data).decode()
    assert "Accept-Encoding" in packed.headers["Vary"]


def test_how_long_a_compressed_page_is_tells_nothing_exact_of_what_is_in_it(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    web, path = browser(app, games, mover), f"/games/{position.game.id}"
    answers = [web.get(path, headers=GZIP).data for _ in range(12)]
    assert len({decompress(each) for each in answers}) == 1
    assert len({len(each) for each in answers}) > 3


@pytest.mark.parametrize("site", ["cross-site", "same-site", None])
def test_a_page_whose_address_has_words_of_another_site_is_not_compressed(
    app: Flask, games: Games, site: str | None
) -> None:
    position, (mover, _) = duel(games)
    web, path = browser(app, games, mover), f"/games/{position.game.id}?notation=guess"
    headers = GZIP if site is None else {**GZIP, "Sec-Fetch-Site": site}
    assert "Content-Encoding" not in web.get(path, headers=headers).headers
    own = web.get(path, headers={**GZIP, "Sec-Fetch-Site": "same-origin"})
    assert own.headers["Content-Encoding"] == "gzip"


# The start page, and the mailbox of the local mail sink.


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A browser."""
    return app.test_client()


def test_the_start_page_says_what_this_is_and_where_to_go(web: FlaskClient) -> None:
    page = web.get("/")
    assert page.status_code == 200
    assert "One move. Then life goes on." in page.text
    assert "Sealed Bids" in page.text
    links = Page(page.text).links
    assert {"/sign-in", "/api/docs", "/mailbox"} < set(links)
    assert all(web.get(link).status_code == 200 for link in links if link.startswith("/"))


def test_the_start_page_shows_the_newest_public_game_whose_rules_are_installed(runtime: Runtime) -> None:
    games, people = runtime.games, [alice(runtime.games), bob(runtime.games), carol(runtime.games)]

    def public(ruleset: str) -> UUID:
        game = table_for(games, ruleset, people[0], 3, Terms(access="public"))
        for guest in people[1:]:
            lobby.join(games, game, guest.id, clock.now())
        return lobby.start(games, game, people[0].id, clock.now()).game.id

    public("sealed-bids")
    newer = public("new-corp-order")
    without = {"sealed-bids": games.rulesets["sealed-bids"]}
    page = create_app(replace(runtime, games=Games(runtime.engine, without))).test_client().get("/")
    assert page.status_code == 200
    assert f"/games/{newer}" not in page.text
    (shown,) = set(re.findall(r'href="/games/([0-9a-f-]{36})"', page.text))
    assert now_at(games, UUID(shown)).game.ruleset == "sealed-bids"


@pytest.mark.parametrize(
    ("steps", "why"),
    [(0, "revision 2 of the rules of sealed-bids is not installed"), (1, "know no event card-dropped")],
)
def test_a_game_by_rules_of_a_later_release_is_told_of_and_does_not_break_the_start_page(
    runtime: Runtime, app: Flask, api: Caller, steps: int, why: str
) -> None:
    games, web = with_dropping(runtime).games, app.test_client()
    people = [alice(games), bob(games), carol(games)]
    game = table_for(games, "sealed-bids", people[0], 3, Terms(access="public"))
    for guest in people[1:]:
        lobby.join(games, game, guest.id, clock.now())
    begun = lobby.start(games, game, people[0].id, clock.now())
    for card in begun.state.hands[0][:steps]:
        act(games, begun, 0, Drop(card=card))
    page = web.get("/")
    assert page.status_code == 200
    assert f"/games/{game}" not in page.text
    with runtime.engine.connect() as db, pytest.raises(RulesNotInstalled, match=why):
        runtime.games.open(db, game)
    answers = web.get(f"/games/{game}"), api.by(people[0]).get(f"/games/{game}")
    assert [(each.status_code, each.headers["Retry-After"]) for each in answers] == [(503, "2")] * 2
    assert "not installed on this server" in answers[1].json["detail"]
    for person in people[1:]:
        resign(games, game, person.id, "web", clock.now())


@pytest.mark.parametrize(
    ("asked", "words"), [("de", "Dann geht das Leben weiter."), ("fr;q=0.9,eo", "Puis la vie continue.")]
)
def test_the_start_page_speaks_the_visitors_language(web: FlaskClient, asked: str, words: str) -> None:
    assert words in web.get("/", headers={"Accept-Language": asked}).text


def test_without_a_mailbox_there_is_no_page_for_it(runtime: Runtime) -> None:
    web = create_app(replace(runtime, settings=replace(runtime.settings, mailbox=None))).test_client()
    assert "/mailbox" not in Page(web.get("/").text).links
    assert web.get("/mailbox").status_code == 404
    assert web.get("/mailbox/1.eml").status_code == 404


def test_the_mailbox_lists_the_newest_mails_first(web: FlaskClient, mailbox: Path) -> None:
    assert "No mail has been sent yet." in web.get("/mailbox").text
    for number in range(3):
        (mailbox / f"{number}.eml").write_text(f"To: bob@example.org\nSubject: mail <{number}>\n\nhello\n")
    page = web.get("/mailbox").text
    assert Page(page).links == ["/mailbox/2.eml", "/mailbox/1.eml", "/mailbox/0.eml"]
    assert "mail &lt;2&gt;" in page


@pytest.mark.parametrize(
    ("asked", "shown"),
    [("de", "22.11.2026, 10:05"), ("fr", "22 nov. 2026, 10:05"), ("en", "22 Nov 2026, 10:05")],
)
def test_the_mailbox_tells_when_a_mail_was_sent_as_its_reader_writes_it(
    web: FlaskClient, mailbox: Path, asked: str, shown: str
) -> None:
    (mailbox / "1.eml").write_text("To: bob@example.org\nDate: Sun, 22 Nov 2026 11:05:09 +0100\n\nhello\n")
    for path in ("/mailbox", "/mailbox/1.eml"):
        assert f">{shown}</time>" in web.get(path, headers={"Accept-Language": asked}).text


def test_the_mailbox_tells_it_in_the_time_zone_of_whoever_has_signed_in(
    app: Flask, games: Games, mailbox: Path
) -> None:
    reader = bob(games)
    change_player(games, reader.id, {"time_zone": "Asia/Tokyo"}, clock.now())
    (mailbox / "1.eml").write_text("To: bob@example.org\nDate: Sun, 22 Nov 2026 11:05:09 +0100\n\nhello\n")
    (mailbox / "2.eml").write_text("To: bob@example.org\nDate: at noon\n\nhello\n")
    page = browser(app, games, reader).get("/mailbox").text
    assert page.count("<time") == 1
    assert ">22.11.2026, 19:05</time>" in page


def test_a_mail_in_the_mailbox_shows_its_text_and_leads_to_its_page(
    web: FlaskClient, mailbox: Path, runtime: Runtime
) -> None:
    position = sealed_bids(runtime.games)
    send_turn_mail(runtime, turn_mails(runtime.games, position)[0])
    (letter,) = letters(mailbox, position.game.id)
    (name,) = (path.name for path in mailbox.iterdir())
    page = web.get(f"/mailbox/{name}").text
    assert letter.text.splitlines()[0] in page
    first, *others = Page(page).links
    assert first == "/mailbox"
    assert letter.link in others
    assert all(each.startswith("http://127.0.0.1:8000/") for each in others)
    assert web.get(letter.path).status_code == 200


@pytest.mark.parametrize("name", ["no.eml", "..%2Fsecret.eml", "../secret.eml", "%00.eml", ".eml"])
def test_no_name_leads_out_of_the_mailbox(web: FlaskClient, mailbox: Path, name: str) -> None:
    secret = mailbox.parent / "secret.eml"
    secret.write_text("Subject: secret\n\nsecret\n")
    response = web.get(f"/mailbox/{name}")
    assert response.status_code == 404
    assert "secret" not in response.text


def test_a_mail_cannot_bring_markup_into_the_page(web: FlaskClient, mailbox: Path) -> None:
    body = '<script>alert(1)</script> http://example.org/"onclick="x <http://example.org/a>'
    (mailbox / "1.eml").write_text(f"Subject: <b>\n\n{body}\n")
    page = web.get("/mailbox/1.eml").text
    assert "<script" not in page
    assert "<b>" not in page
    assert Page(page).links == ["/mailbox", "http://example.org/", "http://example.org/a"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_while_the_database_is_away_a_link_asks_to_come_back_later(settings: Settings, method: str) -> None:
    away = Runtime.build(
        replace(settings, database_url="postgresql+psycopg://nobody@/none?host=/nowhere", redis_url=None)
    )
    page = create_app(away).test_client().open("/t/" + "a" * 26, method=method)
    assert page.status_code == 503
    assert "again" in page.text


def test_a_mail_is_shown_as_its_reader_sees_it(web: FlaskClient, mailbox: Path, runtime: Runtime) -> None:
    position = sealed_bids(runtime.games)
    send_turn_mail(runtime, turn_mails(runtime.games, position)[0])
    (letter,) = letters(mailbox, position.game.id)
    (name,) = (path.name for path in mailbox.iterdir())
    assert f'src="/mailbox/{name}/html"' in web.get(f"/mailbox/{name}").text
    shown = web.get(f"/mailbox/{name}/html")
    assert letter.link in Page(shown.text).links
    assert 'src="data:image/png;base64,' in shown.text and "cid:" not in shown.text
    assert "sandbox" in shown.headers["Content-Security-Policy"]
    assert "script-src" not in shown.headers["Content-Security-Policy"]
    assert shown.headers["X-Frame-Options"] == "SAMEORIGIN"


def test_a_mail_without_html_is_shown_as_text_alone(web: FlaskClient, mailbox: Path) -> None:
    (mailbox / "1.eml").write_text("To: bob@example.org\nSubject: hello\n\nhello\n")
    assert "<iframe" not in web.get("/mailbox/1.eml").text
    assert web.get("/mailbox/1.eml/html").status_code == 404
    assert web.get("/mailbox/2.eml/html").status_code == 404
