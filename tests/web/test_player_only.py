"""Links of players who want them to work for nobody but themselves: signed in as today, and else not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.handlers import mail_wishes
from service.runtime import Runtime
from service.store.games import Games, Position
from tests.browsing import browser, form_on, send
from tests.builders import act, now_at, started
from tests.games.sealed_bids.actions import Hold
from tests.letters import PRESSED, Page, link, press
from tests.people import Person, alice, bob, carol
from tests.signing_in import mailed

ALICE, BOB = 0, 1
ELSEWHERE = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "same-site"}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    """A game in which Alice wants to be signed in."""
    mail_wishes.change(games, people[ALICE].id, {"links_need_sign_in": True})
    return started(games, "sealed-bids", people)


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    """A browser at which nobody has signed in, which keeps no cookies."""
    return app.test_client(use_cookies=False)


def test_who_has_not_signed_in_sees_nothing_of_the_table_and_plays_nothing(
    stranger: FlaskClient, games: Games, position: Position
) -> None:
    path = link(games, position, ALICE)
    for shown in ("", "?way=0", "/hold", "/all/1", "/link/others"):
        page = stranger.get(path + shown)
        assert page.status_code == 403
        assert "<h1>Sealed Bids: Sign in first</h1>" in page.text
        assert not [word for word in ("Hand", "<svg", "Hold the cards") if word in page.text]
        assert [(form.action, form.hidden, form.inputs) for form in Page(page.text).forms] == [
            ("/sign-in", {"back": path + shown}, ["email"])
        ]
    for sent in ("", "/hold", "/link/others", "/link/back"):
        refused = stranger.post(
            path + sent, data={"decision": position.decision, "notation": "hold", "sure": "yes", **PRESSED}
        )
        assert (refused.status_code, "Nothing has been played." in refused.text) == (403, True)
    assert now_at(games, position.game.id).version == position.version
    assert stranger.get(link(games, position, BOB)).status_code == 200
    assert press(stranger, link(games, position, BOB), "hold").status_code == 200


def test_what_a_link_has_played_is_shown_to_nobody_else_either(
    stranger: FlaskClient, games: Games, position: Position
) -> None:
    path = link(games, position, ALICE)
    act(games, position, ALICE, Hold())
    page = stranger.get(path)
    assert (page.status_code, "Hold the cards" in page.text) == (403, False)
    assert stranger.post(f"{path}/link/fresh", data=PRESSED).status_code == 200


def test_signed_in_as_its_player_it_plays_as_any_link_and_as_anybody_else_it_does_not(
    app: Flask, games: Games, people: list[Person], position: Position
) -> None:
    path = link(games, position, ALICE)
    other, mine = browser(app, games, people[BOB]), browser(app, games, people[ALICE])
    refused = other.get(path)
    assert (refused.status_code, "You are signed in as Bob." in refused.text) == (403, True)
    assert other.post(f"{path}/hold", data={"decision": position.decision}).status_code == 403
    assert "Hand" in mine.get(path).text
    assert mine.post(f"{path}/hold", data={"decision": position.decision}, headers=ELSEWHERE).status_code == 403
    assert now_at(games, position.game.id).version == position.version
    played = send(mine, f"{path}/hold", path)
    assert (played.status_code, "Your move has been played" in played.text) == (200, True)


def test_signing_in_from_there_leads_back_to_the_same_move(
    app: Flask, games: Games, runtime: Runtime, mailbox: Path, people: list[Person], position: Position
) -> None:
    web, path, email = app.test_client(), f"{link(games, position, ALICE)}/hold", f"own.{position.game.id}@example.org"
    with games.engine.begin() as db:
        db.exec_driver_sql(
            "update player set email = %(email)s, email_verified = true, email_confirmed = true where id = %(id)s",
            {"email": email, "id": people[ALICE].id},
        )
    asking, *_ = Page(web.get(path).text).forms
    unread = web.post(asking.action, data={**asking.hidden, "email": "nowhere"})
    assert (unread.status_code, Page(unread.text).forms[0].hidden) == (422, asking.hidden)
    asked = web.post(asking.action, data={**asking.hidden, "email": email})
    assert asked.status_code == 200
    mail = mailed(runtime, mailbox, email)
    assert "/t/" not in mail
    entry = "/sign-in/" + mail.partition("/sign-in/")[2][:26]
    assert send(web, entry, entry).location == path
    assert form_on(web.get(path), path.removesuffix("/hold")).hidden["decision"] == str(position.decision)


def test_a_form_from_elsewhere_cannot_say_where_signing_in_leads(
    app: Flask, games: Games, runtime: Runtime, mailbox: Path
) -> None:
    for way in ("//example.org/", "https://example.org/", "/\\example.org"):
        web, email = app.test_client(), f"way.{abs(hash(way))}@example.org"
        assert "way=" not in str(web.post("/sign-in", data={"email": email, "back": way}).headers)
        web.set_cookie("way", way, path="/sign-in", domain="localhost")
        entry = "/sign-in/" + mailed(runtime, mailbox, email).partition("/sign-in/")[2][:26]
        assert send(web, entry, entry).location == "/games"
