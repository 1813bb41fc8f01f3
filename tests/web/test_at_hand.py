"""What the page of a game has at hand: an action taken back, why no mails come, what the heads of the points mean."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from flask import Flask
from freezegun import freeze_time

from service.handlers import mail_wishes
from service.handlers.take_back import Wish, take_back
from service.shared import clock
from service.store import mail
from service.store.games import Games
from service.texts.catalog import languages, say
from service.web.play.guide import glossary
from tests.builders import act, now_at, sealed_bids, started
from tests.letters import Page
from tests.people import alice, register
from tests.web.test_table import Visit, alice_of, last_bid


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
    mail_wishes.change(games, people[0].id, {"kinds": {"turn": False}})
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
