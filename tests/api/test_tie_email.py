"""A guest gives their account an address over REST, by the link of a mail: from then on it leads there."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import links
from service.runtime import Runtime
from tests.builders import started
from tests.people import Person, alice, bob
from tests.rest import Caller, refused
from tests.signing_in import address, link_to

__all__ = ["address"]


@pytest.fixture
def guest(runtime: Runtime) -> Person:
    """Alice, whose mails go to an address that nobody has checked."""
    return alice(runtime.games)


def secret_for(runtime: Runtime, mailbox: Path, api: Caller, address: str) -> dict[str, Any]:
    """What is sent by whoever has got the mail."""
    return {"sign_in": link_to(runtime, mailbox, api, address)[-26:]}


def test_the_guest_s_account_is_that_of_the_address_from_now_on(
    runtime: Runtime, mailbox: Path, api: Caller, guest: Person, address: str
) -> None:
    caller = api.by(guest)
    before = caller.get("/me").get_json()
    tied = caller.post("/me/email", secret_for(runtime, mailbox, api, address)).get_json()
    told = {"email": address, "email_verified": True}
    assert {**tied, "limits": None} == {**before, **told, "limits": None}
    token = api.post("/sign-in/token", secret_for(runtime, mailbox, api, address)).get_json()["token"]
    me = Caller(api.client, token).get("/me").get_json()
    assert (me["id"], me["name"], me["email_verified"]) == (str(guest.id), "Alice", True)


def test_the_link_is_used_up_and_works_for_nothing_else(
    runtime: Runtime, mailbox: Path, api: Caller, guest: Person, address: str
) -> None:
    sent = secret_for(runtime, mailbox, api, address)
    assert api.by(guest).post("/me/email", sent).status_code == 200
    for again in (api.by(guest).post("/me/email", sent), api.post("/sign-in/token", sent)):
        refused(again, 404, "unknown-sign-in")


def test_links_that_went_to_another_address_no_longer_play(
    runtime: Runtime, mailbox: Path, api: Caller, guest: Person, address: str
) -> None:
    position = started(runtime.games, "new-corp-order", [guest, bob(runtime.games)])
    with runtime.engine.begin() as db:
        links.issue(db, position.game.id, 0, position.decision, position.game.created_at)
    api.by(guest).post("/me/email", secret_for(runtime, mailbox, api, address))
    query = text("select revoked_for from action_link where player_id = :player")
    with runtime.engine.connect() as db:
        assert db.execute(query, {"player": guest.id}).scalars().all() == ["address"]


def test_an_address_that_has_an_account_is_refused_and_the_link_still_leads_to_it(
    runtime: Runtime, mailbox: Path, api: Caller, guest: Person, address: str
) -> None:
    api.post("/sign-in/token", secret_for(runtime, mailbox, api, address))
    sent = secret_for(runtime, mailbox, api, address)
    refused(api.by(guest).post("/me/email", sent), 409, "address-taken")
    me = api.by(guest).get("/me").get_json()
    assert (me["email"], me["email_verified"]) == (guest.email, False)
    assert api.post("/sign-in/token", sent).status_code == 201


def test_who_is_no_guest_gets_no_other_address(
    runtime: Runtime, mailbox: Path, api: Caller, guest: Person, address: str
) -> None:
    caller = api.by(guest)
    caller.post("/me/email", secret_for(runtime, mailbox, api, address))
    for wanted in (f"not.{address}", address):
        sent = secret_for(runtime, mailbox, api, wanted)
        refused(caller.post("/me/email", sent), 409, "not-a-guest")
    assert caller.get("/me").get_json()["email"] == address


def test_a_bot_gets_no_address(runtime: Runtime, mailbox: Path, api: Caller, guest: Person, address: str) -> None:
    bot = Caller(api.client, api.by(guest).post("/bots", {"name": "Robot"}).get_json()["token"])
    sent = secret_for(runtime, mailbox, api, address)
    refused(bot.post("/me/email", sent), 403, "bots-may-not")
    assert api.by(guest).post("/me/email", sent).status_code == 200


def test_a_link_that_nobody_sent_ties_nothing(api: Caller, guest: Person) -> None:
    refused(api.by(guest).post("/me/email", {"sign_in": "a" * 26}), 404, "unknown-sign-in")
    refused(api.by(guest).post("/me/email", {"sign_in": "a"}), 422, "validation")
    assert api.by(guest).get("/me").get_json()["email_verified"] is False


def test_of_two_guests_at_the_same_moment_one_gets_the_address(
    runtime: Runtime, mailbox: Path, api: Caller, app: Flask, address: str
) -> None:
    people = [alice(runtime.games), bob(runtime.games)]
    sent = [secret_for(runtime, mailbox, api, address) for _ in people]

    def tie(person: Person, body: dict[str, Any]) -> int:
        return Caller(app.test_client(), person.token).post("/me/email", body).status_code

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(tie, people, sent)) == [200, 409]
