"""Challenges on the site and by mail: a link shows, a button plays; and the page of the bots."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import challenges
from service.handlers.ready import make_ready
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.lobby import Challenge
from service.views.account import account_row
from tests.browsing import browser, send
from tests.builders import now_at
from tests.challenged import bot_of, challenged
from tests.letters import text_of
from tests.people import Person, alice, bob, carol
from workers.jobs import carry_out


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games)]


def mailed(runtime: Runtime, mailbox: Path, sent: Challenge) -> list[EmailMessage]:
    """Carry out the row of the mail about the challenge, and return the mails that have arrived."""
    query = text("select id from outbox where dedupe_key = :key")
    with runtime.engine.connect() as db:
        row = db.execute(query, {"key": f"challenge:{sent.id}"}).scalar_one()
    carry_out(runtime, row)
    found = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in mailbox.glob("*.eml")]
    return [mail for mail in found if mail["List-Id"].startswith("<challenge.")]


def link_of(mail: EmailMessage) -> str:
    found = re.search(r"https?://\S+/c/[a-z2-7]{26}\b", text_of(mail))
    assert found
    return urlsplit(found[0]).path


def state_of(games: Games, sent: Challenge) -> Any:
    with games.engine.connect() as db:
        return challenges.known(db, sent.id, sent.sender, clock.now())


def test_the_link_of_a_mail_shows_the_challenge_and_a_button_accepts_it(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    sent = challenged(games, people[0], people[1])
    (mail,) = mailed(runtime, mailbox, sent)
    assert (mail["To"].addresses[0].addr_spec, "Alice" in mail["Subject"]) == (people[1].email, True)
    link, web = link_of(mail), browser(app, games)
    assert "Alice" in web.get(f"{link}/decline").text
    assert web.post(f"{link}/accept").status_code == 400
    assert state_of(games, sent).state == "open"
    assert web.post(f"{link}/accept", data={"press": "yes"}).status_code == 200
    accepted = state_of(games, sent)
    assert now_at(games, accepted.game).game.status == "running"
    assert str(accepted.game) in web.get(link).text
    assert web.post(f"{link}/decline", data={"press": "yes"}).status_code == 409
    assert web.get(f"/c/{'a' * 26}").status_code == 404


def test_a_challenge_that_is_declined_leads_on_to_the_start_page(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    (mail,) = mailed(runtime, mailbox, challenged(games, people[0], people[1]))
    link, web = link_of(mail), browser(app, games)
    on = '<a class="button" href="/">'
    assert on not in web.get(link).text
    assert on in web.post(f"{link}/decline", data={"press": "yes"}).text


def test_no_more_mails_come_after_one_click_and_none_about_what_is_over(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    first = challenged(games, people[0], people[1])
    (mail,) = mailed(runtime, mailbox, first)
    stop = urlsplit(mail["List-Unsubscribe"].strip("<>")).path
    assert browser(app, games).post(stop, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    again = carol(games)
    assert len(mailed(runtime, mailbox, challenged(games, again, people[1]))) == 1
    withdrawn = challenged(games, people[1], people[0])
    challenges.withdraw(games, withdrawn.id, people[1].id, clock.now())
    assert len(mailed(runtime, mailbox, withdrawn)) == 1


def test_my_games_list_challenges_which_are_answered_there(app: Flask, games: Games, people: list[Person]) -> None:
    sent, got = challenged(games, people[0], people[1]), challenged(games, people[1], people[0])
    web = browser(app, games, people[0])
    listed = web.get("/games").text
    assert f"/challenges/{sent.id}" in listed and f"/challenges/{got.id}" in listed
    withdrawn = send(web, f"/challenges/{sent.id}", f"/challenges/{sent.id}/withdraw")
    assert (withdrawn.status_code, state_of(games, sent).state) == (303, "withdrawn")
    accepted = send(web, f"/challenges/{got.id}", f"/challenges/{got.id}/accept")
    assert accepted.headers["Location"] == f"/games/{state_of(games, got).game}"
    assert browser(app, games, carol(games)).get(f"/challenges/{got.id}").status_code == 404
    assert f"/challenges/{got.id}" not in web.get("/games").text


def test_each_side_of_a_challenge_reads_of_the_other(app: Flask, games: Games, people: list[Person]) -> None:
    sent = challenged(games, people[0], people[1])
    for person, heading in zip(
        people, ("You challenge Bob to a game of ", "Alice fordert dich zu einer Partie "), strict=True
    ):
        page = browser(app, games, person).get(f"/challenges/{sent.id}").text
        assert re.sub("[\u2068\u2069]", "", page).count(f"<h1>{heading}") == 1


def test_a_bot_that_is_ready_is_challenged_with_a_button(app: Flask, games: Games, people: list[Person]) -> None:
    bot = bot_of(games, people[1], "Robot", "robot-one")
    with games.engine.connect() as db:
        row = account_row(db, bot.id)
    make_ready(games, row, ("new-corp-order",), (2,), clock.now())
    assert "Robot" in browser(app, games).get("/bots").text
    web = browser(app, games, people[0])
    assert send(web, "/bots", "/bots").status_code == 303
    refused = send(web, "/bots", "/bots")
    assert (refused.status_code, 'role="alert"' in refused.text) == (409, True)
    with games.engine.connect() as db:
        (asked,) = db.execute(text("select sender from challenge where recipient = :bot"), {"bot": bot.id}).scalars()
    assert asked == people[0].id
