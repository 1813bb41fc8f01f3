"""Players on the site: a profile and what can be done there, one's own lists, the link of a mail, and the search."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import people
from service.handlers.people import change_player
from service.handlers.results import keep_played
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.people import are_friends, either_blocks
from service.texts.catalog import languages
from service.web.people.reports import MAX_REPORT_LENGTH
from tests.browsing import browser, form_on, send
from tests.builders import finished, started
from tests.challenged import called
from tests.letters import text_of
from tests.people import Person, alice, bob, carol
from tests.web.test_every_page import Sound
from workers.jobs import carry_out


def handle() -> str:
    return f"u{uuid4().hex[:12]}"


def named(games: Games, person: Person) -> tuple[Person, str]:
    """Give a person a handle, and return both."""
    name = handle()
    return called(games, person, name), name


@pytest.mark.parametrize("language", languages())
def test_a_profile_shows_its_figures_in_every_language_and_offers_a_visitor_what_to_do(
    app: Flask, games: Games, language: str
) -> None:
    (one, hers), other = named(games, alice(games)), bob(games)
    over = finished(games, started(games, "sealed-bids", [one, other, carol(games)]))
    with games.engine.begin() as db:
        keep_played(db, games, over.game.id)
    web = browser(app, games, other)
    shown = web.get(f"/players/{hers}?language={language}")
    assert shown.status_code == 200 and Sound(shown.text).wrong == []
    assert f"/games/{over.game.id}" in shown.text and "Sealed Bids" in shown.text
    for act in ("friend", "block", "ignore", "challenge", "report"):
        assert f'action="/players/{hers}/{act}"' in shown.text
    signed_out = app.test_client().get(f"/players/{hers}?language={language}")
    assert signed_out.status_code == 200 and f"/players/{hers}/block" not in signed_out.text
    assert f"/players/{hers}/block" not in browser(app, games, one).get(f"/players/{hers}").text


def test_a_profile_draws_where_the_points_come_from_the_most_first(app: Flask, games: Games) -> None:
    (one, hers), other = named(games, alice(games)), bob(games)
    over = finished(games, started(games, "new-corp-order", [one, other]))
    with games.engine.begin() as db:
        keep_played(db, games, over.game.id)
        # Whatever was played: points of two sources, and of one that has none.
        made = """{"sign-white": 1, "star": 3, "sign-red": 0}"""
        db.execute(
            text("update played_game set sources = :made where game_id = :game"), {"made": made, "game": over.game.id}
        )
    shown = app.test_client().get(f"/players/{hers}").text
    bar = r'class="part" width="([0-9.]+)%" height="100%" rx="6"(?: fill="(#[0-9a-f]+)")?/>'
    drawn = re.findall(rf"<dt>([^<]+)</dt>.*?{bar}", shown)
    looks = over.ruleset.contributions.looks
    assert drawn == [("Objectives", "75.0", ""), ("Omnicorp", "25.0", looks["c4"][0])]
    assert "<b>75 %</b>" in shown.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


def test_a_hidden_profile_is_a_page_that_is_not_there(app: Flask, games: Games) -> None:
    one, hers = named(games, alice(games))
    change_player(games, one.id, {"visibility": "hidden"}, clock.now())
    web = browser(app, games, bob(games))
    missing, hidden = web.get(f"/players/{(nobody := handle())}"), web.get(f"/players/{hers}")
    assert (hidden.status_code, hidden.text.replace(hers, nobody)) == (404, missing.text)
    assert browser(app, games, one).get(f"/players/{hers}").status_code == 200


def test_friends_are_asked_accepted_challenged_and_ended_by_the_buttons_of_the_pages(app: Flask, games: Games) -> None:
    (one, hers), (other, his) = named(games, alice(games)), named(games, bob(games))
    asking, asked = browser(app, games, one), browser(app, games, other)
    assert send(asking, f"/players/{his}", f"/players/{his}/friend").headers["Location"] == "/people#friends"
    accept = re.search(r'action="(/people/[^"]+/accept)"', asked.get("/people").text)
    assert accept
    assert send(asked, "/people", accept[1]).status_code == 303
    with games.engine.connect() as db:
        assert are_friends(db, one.id, other.id)
    answer = send(asking, "/people", "/people/challenge", ruleset="new-corp-order")
    assert answer.headers["Location"] == "/games#challenges"
    end = re.search(r'action="(/people/[^"]+/end)"', asking.get("/people").text)
    assert end
    send(asking, "/people", end[1])
    with games.engine.connect() as db:
        assert not are_friends(db, one.id, other.id)
    assert asking.get(f"/people/find?handle=@{his.upper()}").headers["Location"] == f"/players/{his}"
    assert hers in asked.get(f"/players/{hers}").text


def test_a_player_is_blocked_from_the_profile_or_from_a_seat_and_unblocked_from_the_list(
    app: Flask, games: Games
) -> None:
    one, (other, his), third = alice(games), named(games, bob(games)), carol(games)
    game = started(games, "sealed-bids", [one, other, third]).game.id
    web = browser(app, games, one)
    assert send(web, f"/players/{his}", f"/players/{his}/block").headers["Location"] == "/people#block"
    report = f"/games/{game}/report?seat=2"
    assert send(web, report, f"/games/{game}/seats/2/block").status_code == 303
    assert send(web, report, f"/games/{game}/seats/2/ignore").status_code == 303
    with games.engine.connect() as db:
        assert either_blocks(db, other.id, one.id) and either_blocks(db, one.id, third.id)
    while found := re.search(r'action="(/people/[^"]+/(?:unblock|heed))"', web.get("/people").text):
        send(web, "/people", found[1])
    with games.engine.connect() as db:
        assert not either_blocks(db, other.id, one.id) and not either_blocks(db, one.id, third.id)


def test_who_is_blocked_is_refused_in_the_words_for_who_was_declined(app: Flask, games: Games) -> None:
    (one, hers), (declined, his), (blocked, theirs) = (
        named(games, person) for person in (alice(games), bob(games), carol(games))
    )
    for person in (declined, blocked):
        change_player(games, person.id, {"language": "en"}, clock.now())
    asked = people.ask_friend(games, declined.id, hers, clock.now())
    people.unfriend(games, asked.id, one.id, clock.now())
    people.block_player(games, one.id, theirs, clock.now())
    answers = [
        send(browser(app, games, person), f"/players/{hers}", f"/players/{hers}/friend")
        for person in (declined, blocked)
    ]
    said = [re.findall(r'role="alert">([^<]+)<', answer.text) for answer in answers]
    assert [answer.status_code for answer in answers] == [409, 409]
    assert said[0] == said[1] != []
    assert his not in answers[0].text


def test_a_report_from_the_profile_stands_among_ones_reports_and_before_the_operators(app: Flask, games: Games) -> None:
    one, (other, his) = alice(games), named(games, bob(games))
    web = browser(app, games, one)
    sent = send(web, f"/players/{his}", f"/players/{his}/report", text="This name is an insult.")
    assert sent.headers["Location"] == "/reports?sent="
    assert "This name is an insult." in web.get("/reports").text
    with games.engine.connect() as db:
        row = db.execute(text("select * from report where reporter = :who"), {"who": one.id}).one()
    assert (row.about, row.reported, row.game_id, row.quoted) == ("profile", other.id, None, f"@{his} Bob")
    for words in (" ", "a\0b", "x" * (MAX_REPORT_LENGTH + 1)):
        assert send(web, f"/players/{his}", f"/players/{his}/report", text=words).status_code == 422


def test_the_link_of_a_mail_shows_the_request_and_only_a_button_answers(
    app: Flask, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    one, (other, his) = alice(games), named(games, bob(games, f"{uuid4().hex}@example.org"))
    asked = people.ask_friend(games, one.id, his, clock.now())
    with games.engine.connect() as db:
        row = db.execute(
            text("select id from outbox where dedupe_key = :key"), {"key": f"friend-request:{asked.id}"}
        ).scalar_one()
    carry_out(runtime, row)
    mails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in mailbox.glob("*.eml")]
    mail = next(each for each in mails if other.email in str(each["To"]))
    found = re.search(r"https?://\S+/f/[a-z2-7]{26}\b", text_of(mail))
    assert found
    link, web = urlsplit(found[0]).path, app.test_client()
    for path in (link, f"{link}/decline", f"{link}/never"):
        assert web.get(path).status_code == 200
    assert web.post(f"{link}/accept").status_code == 400
    with games.engine.connect() as db:
        assert not are_friends(db, one.id, other.id)
    assert form_on(web.get(f"{link}/decline"), f"{link}/decline").hidden == {"press": "yes"}
    assert send(web, link, f"{link}/accept").status_code == 200
    with games.engine.connect() as db:
        assert are_friends(db, one.id, other.id)
    assert web.get(link).status_code == 404 == web.get("/f/" + "a" * 26).status_code


def test_the_search_finds_games_by_whose_they_are_state_ruleset_and_opponent(app: Flask, games: Games) -> None:
    one, (other, his), third = alice(games), named(games, bob(games)), carol(games)
    over = finished(games, started(games, "sealed-bids", [one, other, third])).game.id
    running = started(games, "sealed-bids", [one, third, alice(games)]).game.id
    web, stranger = browser(app, games, one), browser(app, games, bob(games))

    def found(query: str, at: object = web) -> set[str]:
        answer = at.get(f"/games/history?{query}")  # type: ignore[attr-defined] # a browser
        assert answer.status_code == 200 and Sound(answer.text).wrong == []
        return {str(game) for game in (over, running) if f"/games/{game}" in answer.text}

    assert found("") == {str(over), str(running)}
    assert found("state=finished") == {str(over)} == found(f"opponent=@{his}")
    assert found("ruleset=new-corp-order") == set() == found("opponent=nobody-has-this")
    assert found("state=running&ruleset=sealed-bids") == {str(running)}
    assert found(f"whose=public&opponent={his}", stranger) == {str(over)}
    # Whoever is hidden is not found by the handle.
    change_player(games, other.id, {"visibility": "hidden"}, clock.now())
    assert found(f"whose=public&opponent={his}", stranger) == set()
