"""T-41: a browser is subscribed in the settings, shows what is pushed, and needs no script to say what it takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

from service.local.supervisor import wait_until
from service.messages.keys import public_key
from service.views.messages import channels_of
from tests.browser.chromium import House, visiting, watched
from tests.messages.services import Browser as Subscriber
from tests.people import Person, alice

# A browser without a push service: there is none on this machine. All else of the page and the worker is real.
SUBSCRIBED = """
PushManager.prototype.subscribe = async (wanted) => {
  window.asked = btoa(String.fromCharCode(...wanted.applicationServerKey));
  return { toJSON: () => (%s) };
};
"""
PATIENCE = 60.0
TRIES = 3
SHOWN = (
    "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(each => [each.title, each.body])"
)


@pytest.fixture
def person(house: House) -> Person:
    return alice(house.runtime.games)


def allowed(chromium: Browser, house: House, person: Person, **more: Any) -> BrowserContext:
    context = visiting(chromium, house, person, **more)
    context.grant_permissions(["notifications"], origin=house.url)
    return context


def registered(page: Page, session: CDPSession) -> str:
    """Return the browser's id of the service worker of the page, once it serves the page."""
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    page.evaluate("() => navigator.serviceWorker.register('/service-worker.js').then(() => null)")
    end = monotonic() + PATIENCE
    while not found and monotonic() < end:
        page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    return found[-1]


def completed_pushes(session: CDPSession) -> list[str]:
    """Return a list that grows by each pushed message that the service worker is done with."""
    done: list[str] = []

    def note(told: Any) -> None:
        name = told["backgroundServiceEvent"]["eventName"]
        if name == "Push event completed":
            done.append(name)

    session.on("BackgroundService.backgroundServiceEventReceived", note)
    session.send("BackgroundService.startObserving", {"service": "pushMessaging"})
    session.send("BackgroundService.setRecording", {"service": "pushMessaging", "shouldRecord": True})
    return done


def pushed(page: Page, session: CDPSession, message: Mapping[str, str], done: list[str]) -> bool:
    """Push a message; return whether the worker is done with it. One that comes before it is observed is not noted."""
    before = len(done)
    session.send("ServiceWorker.deliverPushMessage", dict(message))
    # Asking what is shown while it is being shown can end it: that is asked once, afterwards.
    return wait_until(lambda: page.evaluate("() => null") is None and len(done) > before, PATIENCE / TRIES)


def test_t41_a_browser_is_subscribed_with_one_press(house: House, chromium: Browser, person: Person) -> None:
    context, where = allowed(chromium, house, person), Subscriber().where()
    keys = {"endpoint": where.url, "keys": {"p256dh": where.p256dh, "auth": where.auth}}
    context.add_init_script(SUBSCRIBED % json.dumps(keys))
    page = context.new_page()
    complaints = watched(page)
    page.goto("/settings/channels")
    assert page.locator("#push-missing").is_hidden()
    with page.expect_navigation(url="**/settings/channels?tried=*"):
        page.get_by_role("button", name="Show messages in this browser").click()
    assert complaints == []
    with house.runtime.engine.connect() as db:
        (channel,) = channels_of(db, person.id)
    assert (channel["kind"], channel["label"]) == ("web-push", "push.example.org")


def test_t41_the_browser_is_asked_for_a_subscription_to_the_key_of_the_service(
    house: House, chromium: Browser, person: Person
) -> None:
    context = allowed(chromium, house, person)
    context.add_init_script(SUBSCRIBED % "{endpoint: '', keys: {}}")
    page = context.new_page()
    page.goto("/settings/channels")
    page.locator("#push").evaluate("form => { form.submit = () => { form.dataset.sent = 'yes'; }; }")
    page.get_by_role("button", name="Show messages in this browser").click()
    page.wait_for_selector("#push[data-sent]")
    asked = page.evaluate("() => window.asked.replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=/g, '')")
    assert house.runtime.settings.vapid_key
    assert asked == public_key(house.runtime.settings.vapid_key)


def test_t41_what_is_pushed_is_shown(house: House, chromium: Browser, person: Person) -> None:
    page = allowed(chromium, house, person).new_page()
    page.goto("/settings/channels")
    session = page.context.new_cdp_session(page)
    worker = registered(page, session)
    done = completed_pushes(session)
    said = {"title": "It is your move", "body": "Sealed Bids (#abc123)", "url": f"{house.url}/games", "tag": "1-turn"}
    # The second message is about the same matter, and takes the place of the first.
    for body in ("Sealed Bids (#abc123)", "Sealed Bids (#abc123), again"):
        message = {"origin": house.url, "registrationId": worker, "data": json.dumps({**said, "body": body})}
        assert any(pushed(page, session, message, done) for _ in range(TRIES))
        assert page.evaluate(SHOWN) == [[said["title"], body]]


def test_t41_a_browser_that_forbids_messages_says_so(house: House, chromium: Browser, person: Person) -> None:
    page = visiting(chromium, house, person).new_page()
    page.goto("/settings/channels")
    page.get_by_role("button", name="Show messages in this browser").click()
    page.wait_for_selector("#push-blocked:visible")
    with house.runtime.engine.connect() as db:
        assert channels_of(db, person.id) == []


def test_t41_without_javascript_the_page_says_what_push_takes(house: House, chromium: Browser, person: Person) -> None:
    page = visiting(chromium, house, person, java_script_enabled=False).new_page()
    page.goto("/settings/channels")
    assert page.locator("#push-missing").is_visible()
    assert page.locator("#push").is_hidden()
