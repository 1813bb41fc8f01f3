"""Browsing the site the way a person does: signed in by a cookie, sending the forms of its pages."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.handlers.sessions import let_in
from service.shared import clock
from service.store.games import Games
from tests.letters import Form, Page
from tests.people import Person


def browser(app: Flask, games: Games, person: Person | None = None) -> FlaskClient:
    """A browser at which the person has just signed in by a mailed link, or nobody."""
    client = app.test_client()
    if person is not None:
        with games.engine.begin() as db:
            client.set_cookie("boardroom", let_in(db, person.id, clock.now(), "mail"), domain="localhost")
    return client


def form_on(page: TestResponse, action: str) -> Form:
    """The first form of the page that leads there."""
    assert page.status_code == 200, page.text
    found, *_ = (form for form in Page(page.text).forms if form.action == action)
    return found


def send(web: FlaskClient, path: str, action: str, **fields: Any) -> TestResponse:
    """Open the page, and send its form that leads to `action` with these fields beside the hidden ones."""
    return web.post(action, data={**form_on(web.get(path), action).hidden, **fields})
