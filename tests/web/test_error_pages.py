"""What a person sees whose request came to nothing: their own language, why, and what to do next."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.http.request import MAX_BODY_BYTES
from service.runtime import Runtime
from service.store.games import Games
from service.texts.catalog import languages, say
from tests.browsing import browser, form_on
from tests.letters import Page
from tests.people import alice


@pytest.fixture
def broken(runtime: Runtime) -> FlaskClient:
    """A browser at a house with a page that fails."""
    app = create_app(replace(runtime))
    app.add_url_rule("/broken", view_func=lambda: 1 // 0)
    app.add_url_rule("/api/v1/broken", endpoint="api-broken", view_func=lambda: 1 // 0)
    return app.test_client()


@pytest.mark.parametrize("language", languages())
def test_every_error_is_a_page_in_the_readers_language(broken: FlaskClient, language: str) -> None:
    wished = {"Accept-Language": language}
    for path, method, body, status, notice in (
        ("/nowhere", "GET", b"", 404, "unknown"),
        ("/play", "GET", b"", 405, "not-there"),
        ("/sign-in", "POST", b"a" * (MAX_BODY_BYTES + 2), 413, "too-large"),
        ("/broken", "GET", b"", 500, "broken"),
    ):
        answer = broken.open(path, method=method, data=body, headers=wished)
        assert (answer.status_code, answer.mimetype) == (status, "text/html"), path
        page = Page(answer.text)
        assert say(language, f"{notice}-title") in unescape(answer.text) and f'lang="{language}"' in answer.text
        assert "/" in page.links, "there is a way on"
        assert "ZeroDivision" not in answer.text
        assert (answer.headers["X-Request-Id"] in answer.text) == (status == 500)
        assert ("Allow" in answer.headers) == (status == 405)


def test_a_language_chosen_at_the_browser_is_kept_where_things_fail(broken: FlaskClient) -> None:
    broken.set_cookie("language", "fr")
    assert say("fr", "broken-title") in unescape(broken.get("/broken").text)


def test_the_german_of_austria_is_german_before_a_lesser_wish_for_english(broken: FlaskClient) -> None:
    told = broken.get("/nowhere", headers={"Accept-Language": "de-AT, en;q=0.5"})
    assert say("de", "unknown-title") in told.text


def test_programs_are_told_by_a_problem_and_not_by_a_page(broken: FlaskClient) -> None:
    answer = broken.get("/api/v1/broken", headers={"Accept-Language": "de"})
    assert (answer.status_code, answer.mimetype) == (500, "application/problem+json")
    assert answer.get_json()["title"] == "Something went wrong on our side"
    assert "Bei uns ist etwas schiefgegangen" in answer.get_json()["detail"]


def test_a_page_that_is_not_there_leads_on(app: Flask, games: Games) -> None:
    missing = "/games/01a1ff83-f5fb-7df1-8f59-4fa9057961eb"
    assert "/sign-in" in Page(app.test_client().get(missing).text).links
    mine = browser(app, games, alice(games))
    assert "/games" in Page(mine.get(missing).text).links
    hidden = form_on(mine.get("/games"), "/play").hidden
    assert hidden
    refused = mine.post("/play", data={**hidden, "form_key": "other"})
    assert (refused.status_code, "load" in refused.text, "/games" in Page(refused.text).links) == (403, True, True)
