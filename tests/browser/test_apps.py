"""An app of somebody else in Chromium: registered, allowed, used, taken back; as docs/write-an-app.md tells it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Thread

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from service.app import create_app
from service.runtime import Runtime
from tests.browser.chromium import House, visiting, watched
from tests.browser.test_axe import AXE, SMALL, TAPPED, faults
from tests.clients.web_app import WebApp
from tests.live import serving
from tests.people import alice


@pytest.fixture
def front(runtime: Runtime) -> Iterator[House]:
    """A house that knows its own address, by which apps know it."""
    outside = Flask("front")
    with serving(outside) as url:
        built = replace(runtime, redis=None, settings=replace(runtime.settings, base_url=url))
        # The address is known only once the server listens.
        outside.wsgi_app = create_app(built).wsgi_app  # type: ignore[method-assign] # as Flask's own documentation does
        yield House(url, built)


@pytest.fixture
def boards(front: House) -> Iterator[WebApp]:
    """The app, which listens at an address of its own."""
    with WebApp() as app:
        app.issuer = front.url
        thread = Thread(target=app.serve_forever)
        thread.start()
        try:
            yield app
        finally:
            app.shutdown()
            thread.join()


def registered(page: Page, boards: WebApp) -> str:
    """Register the app on the page of the settings; return its client_id."""
    page.goto("/settings/apps")
    page.get_by_label("Name of the app, as players see it").fill("Boards")
    page.get_by_label("Addresses that answers may be sent to").fill(boards.redirect_uri)
    page.get_by_role("button", name="Register the app").click()
    return page.get_by_role("status").locator("code").inner_text()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_person_lets_an_app_act_for_them_and_takes_it_back(
    front: House, boards: WebApp, chromium: Browser, scripts: bool
) -> None:
    games = front.runtime.games
    writer = visiting(chromium, front, alice(games), java_script_enabled=scripts).new_page()
    boards.client_id = registered(writer, boards)
    page = visiting(chromium, front, alice(games), java_script_enabled=scripts).new_page()
    complaints = watched(page)
    page.goto(boards.url)
    page.get_by_role("link", name="Connect with Boardroom").click()
    expect(page.get_by_role("heading", name="May Boards act for you?")).to_be_visible()
    page.get_by_role("button", name="Do not allow").click()
    expect(page.get_by_role("alert")).to_have_text("You have not allowed it: access_denied")
    complaints.clear()
    page.goto(f"{boards.url}/connect")
    page.get_by_role("button", name="Allow", exact=True).press("Enter")
    expect(page.get_by_text("Hello Alice, games that wait for you: 0")).to_be_visible()
    page.goto("/settings/apps")
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("status")).to_have_text("The app cannot act for you any more.")
    page.goto(boards.url)
    expect(page.get_by_text("Not connected.")).to_be_visible()
    assert complaints == []


def test_the_app_refreshes_its_tokens_and_takes_no_answer_that_is_not_its_own(
    front: House, boards: WebApp, chromium: Browser
) -> None:
    games = front.runtime.games
    boards.client_id = registered(visiting(chromium, front, alice(games)).new_page(), boards)
    page = visiting(chromium, front, alice(games)).new_page()
    page.goto(f"{boards.url}/connect")
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_text("Hello Alice")).to_be_visible()
    assert boards.tokens is not None
    before, boards.tokens = boards.tokens, {**boards.tokens, "access_token": "brd_none"}
    page.reload()
    expect(page.get_by_text("Hello Alice")).to_be_visible()
    assert boards.tokens["refresh_token"] != before["refresh_token"]
    for forged in (f"code=x&state=x&iss={front.url}", "code=x&iss=https://evil.example"):
        page.goto(f"{boards.url}/back?{forged}")
        expect(page.get_by_role("alert")).to_have_text("This is not the answer to your visit.")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: `make clients`")
def test_the_pages_are_for_everybody(front: House, boards: WebApp, chromium: Browser) -> None:
    context = visiting(chromium, front, alice(front.runtime.games))
    context.add_init_script(path=AXE)
    page = context.new_page()
    boards.client_id = registered(page, boards)
    found = {"registered": [*faults(page), *page.evaluate(SMALL, TAPPED)]}
    page.goto(f"{boards.url}/connect")
    found["asked"] = [*faults(page), *page.evaluate(SMALL, TAPPED), *too_wide(page)]
    page.goto(page.url.replace("S256", "plain"))
    found["refused"] = [*faults(page), *page.evaluate(SMALL, TAPPED), *too_wide(page)]
    page.goto(f"{boards.url}/connect")
    page.get_by_role("button", name="Allow", exact=True).click()
    page.goto("/settings/apps")
    found["granted"] = [*faults(page), *page.evaluate(SMALL, TAPPED), *too_wide(page)]
    assert {name: said for name, said in found.items() if said} == {}


def too_wide(page: Page) -> list[str]:
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [f"{wide} pixels too wide"] if wide else []
