"""Answering mails from a further address: asked by a mail, confirmed by its link, and told to the account's own."""

from __future__ import annotations

import smtplib
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from flask import Flask

from service.handlers import sessions
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.builders import started
from tests.letters import Letter
from tests.people import Person, alice, bob, carol, guest
from tests.replying import address_of, delivered, move_in, outcomes, place, reply
from tests.rest import Caller
from workers.inbox import Inbox
from workers.queue import QUEUES
from workers.relay import Lane

VERDICT = b"Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\r\n"


@pytest.fixture
def person(games: Games) -> Person:
    return alice(games, f"{uuid4().hex}@example.org")


@pytest.fixture
def other() -> str:
    return f"{uuid4().hex}@example.org"


def arrived(runtime: Runtime, mailbox: Path) -> dict[str, EmailMessage]:
    """Have all mails sent, and take them out of the box, by recipient."""
    lanes = [Lane(replace(runtime, redis=None), queue) for queue in QUEUES]
    while any(lane.drain() for lane in lanes):
        pass
    found: dict[str, EmailMessage] = {}
    for path in sorted(mailbox.glob("*.eml")):
        mail = message_from_bytes(path.read_bytes(), policy=policy.default)
        found[mail["To"].addresses[0].addr_spec] = mail  # type: ignore[assignment]
        path.unlink()
    return found


def words_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def link_in(mail: EmailMessage) -> str:
    (path,) = {line[line.index("/reply-address/") :] for line in words_of(mail).split() if "/reply-address/" in line}
    return path


def confirm(app: Flask, path: str) -> int:
    browser = app.test_client(use_cookies=False)
    assert browser.get(path).status_code == 200
    return browser.post(path, data={"press": "yes"}).status_code


def answered_from(runtime: Runtime, mailbox: Path, person: Person, sender: str) -> str | None:
    """Return the outcome of an answer from an address to a mail of the person's."""
    game: UUID = started(runtime.games, "sealed-bids", [person, bob(runtime.games), carol(runtime.games)]).game.id
    letter: Letter = delivered(runtime, mailbox, game)[str(person.email)][0]
    checked = replace(runtime, settings=replace(runtime.settings, inbound_server="mx.example.net"))
    with Inbox(checked, "smtp://127.0.0.1:0") as inbox, smtplib.SMTP(*place(inbox.url)) as server:
        raw = VERDICT + reply(letter, move_in(letter), From=sender).as_bytes()
        server.sendmail(sender, [address_of(letter)], raw)
    # Wherever it came from, the answer goes to the address of the account.
    assert set(delivered(checked, mailbox, game)) == {person.email}
    return outcomes(runtime, game)[0]


def test_a_confirmed_address_plays_and_the_account_is_told(
    app: Flask, runtime: Runtime, mailbox: Path, api: Caller, person: Person, other: str
) -> None:
    # given an address that was only typed in
    made = api.by(person).post("/me/mail/addresses", {"email": other.upper()})
    assert (made.status_code, made.json["email"], made.json["confirmed_at"]) == (202, other, None)
    mails = arrived(runtime, mailbox)
    assert list(mails) == [other]
    assert "Alice" not in words_of(mails[other]) and str(person.email) not in words_of(mails[other])
    assert answered_from(runtime, mailbox, person, other) == "not-believed"
    # when its reader confirms it, once or again
    assert [confirm(app, link_in(mails[other])) for _ in range(2)] == [200, 200]
    # then it plays, and the account's own address hears of it once
    told = arrived(runtime, mailbox)
    assert list(told) == [person.email] and "another address" in str(told[str(person.email)]["Subject"])
    assert answered_from(runtime, mailbox, person, other) == "played"
    # and is taken away again
    path = f"/me/mail/addresses/{made.json['id']}"
    assert [api.by(person).delete(path).status_code for _ in range(2)] == [204, 404]
    assert api.by(person).get("/me/mail/addresses").json == {"items": []}
    assert answered_from(runtime, mailbox, person, other) == "not-believed"


