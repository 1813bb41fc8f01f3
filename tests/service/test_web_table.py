"""The page of a game: what each may see, an action picked step by step, and all that is sent from it."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from flask import Flask

from service.app import create_app
from service.runtime import Runtime
from service.store.games import Games, Position
from tests.browsing import browser
from tests.builders import now_at, started
from tests.letters import Form, Page
from tests.people import Person, alice, register


@pytest.fixture(scope="module")
def app(runtime: Runtime) -> Flask:
    """The web application."""
    return create_app(runtime)


class Visit:
    """Somebody at the page of a game."""

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
        """What comes of sending a form of a page."""
        form = self.form(page, part)
        return self.web.post(form.action, data={**form.hidden, **fields})

    def follow(self, page: str, label: str) -> str:
        """The page behind a link with this text."""
        found = re.search(rf'href="([^"]*)"[^>]*>{re.escape(label)}', page)
        assert found, label
        return self.look(unescape(found[1]).partition("#")[0])


def duel(games: Games) -> tuple[Position, list[Person]]:
    people = [alice(games), register(games, "Bob", None, "en")]
    position = started(games, "new-corp-order", people)
    first = min(position.awaited)
    return position, [people[first], people[1 - first]]


def test_a_plot_is_three_taps_without_a_script(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    page = visit.look("")
    first, second = re.findall(r'data-at="([1-5])">([^<]+)<', page)[:2]
    page = visit.follow(page, first[1])
    page = visit.follow(page, second[1])
    assert "This is what would happen" in page
    answer = visit.send(page, "/action")
    assert answer.status_code == 303
    now = now_at(games, position.game.id)
    assert now.version > position.version
    assert visit.send(page, "/action").status_code == 303, "pressed twice, it is played once"
    assert now_at(games, position.game.id).version == now.version
    assert "Waiting for" in visit.look("")
