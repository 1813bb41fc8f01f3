"""Forms that are refused: the table with the reason, for those who may see it, and never an error of the service."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.handlers import pause, seats
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from tests.browsing import browser
from tests.builders import opened
from tests.consenting import DAY, clocked
from tests.leaving import running
from tests.letters import Page
from tests.people import Person, alice, bob, carol, register

FORMS = (
    "action", "undo", "talk", "notes", "resignation", "time", "back", "orders", "orders/cancel", "auto-answers",
    "substitutes", "seat-requests", "pause", "pause/agreement", "pause/end", "take-back-request",
    "take-back-request/agreement", "take-back-request/refusal",
)  # fmt: skip
NUL = "\x00"
BAD = {"text": NUL, "notation": NUL, "email": "nobody", "seat": "0", "decision": "1", "sure": "yes", "chosen": NUL}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def posted(web: FlaskClient, path: str, **fields: Any) -> Any:
    (form, *_) = Page(web.get("/settings").text).forms
    return web.post(path, data={"form_key": form.hidden["form_key"], **fields})


@pytest.mark.parametrize("status", ["open", "cancelled"])
def test_a_form_of_the_table_leads_to_the_lobby_of_a_game_that_has_not_begun(
    app: Flask, games: Games, people: list[Person], status: str
) -> None:
    game = opened(games, "sealed-bids", people)
    if status == "cancelled":
        seats.cancel(games, game, people[0].id)
    for person in (people[0], register(games, "Dan", None, "en")):
        web = browser(app, games, person)
        for form in FORMS:
            answer = posted(web, f"/games/{game}/{form}", **BAD)
            assert answer.status_code == 404 or answer.location == f"/games/{game}", (person.name, form)


def test_a_refused_form_shows_a_stranger_nothing_of_a_private_game(
    app: Flask, games: Games, people: list[Person]
) -> None:
    game = running(games, "sealed-bids", people, Terms()).game.id
    stranger = browser(app, games, register(games, "Dan", None, "en"))
    for form in FORMS:
        answer = posted(stranger, f"/games/{game}/{form}", **BAD)
        assert answer.status_code == 404 and "Alice" not in answer.text, form


@pytest.mark.parametrize("until", ["0001-01-01", "2026-12-01T00:00:00", "9999-12-31T23:59:59+00:00", "", "soon"])
def test_a_pause_that_nobody_proposes_cannot_be_agreed_to(
    app: Flask, games: Games, people: list[Person], until: str
) -> None:
    position = clocked(games, people=people)
    now = clock.now()
    pause.propose(games, position.game.id, people[1].id, now + DAY, "web", now)
    web = browser(app, games, people[0])
    answer = posted(web, f"/games/{position.game.id}/pause/agreement", until=until)
    assert (answer.status_code, "This pause is no longer proposed." in answer.text) == (409, True)