def test_the_address_of_another_account_is_neither_asked_nor_taken(
    app: Flask, runtime: Runtime, mailbox: Path, api: Caller, games: Games, person: Person, other: str
) -> None:
    # given an account that gets the address between the mail and its link
    api.by(person).post("/me/mail/addresses", {"email": other})
    path = link_in(arrived(runtime, mailbox)[other])
    alice(games, other)
    assert confirm(app, path) == 409
    # and one that had it before
    bobs = bob(games, f"{uuid4().hex}@example.org")
    assert api.by(person).post("/me/mail/addresses", {"email": bobs.email}).status_code == 202
    assert not arrived(runtime, mailbox)
    # and one that gets it after it was confirmed
    third = f"{uuid4().hex}@example.org"
    api.by(person).post("/me/mail/addresses", {"email": third})
    assert confirm(app, link_in(arrived(runtime, mailbox)[third])) == 200
    arrived(runtime, mailbox)
    alice(games, third)
    assert answered_from(runtime, mailbox, person, third) == "not-believed"


def test_it_ends_when_its_player_signs_out_everywhere_and_ends_programs(
    app: Flask, runtime: Runtime, mailbox: Path, api: Caller, person: Person, other: str
) -> None:
    api.by(person).post("/me/mail/addresses", {"email": other})
    assert confirm(app, link_in(arrived(runtime, mailbox)[other])) == 200
    sessions.sign_out_everywhere(runtime.games, person.id, clock.now(), programs=True)
    arrived(runtime, mailbox)
    assert answered_from(runtime, mailbox, person, other) == "not-believed"


def test_an_address_is_asked_once_a_day_and_of_few_there_are_most(
    runtime: Runtime, mailbox: Path, api: Caller, person: Person
) -> None:
    mine = api.by(person)
    several = [f"{uuid4().hex}@example.org" for _ in range(6)]
    answers = [mine.post("/me/mail/addresses", {"email": each}).status_code for each in (several[0], *several)]
    assert answers == [*[202] * 6, 409]
    assert set(arrived(runtime, mailbox)) == set(several[:5])
    mine.post("/me/mail/addresses", {"email": several[0]})
    assert not arrived(runtime, mailbox)


def test_an_address_that_never_wants_to_be_asked_is_not(
    app: Flask, runtime: Runtime, mailbox: Path, api: Caller, games: Games, person: Person, other: str
) -> None:
    api.by(person).post("/me/mail/addresses", {"email": other})
    mail = arrived(runtime, mailbox)[other]
    never = str(mail["List-Unsubscribe"]).strip("<>")
    web = app.test_client(use_cookies=False)
    path = never[never.index("/confirm/") :]
    assert web.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    second = alice(games, f"{uuid4().hex}@example.org")
    api.by(second).post("/me/mail/addresses", {"email": other})
    assert not arrived(runtime, mailbox)


def test_who_has_no_confirmed_address_adds_none(api: Caller, games: Games, other: str) -> None:
    for whom, code in ((alice(games, None), "no-address"), (guest(games, other), "not-confirmed")):
        refused = api.by(whom).post("/me/mail/addresses", {"email": f"x{other}"})
        assert refused.status_code == 409 and refused.json["type"].endswith(code)


def test_addresses_are_exported_and_go_with_the_account(
    runtime: Runtime, api: Caller, person: Person, other: str
) -> None:
    mine = api.by(person)
    made = mine.post("/me/mail/addresses", {"email": other}).json
    assert mine.get("/me/export").json["reply_addresses"] == [made]
    assert mine.delete("/me", {"confirm": "Alice"}).status_code == 204
    with runtime.engine.connect() as db:
        assert not db.exec_driver_sql("select 1 from reply_address where email = %s", (other,)).all()
