"""Mails that come in by HTTP, and those that are answered on the mailbox's own page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st
from sqlalchemy import text

from service.app import create_app
from service.handlers import delete_account
from service.local.servers import MailSink
from service.mail.smtp import Mailer
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Position
from service.web.messages.mailbox import SECRET
from tests.builders import sealed_bids
from tests.letters import Letter, Page
from tests.replying import delivered, outcomes, reply
from workers.inbox import Inbox

ALICE = "alice@example.org"
HUSH = "a secret of the provider"


@pytest.fixture
def position(runtime: Runtime) -> Position:
    return sealed_bids(runtime.games)


@pytest.fixture
def letter(runtime: Runtime, mailbox: Path, position: Position) -> Letter:
    """The mail that asks Alice for her first bid."""
    return delivered(runtime, mailbox, position.game.id)[ALICE][0]


@pytest.fixture
def provider(runtime: Runtime) -> FlaskClient:
    """A provider of a house that checks senders."""
    settings = replace(runtime.settings, inbound_secret=HUSH, inbound_server="mx.example.net")
    client = create_app(replace(runtime, settings=settings)).test_client(use_cookies=False)
    client.environ_base |= {"HTTP_X_INBOUND_SECRET": HUSH, "CONTENT_TYPE": "message/rfc822"}
    return client


@pytest.fixture
def house(runtime: Runtime, tmp_path: Path) -> Iterator[Runtime]:
    """A house whose mail sink hands on to it what is for it."""
    with Inbox(runtime, "lmtp://127.0.0.1:0") as inbox, MailSink(tmp_path, inbox.url) as sink:
        yield replace(runtime, mailer=Mailer(sink.url, runtime.settings.mail_from))


def test_a_provider_brings_a_mail_as_often_as_it_likes(
    runtime: Runtime, provider: FlaskClient, letter: Letter, position: Position
) -> None:
    raw = b"Authentication-Results: mx.example.net; dmarc=pass\r\n" + reply(letter, "hold").as_bytes()
    assert [provider.post("/inbound/mail", data=raw).status_code for _ in range(3)] == [204] * 3
    assert outcomes(runtime, position.game.id) == [None]


def test_a_provider_may_say_whom_a_mail_is_for(
    runtime: Runtime, provider: FlaskClient, letter: Letter, position: Position, mailbox: Path
) -> None:
    to = letter.message["Reply-To"].addresses[0].addr_spec
    message = reply(letter, "hold", To="somebody@example.org").as_bytes()
    assert provider.post("/inbound/mail", data=message).status_code == 422
    asked = provider.post("/inbound/mail", query_string={"recipient": to, "sender": ""}, data=message)
    assert asked.status_code == 204
    assert not delivered(runtime, mailbox, position.game.id)
    assert outcomes(runtime, position.game.id) == ["automatic"]


def test_whatever_a_mail_consists_of_it_is_taken_in_and_settled(
    runtime: Runtime, provider: FlaskClient, letter: Letter, position: Position, mailbox: Path
) -> None:
    to = letter.message["Reply-To"].addresses[0].addr_spec
    begin = f"Authentication-Results: mx.example.net; dmarc=pass\r\nFrom: {ALICE}\r\n".encode()

    @given(st.binary(max_size=1500) | st.text(max_size=500).map(lambda words: f"\r\n{words}".encode()))
    @limits(max_examples=40, deadline=None)
    def bring(raw: bytes) -> None:
        asked = provider.post("/inbound/mail", query_string={"recipient": to, "sender": ALICE}, data=begin + raw)
        assert asked.status_code == 204

    bring()
    delivered(
        replace(runtime, settings=replace(runtime.settings, inbound_server="mx.example.net")), mailbox, position.game.id
    )
    settled = "select count(*) from outbox where game_id = :game and kind = 'reply' and state in ('done', 'skipped')"
    with runtime.engine.connect() as db:
        count = db.execute(text(settled), {"game": position.game.id}).scalar_one()
    assert len(outcomes(runtime, position.game.id)) == count > 20
    assert None not in outcomes(runtime, position.game.id)


def test_the_door_for_providers_opens_to_them_alone(provider: FlaskClient, app: Flask, letter: Letter) -> None:
    raw = reply(letter, "hold").as_bytes()
    assert provider.post("/inbound/mail", data=raw, headers={SECRET: "wrong"}).status_code == 401
    assert provider.post("/inbound/mail", data=raw, content_type="text/plain").status_code == 415
    refused = provider.post("/inbound/mail", data=b"x\r\n" * 8_000_000)
    assert (refused.status_code, "without attachments" in refused.text) == (413, True)
    assert provider.get("/inbound/mail").status_code == 405
    closed = app.test_client(use_cookies=False)
    assert closed.post("/inbound/mail", data=raw, content_type="message/rfc822").status_code == 404


def test_a_mail_in_the_mailbox_is_answered_on_its_page(
    house: Runtime, letter: Letter, position: Position, mailbox: Path, tmp_path: Path
) -> None:
    (mailbox / "1.eml").write_bytes(letter.raw)
    web = create_app(house).test_client(use_cookies=False)
    (form,) = Page(web.get("/mailbox/1.eml").text).forms
    sent = web.post(form.action, data={"text": "hold\nsay: good luck"})
    assert sent.status_code == 200
    assert "on its way" in sent.text
    (answer,) = delivered(house, tmp_path, position.game.id)[ALICE]
    assert 'You played "hold"' in answer.text
    assert outcomes(house, position.game.id) == ["played"]


def test_a_form_of_another_site_answers_no_mail_of_the_mailbox(
    house: Runtime, letter: Letter, position: Position, mailbox: Path, tmp_path: Path
) -> None:
    (mailbox / "1.eml").write_bytes(letter.raw)
    web = create_app(house).test_client(use_cookies=False)
    for headers in ({"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert web.post("/mailbox/1.eml", data={"text": "hold"}, headers=headers).status_code == 403
    assert outcomes(house, position.game.id) == []


def test_a_mail_that_nobody_may_answer_has_no_form(app: Flask, mailbox: Path) -> None:
    (mailbox / "1.eml").write_text("To: bob@example.org\nSubject: hello\n\nhello\n")
    web = app.test_client(use_cookies=False)
    assert not Page(web.get("/mailbox/1.eml").text).forms
    assert web.post("/mailbox/1.eml", data={"text": "hold"}).status_code == 404
    assert web.post("/mailbox/2.eml", data={"text": "hold"}).status_code == 404


def test_an_answer_that_cannot_be_handed_over_says_so(runtime: Runtime, letter: Letter, mailbox: Path) -> None:
    (mailbox / "1.eml").write_bytes(letter.raw)
    away = replace(runtime, mailer=Mailer("smtp://127.0.0.1:1", runtime.settings.mail_from))
    sent = create_app(away).test_client().post("/mailbox/1.eml", data={"text": "hold"})
    assert sent.status_code == 503
    assert "could not be handed over" in sent.text


def test_what_is_kept_of_replies_goes_with_their_player(
    provider: FlaskClient, runtime: Runtime, letter: Letter, position: Position
) -> None:
    assert provider.post("/inbound/mail", data=reply(letter, "hold").as_bytes()).status_code == 204
    delete_account.delete_account(runtime.games, position.seats[0].player_id, "api", clock.now())
    query = text("select count(*) from inbound_mail where game_id = :game")
    with runtime.engine.connect() as db:
        assert db.execute(query, {"game": position.game.id}).scalar() == 0
