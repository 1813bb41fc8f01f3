"""Time that lapses, as programs and readers are told of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from service.handlers import links
from service.log.codec import action_json
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from tests.browsing import browser
from tests.builders import first_legal, now_at, paced
from tests.lapsing import AT_ONCE, carried_out, instead_of, stood_in
from tests.letters import Page, letters
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

ALICE, BOB = 0, 1
LANGUAGES = {
    "en": "Your time for this decision has run out, and the computer has played for you.",
    "de": "Deine Zeit für diese Entscheidung ist abgelaufen, und der Computer hat für dich gespielt.",
    "fr": "Votre temps pour cette décision est écoulé, et l’ordinateur a joué pour vous.",
}


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


def corp(games: Games) -> tuple[Position, list[Person]]:
    people = [alice(games), bob(games)]
    return paced(games, AT_ONCE, "new-corp-order", people, **{"first-player": ALICE}), people


def bids(games: Games) -> tuple[Position, list[Person]]:
    people = [alice(games), bob(games), carol(games)]
    return paced(games, AT_ONCE, people=people), people


@pytest.mark.parametrize("make", [corp, bids], ids=["new-corp-order", "sealed-bids"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_t11_a_move_after_the_lapse_gets_409_with_what_was_played(
    runtime: Runtime, games: Games, api: Caller, make: object, language: str
) -> None:
    position, people = make(games)  # type: ignore[operator] # one of the two
    legal = api.by(people[ALICE]).get(f"/games/{position.game.id}/legal-actions").json
    assert legal
    carried_out(runtime, position, seat=ALICE)
    sent = action_json(first_legal(position, ALICE))
    body = refused(api.by(people[ALICE]).act(position.game.id, 1, sent, Accept_Language=language), 409, "time-lapsed")
    assert "played" not in body
    stood_in(runtime, position)
    body = refused(api.by(people[ALICE]).act(position.game.id, 1, sent, Accept_Language=language), 409, "time-lapsed")
    assert body["detail"] == LANGUAGES[language]
    instead = instead_of(position, ALICE)
    assert body["played"]["action"] == action_json(instead)
    assert body["played"]["notation"] == position.ruleset.notate(instead)
    assert body["played"]["text"]
    assert body["since"][0]["type"] == "time-lapsed" and body["decision"] == now_at(games, position.game.id).decision
    told = next(each for each in body["since"] if each["type"] == "time-lapsed")
    assert plain(told["text"]) == "Alice has run out of time."


def test_t11_the_page_behind_a_mailed_link_says_so_and_what_was_played(
    runtime: Runtime, games: Games, app: Flask
) -> None:
    position, _ = corp(games)
    with games.engine.begin() as db:
        token = links.issue(db, position.game.id, ALICE, 1, clock.now())
    position = stood_in(runtime, position)
    page = app.test_client().get(f"/t/{token}")
    assert page.status_code == 410 and "Your time for this decision ran out before you answered." in page.text
    assert "because the time was up" in page.text
    form = {"decision": "1", "notation": "P 1"}
    assert app.test_client().post(f"/t/{token}", data=form).status_code == 409


def test_t11_the_page_of_the_table_says_so(runtime: Runtime, games: Games, app: Flask) -> None:
    position, people = corp(games)
    place = f"/games/{position.game.id}"
    web = browser(app, games, people[ALICE])
    page = Page(web.get(f"{place}?decision=1").text)
    key = next(each.hidden["form_key"] for each in page.forms if "form_key" in each.hidden)
    form = {"form_key": key, "decision": "1", "notation": position.ruleset.notate(first_legal(position, ALICE))}
    carried_out(runtime, position)
    answer = web.post(f"{place}/action", data={**form, "sure": "yes"})
    assert answer.status_code == 409 and "is about to play for you" in answer.text
    stood_in(runtime, position)
    answer = web.post(f"{place}/action", data={**form, "sure": "yes"})
    assert answer.status_code == 409 and LANGUAGES["en"] in answer.text


@pytest.mark.parametrize("ruleset", ["new-corp-order", "sealed-bids"])
def test_t13_a_game_that_a_lapse_has_ended_is_shown_everywhere_without_a_result(
    runtime: Runtime, games: Games, api: Caller, app: Flask, mailbox: Path, ruleset: str
) -> None:
    people = [alice(games), bob(games), carol(games)]
    first = {"first-player": ALICE} if ruleset == "new-corp-order" else {}
    position = paced(games, replace(AT_ONCE, on_lapse="end"), ruleset, people, **first)
    game = position.game.id
    after = carried_out(runtime, position)
    assert after.game.status == "finished"
    caller = api.by(people[ALICE])
    table = caller.get(f"/games/{game}").json
    assert table and table["outcome"] == {"winners": [], "scores": None, "reason": "time"}
    assert (table["status"], table["to_act"]) == ("finished", [])
    shown = (
        "/standings",
        "/events",
        "/replay",
        f"/replay/{after.version}",
        "/listing",
        "/board",
        "/board.svg",
        "/talk",
    )
    for path in (*shown, "/legal-actions", "/proof"):
        assert caller.get(f"/games/{game}{path}").status_code == 200, path
    # The list of all games is a page, and other tests leave games there that are newer for ever.
    assert str(game) in [each["id"] for each in (caller.get("/games?mine=true").json or {})["items"]]
    refused(caller.act(game, 1, action_json(first_legal(position, ALICE))), 409, "game-not-running")
    assert caller.post(f"/games/{game}/rematch").status_code == 201
    web = browser(app, games, people[ALICE])
    for path in (f"/games/{game}", f"/games/{game}/replay", f"/games/{game}/listing.txt", "/games"):
        assert web.get(path).status_code == 200, path
    assert "the game ends without a result" in plain(web.get(f"/games/{game}").text)
    carried_out(runtime, position, "game-over")
    told = {each.recipient: " ".join(each.text.split()) for each in letters(mailbox, game)}
    assert "A player's time ran out, and so the game has no result." in told["alice@example.org"]
    assert "Einem Spieler lief die Zeit ab" in told["bob@example.org"]
    assert "Un joueur a épuisé son temps" in told["carol@example.org"]
