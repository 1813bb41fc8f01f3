"""A name that is read from right to left turns nothing round: in pages, in both parts of mails, in subjects."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask

from service.handlers import invitations, talk
from service.handlers.invitations import ByLink
from service.mail.bidi import with_bdi
from service.rules.bidi import FSI, PDI
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.lobby import invitation_token
from tests.browsing import browser, send
from tests.builders import started, table_for
from tests.people import Person, bob, register
from tests.replying import delivered
from tests.rest import Caller

OMAR = "عمر"
ISOLATED = f"{FSI}{OMAR}{PDI}"
ELEMENT = f"<bdi>{OMAR}</bdi>"


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [register(games, OMAR, f"{uuid4().hex}@example.org", "en"), bob(games, f"{uuid4().hex}@example.org")]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    return started(games, "new-corp-order", people, **{"first-player": 1})


def outside_of_elements(page: str) -> list[str]:
    """The texts of a page in which the name stands without an element of its own."""
    texts = re.sub(r"(?s)<(title|svg|script|style|option|textarea)\b.*?</\1>", "", page)
    texts = texts.replace(ELEMENT, "").replace(f"<bdi>{OMAR} &amp; friends</bdi>", "")
    return [each for each in re.sub(r"<[^>]*>", "\n", texts).splitlines() if OMAR in each]


def test_pages_have_the_name_in_an_element_of_its_own(
    app: Flask, games: Games, people: list[Person], position: Position
) -> None:
    lobby = table_for(games, "new-corp-order", people[0], 3, Terms(name=f"{OMAR} & friends", access="public"))
    talk.say(games, position.game.id, people[0].id, "Hello", "web", clock.now())
    paths = ("/games", "/games/open", f"/games/{lobby}", f"/games/{position.game.id}")
    more = (f"/games/{position.game.id}/proof", f"/games/{position.game.id}/replay", "/settings/programs")
    for person in people:
        web = browser(app, games, person)
        pages = {path: web.get(path, follow_redirects=True) for path in (*paths, *more)}
        assert {page.status_code for page in pages.values()} == {200}
        assert [(path, outside_of_elements(page.text)) for path, page in pages.items()] == [
            (path, []) for path in pages
        ]
    labels = re.findall(r'aria-label="([^"]*)"', pages[more[1]].text)
    assert any(ISOLATED in each for each in labels) and all("<bdi>" not in each for each in labels)
    assert [path for path in paths if f"<bdi>{OMAR}" not in pages[path].text] == []


def test_mails_isolate_the_name_in_text_subject_and_board_and_mark_it_in_html(
    runtime: Runtime, mailbox: Path, people: list[Person], position: Position
) -> None:
    mails = delivered(runtime, mailbox, position.game.id)
    letter = mails[str(people[1].email)][0]
    # A subject is one line of its own, and isolates show as boxes in some lists of mails.
    assert OMAR in letter.message["Subject"] and ISOLATED not in letter.message["Subject"]
    text = letter.text.replace(ISOLATED, "")
    assert ISOLATED in letter.text and OMAR not in text
    assert f"  {ISOLATED}" in letter.text
    (own,) = mails[str(people[0].email)]
    htmls = [each.message.get_body(("html",)).get_content() for each in (letter, own)]
    assert any(ELEMENT in html for html in htmls) and [outside_of_elements(html) for html in htmls] == [[], []]
    assert own.message["To"].addresses[0].display_name == OMAR


def test_the_api_has_the_name_as_it_was_given(api: Caller, people: list[Person], position: Position) -> None:
    seats = api.by(people[1]).get(f"/games/{position.game.id}").get_json()["seats"]
    assert seats[0]["name"] == OMAR
    assert api.by(people[0]).get("/me").get_json()["name"] == OMAR


def test_attributes_and_what_holds_no_elements_keep_the_characters() -> None:
    picture = f"<svg><title>{ISOLATED}</title><text>{ISOLATED}</text></svg>"
    page = f'<title>{ISOLATED}</title><p title="{ISOLATED}">NAME 1</p>{picture}'
    assert with_bdi(page.replace("NAME", ISOLATED)) == page.replace("NAME", ELEMENT)
    assert with_bdi(f"<svg/>{ISOLATED}") == f"<svg/>{ELEMENT}"


def test_names_from_before_are_shown_and_their_owners_may_change_all_else(app: Flask, games: Games) -> None:
    person = register(games, "ODS", None, "en")
    web = browser(app, games, person)
    saved = send(web, "/settings", "/settings", name="ODS", language="fr", time_zone="UTC")
    assert saved.status_code == 303
    me = Caller(app.test_client(), person.token).get("/me").get_json()
    assert (me["name"], me["language"]) == ("ODS", "fr")
    refused = send(web, "/settings", "/settings", name="О D S", language="fr", time_zone="UTC")
    assert refused.status_code == 422 and "pourrait passer pour" in refused.text


@pytest.mark.parametrize(("page", "action"), [("/settings/programs", "/settings/bots"), ("/games/new", "/games/new")])
def test_forms_that_name_something_say_why_a_name_is_refused(app: Flask, games: Games, page: str, action: str) -> None:
    answer = send(browser(app, games, bob(games)), page, action, name="ODS", seats="2", ruleset="sealed-bids")
    assert answer.status_code == 422 and "mit dem Computer" in answer.text


def test_whoever_joins_by_a_link_is_told_why_a_name_is_refused(app: Flask, games: Games) -> None:
    host = bob(games)
    game = table_for(games, "sealed-bids", host, 3)
    given = invitations.invite(games, game, host.id, ByLink("secret"), clock.now(), None)
    path = f"/join/{invitation_token(given.id, 'secret')}"
    answer = app.test_client().post(path, data={"name": "früherer\u200b Spieler"}, headers={"Accept-Language": "de"})
    assert answer.status_code == 422 and "unsichtbar sind" in answer.text
