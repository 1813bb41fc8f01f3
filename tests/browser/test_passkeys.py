"""Passkeys in Chromium, by its virtual authenticator: made in the settings, used to sign in and to operate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask
from playwright.sync_api import Browser, CDPSession, Page, expect
from sqlalchemy import text

from service.app import create_app
from service.handlers import operators
from service.handlers.sessions import let_in
from service.runtime import Runtime
from service.shared import clock
from service.store.access import Session
from tests.browser.chromium import House, visiting, watched
from tests.browser.test_axe import AXE, SMALL, TAPPED, faults
from tests.live import serving
from tests.operating import ZOE, verified
from tests.people import Person, new_address, register

PATH = "/settings/passkeys"
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(scope="module")
def named(runtime: Runtime) -> Iterator[House]:
    """A house at a name for which browsers make passkeys."""
    front = Flask("front")
    with serving(front) as url:
        name = url.replace("127.0.0.1", "localhost")
        built = replace(runtime, redis=None, settings=replace(runtime.settings, base_url=name))
        # The address is known only once the server listens.
        front.wsgi_app = create_app(built).wsgi_app  # type: ignore[method-assign] # as Flask's own documentation does
        yield House(name, built)


@pytest.fixture
def zoe(named: House) -> Person:
    """An operator."""
    games = named.runtime.games
    zoe = verified(games, register(games, "Zoë", new_address(), "en"))
    operators.add_operator(games, zoe.id, ZOE, clock.now())
    return zoe


def sitting(chromium: Browser, named: House, person: Person, how: Session = "mail") -> Page:
    """A page at a browser at which the person has just signed in, by a mailed link unless told."""
    page = visiting(chromium, named).new_page()
    sign_in(page, named, person, how)
    return page


def sign_in(page: Page, named: House, person: Person, how: Session) -> None:
    with named.runtime.engine.begin() as db:
        secret = let_in(db, person.id, clock.now(), how)
    page.context.add_cookies([{"name": "boardroom", "value": secret, "url": named.url}])


def device(page: Page, verified: bool = True) -> tuple[CDPSession, str]:
    """Give the page an authenticator; return it, with the session by which it is spoken to."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": {**DEVICE, "isUserVerified": verified}})
    return session, made["authenticatorId"]


def make(page: Page, name: str = "My laptop") -> None:
    page.goto(PATH)
    page.locator("[data-challenge]").get_by_label("Name, to recognise the passkey").fill(name)
    page.get_by_role("button", name="Make a passkey").click()


def test_a_passkey_is_made_and_signs_in_on_the_page_for_it(chromium: Browser, named: House, zoe: Person) -> None:
    page = sitting(chromium, named, zoe)
    complaints = watched(page)
    session, authenticator = device(page)
    make(page)
    expect(page.get_by_role("status")).to_have_text("The passkey signs you in from now on.")
    expect(page.get_by_role("heading", name="My laptop")).to_be_visible()
    (credential,) = session.send("WebAuthn.getCredentials", {"authenticatorId": authenticator})["credentials"]
    assert credential["isResidentCredential"] and credential["rpId"] == "localhost"
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.goto("/sign-in")
    with page.expect_navigation(url="**/games"):
        page.get_by_role("button", name="Sign in with a passkey").press("Enter")
    page.goto(PATH)
    expect(page.get_by_text("last used")).to_be_visible()
    assert complaints == []


def test_an_operator_signs_in_anew_by_a_passkey(chromium: Browser, named: House, zoe: Person) -> None:
    page = sitting(chromium, named, zoe)
    device(page)
    make(page)
    expect(page.get_by_role("status")).to_be_visible()
    sign_in(page, named, zoe, "press")
    page.goto("/operate")
    expect(page.get_by_role("heading", name="Sign in anew")).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Log of operators")).to_be_visible()


def test_a_device_that_verifies_nobody_makes_no_passkey_and_the_page_says_so(
    chromium: Browser, named: House, zoe: Person
) -> None:
    page = sitting(chromium, named, zoe)
    device(page, verified=False)
    make(page)
    expect(page.get_by_text("The browser made no passkey.")).to_be_visible()
    expect(page.get_by_role("button", name="Make a passkey")).to_be_focused()
    with named.runtime.engine.connect() as db:
        assert db.execute(text("select count(*) from passkey where player_id = :id"), {"id": zoe.id}).scalar() == 0


def test_a_device_makes_one_passkey_for_an_account(chromium: Browser, named: House, zoe: Person) -> None:
    page = sitting(chromium, named, zoe)
    device(page)
    make(page)
    expect(page.get_by_role("status")).to_be_visible()
    make(page, "Again")
    expect(page.get_by_text("The browser made no passkey.")).to_be_visible()


def test_without_scripts_the_mailed_link_is_what_is_offered(chromium: Browser, named: House, zoe: Person) -> None:
    context = visiting(chromium, named, java_script_enabled=False)
    page = context.new_page()
    page.goto("/sign-in")
    expect(page.get_by_role("button", name="Send me the link")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)
    sign_in(page, named, zoe, "mail")
    page.goto(PATH)
    expect(page.get_by_text("The mailed link signs you in.")).to_be_visible()
    expect(page.get_by_role("button", name="Make a passkey")).to_have_count(0)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: `make clients`")
def test_the_pages_are_for_everybody(chromium: Browser, named: House, zoe: Person) -> None:
    context = visiting(chromium, named)
    context.add_init_script(path=AXE)
    page = context.new_page()
    sign_in(page, named, zoe, "mail")
    device(page)
    make(page)
    expect(page.get_by_role("status")).to_be_visible()
    found = {"made": [*faults(page), *page.evaluate(SMALL, TAPPED)]}
    sign_in(page, named, zoe, "press")
    for path in (PATH, "/operate"):
        page.goto(path)
        found[path] = [*faults(page), *page.evaluate(SMALL, TAPPED)]
    context.clear_cookies()
    page.goto("/sign-in")
    found["sign-in"] = [*faults(page), *page.evaluate(SMALL, TAPPED)]
    assert {name: said for name, said in found.items() if said} == {}
