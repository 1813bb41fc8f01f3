"""What a form of the pages about people, tournaments and apps cannot use is refused in words that say what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from service.store.games import Games
from service.texts.catalog import languages, say
from tests.browsing import browser, form_on
from tests.builders import started
from tests.challenged import called
from tests.competing import tournament_of
from tests.people import Person, alice, bob
from tests.web.test_every_page import Sound

WORDS = {"empty": "", "blank": " ", "long": "x" * 2001, "nul": "a\0b", "lines": "a\nb"}
TOURNAMENT = {"ruleset": "three-harbours", "seats": "2", "pace": "daily", "system": "swiss", "access": "public"}
TOURNAMENT |= {"next_round": "host"}
ALERT = re.compile(r'role="alert">\s*(.+?)\s*</p>', re.DOTALL)


def forms(games: Games, one: Person, other: Person) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield where each form leads, the field that is written into, and the other fields."""
    called(games, other, handle := f"u{uuid4().hex[:12]}")
    game = started(games, "sealed-bids", [one, other, bob(games)]).game.id
    hosted, joined = tournament_of(games, one).id, tournament_of(games, other).id
    yield f"/players/{handle}/report", "text", {}
    yield f"/players/{handle}/challenge", "ruleset", {}
    yield f"/games/{game}/report", "text", {"seat": 1}
    yield f"/tournaments/{joined}/report", "text", {}
    yield f"/tournaments/{hosted}/invite", "to", {}
    yield "/tournaments/new", "title", TOURNAMENT
    yield "/tournaments/new", "ruleset", TOURNAMENT | {"title": "Spring Cup"}
    yield "/settings/apps", "name", {"redirect_uris": "https://app.example.org/back"}
    yield "/settings/apps", "redirect_uris", {"name": "Abacus"}
    yield "/people/challenge", "to", {"ruleset": "new-corp-order"}
    yield "/bots", "to", {"ruleset": "new-corp-order"}


@pytest.mark.parametrize("language", languages())
def test_a_form_that_cannot_be_used_says_what_to_do(app: Flask, games: Games, language: str) -> None:
    one, other = alice(games), bob(games)
    web = browser(app, games, one)
    key = form_on(web.get("/tournaments/new"), "/tournaments/new").hidden
    silent = []
    for action, field, rest in forms(games, one, other):
        for kind, words in WORDS.items():
            answer = web.post(f"{action}?language={language}", data={**key, **rest, field: words})
            said = ALERT.search(answer.text)
            if not (400 <= answer.status_code < 500 and said and Sound(answer.text).wrong == []):
                silent.append((action, field, kind, answer.status_code))
    assert silent == []


def test_a_title_or_a_number_of_rounds_that_no_tournament_has_is_named(app: Flask, games: Games) -> None:
    web = browser(app, games, alice(games))
    key = form_on(web.get("/tournaments/new"), "/tournaments/new").hidden
    for wrong, text in (
        ({"title": "a\u202eb"}, "name-unseen"),
        ({"title": "x" * 61}, "new-bad-form"),
        ({"rounds": "16"}, "tournament-bad-rounds"),
        ({"rounds": "\N{GAME DIE}"}, "tournament-bad-rounds"),
    ):
        answer = web.post("/tournaments/new", data={**key, **TOURNAMENT, "title": "Spring Cup", **wrong})
        assert answer.status_code == 422 and f'role="alert">{say("en", text)}' in answer.text


def test_what_was_written_stands_in_the_form_again(app: Flask, games: Games) -> None:
    other, handle = bob(games), f"u{uuid4().hex[:12]}"
    called(games, other, handle)
    web = browser(app, games, alice(games))
    key = form_on(web.get("/tournaments/new"), "/tournaments/new").hidden
    answer = web.post(f"/players/{handle}/report", data={**key, "text": f"<b>{'x' * 500}"})
    assert f'value="&lt;b&gt;{"x" * 500}"' in answer.text and "<details open>" in answer.text
    hosted = tournament_of(games, other).id
    answer = web.post(f"/tournaments/{hosted}/report", data={**key, "text": "The title is an insult."})
    assert answer.headers["Location"] == "/reports?sent="
    for said in ("The name is an insult. \N{GAME DIE}", "é" * 500):
        assert web.post(f"/players/{handle}/report", data={**key, "text": said}).status_code == 303
