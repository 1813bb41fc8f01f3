"""Another's private game is answered as a game that does not exist, whatever is asked or sent, and never by a 500."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from service.handlers import seats
from service.store.game_row import Terms
from service.store.games import Games
from tests.browsing import browser
from tests.builders import finished, table_for
from tests.leaving import running
from tests.letters import Page
from tests.people import Person, alice, bob, carol, register
from tests.rest import Caller

NUL = "\x00"
GOOD = {
    "chosen": "draw-at-once", "confirm": "yes", "decision": "1", "email": "eve@example.org", "first": "1",
    "level": "random", "message": "Join us!", "notation": "bid 1", "press": "1", "seat": "1", "seq": "1", "sure": "yes",
    "text": "Good luck!", "until": "2026-12-24T18:00:00",
}  # fmt: skip
"""Fields of the forms with values that one of them accepts."""
FORMS: tuple[Mapping[str, str], ...] = (
    {},
    GOOD,
    dict.fromkeys(GOOD, NUL),
    dict.fromkeys(GOOD, "x" * 5_000),
    dict.fromkeys(GOOD, ""),
)
BODIES: tuple[Any, ...] = (None, {}, [], {"decision": 1, "notation": "bid 1"}, dict.fromkeys(GOOD, NUL))
QUERIES = ("", "?seat=0&at=1&limit=1", "?seat=-1&at=9999999999&after=x&limit=x&language=xx")
_OF_THE_ANSWER = re.compile(r'nonce-[\w+/=-]+|nonce="[^"]*"|"request_id": ?"\w+"')
"""What is drawn anew for each answer."""


@pytest.fixture
def foreign(games: Games) -> dict[str, UUID]:
    """Private games of other people, by what has become of them."""
    people = [alice(games), bob(games), carol(games)]
    cancelled = table_for(games, "sealed-bids", people[0], 3, Terms())
    seats.cancel(games, cancelled, people[0].id)
    runs = running(games, "sealed-bids", people, Terms())
    over = finished(games, running(games, "sealed-bids", people, Terms()))
    return {
        "open": table_for(games, "sealed-bids", people[0], 3, Terms()),
        "cancelled": cancelled,
        "running": runs.game.id,
        "finished": over.game.id,
    }


@pytest.fixture
def stranger(games: Games) -> Person:
    return register(games, "Dan", None, "en")


def of_games(app: Flask, *, api: bool) -> Iterator[Rule]:
    """The addresses below which games are, of the API or of the pages."""
    for rule in app.url_map.iter_rules():
        if "game_id" in rule.arguments and rule.rule.startswith("/api/") == api:
            yield rule


def addressed(rule: Rule, game: UUID) -> Iterator[str]:
    """The paths of an address, one for each word where it has a choice of words."""
    words = re.search(r"<any\(([^)]*)\):\w+>", rule.rule)
    for word in words[1].split(",") if words else [""]:
        path = re.sub(r"<any\([^>]*>", word.strip(), rule.rule)
        path = re.sub(r"<(?:uuid:)?game_id>", str(game), path)
        path = re.sub(r"<uuid:\w+>", str(UUID(int=7)), path)
        path = re.sub(r"<int:\w+>", "1", path)
        yield re.sub(r"<\w+>", "points", path)


def told(answer: TestResponse, game: UUID) -> tuple[Any, ...]:
    """What tells one answer from another: not the id of the game, nor what is drawn anew for each."""
    assert answer.status_code < 500, answer.request.path
    headers = {name: value for name, value in answer.headers if name not in {"Set-Cookie", "X-Request-Id"}}
    text = _OF_THE_ANSWER.sub("", answer.text + repr(sorted(headers.items())))
    return answer.status_code, text.replace(str(game), "GAME")


def form_key(web: FlaskClient) -> dict[str, str]:
    """The key of the visitor's forms, none for who is not signed in."""
    forms = Page(web.get("/settings").text).forms
    return {"form_key": forms[0].hidden["form_key"]} if forms and "form_key" in forms[0].hidden else {}


@pytest.mark.parametrize("known", [True, False])
def test_pages_and_forms_tell_no_private_game_from_one_that_does_not_exist(
    app: Flask, games: Games, foreign: dict[str, UUID], stranger: Person, known: bool
) -> None:
    web = browser(app, games, stranger if known else None)
    key, asked = form_key(web), 0
    for rule in of_games(app, api=False):
        for method in rule.methods or ():
            for sent in (None,) if method in {"GET", "HEAD", "OPTIONS"} else FORMS:
                for query in QUERIES if sent is None else QUERIES[:1]:
                    answers = {}
                    for what, game in {"unknown": uuid4(), **foreign}.items():
                        for path in addressed(rule, game):
                            data = None if sent is None else {**key, **sent}
                            answer = web.open(path + query, method=method, data=data)
                            answers[what, path.replace(str(game), "GAME")] = told(answer, game)
                            asked += 1
                    for (what, path), answer in answers.items():
                        assert answer == answers["unknown", path], (what, method, path, query, sent)
    assert asked > 500


def test_the_api_tells_no_private_game_from_one_that_does_not_exist(
    app: Flask, foreign: dict[str, UUID], stranger: Person
) -> None:
    caller, asked = Caller(app.test_client()).by(stranger), 0
    for rule in of_games(app, api=True):
        for method in rule.methods or ():
            for body in (None,) if method in {"GET", "HEAD", "OPTIONS"} else BODIES:
                for query in QUERIES if body is None else QUERIES[:1]:
                    answers = {}
                    for what, game in {"unknown": uuid4(), **foreign}.items():
                        for path in addressed(rule, game):
                            answer = caller.call(method, path.removeprefix("/api/v1") + query, body)
                            answers[what, path.replace(str(game), "GAME")] = told(answer, game)
                            asked += 1
                    for (what, path), answer in answers.items():
                        assert answer == answers["unknown", path], (what, method, path, query, body)
    assert asked > 500
