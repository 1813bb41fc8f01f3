"""The door for mails that come in: what comes back, and when it has to come again."""

from __future__ import annotations

import smtplib
import socket
from contextlib import ExitStack
from dataclasses import replace
from threading import Thread

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from service.mail import envelope_sender
from service.runtime import Runtime
from service.shared import clock
from service.store import mail
from service.store.engine import build_engine
from service.store.games import Games
from service.store.heartbeats import Heart, ages
from tests.replying import place
from tests.workers.solo import eventually
from workers.inbox import Inbox

REPORT = b"""Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; gone@example.org
Action: failed
Status: 5.1.1
--b--
"""


def test_a_mail_that_comes_back_is_understood(runtime: Runtime) -> None:
    back = envelope_sender.bounce_address(runtime.settings, "gone@example.org", clock.now())
    with Inbox(runtime, "lmtp://127.0.0.1:0") as inbox, smtplib.LMTP(*place(inbox.url)) as server:
        assert server.sendmail("", [back], REPORT) == {}
    query = text("select status from mail_trouble where address_hash = :hash")
    with runtime.engine.connect() as db:
        assert db.execute(query, {"hash": mail.suppression_digest("gone@example.org")}).scalar() == "5.1.1"


def test_what_comes_back_while_the_database_is_away_has_to_come_again(runtime: Runtime) -> None:
    back = envelope_sender.bounce_address(runtime.settings, "gone@example.org", clock.now())
    away = replace(runtime, games=Games(build_engine("postgresql+psycopg://nobody@127.0.0.1:1/none"), {}))
    with Inbox(away, "smtp://127.0.0.1:0") as inbox, smtplib.SMTP(*place(inbox.url)) as server:
        server.ehlo("client.example.org")
        server.mail("")
        assert server.rcpt(back)[0] == 250
        code, words = server.data(REPORT)
    assert code == 451
    assert b"psycopg" not in words


def test_an_inbox_that_cannot_listen_says_why_and_is_silent_until_it_can(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.inbox.LISTEN_RETRY_S", 0.05)
    with ExitStack() as stack:
        taken = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = taken.getsockname()[1]
        inbox = Inbox(replace(runtime, heart=Heart(runtime.engine)), f"lmtp://127.0.0.1:{port}")
        inbox.begin(part := f"inbox-{port}")
        running = Thread(target=inbox.run)
        with capture_logs() as logs:
            running.start()
            stack.callback(running.join)
            stack.callback(inbox.stop)
            # It tries again.
            eventually(lambda: len(logs) > 1)
        assert (logs[0]["log_level"], logs[0]["at"]) == ("error", f"127.0.0.1:{port}")
        assert logs[0]["reason"].startswith("another program has the port. End that program (")
        assert not heard_of(runtime, part)
        taken.close()
        eventually(lambda: heard_of(runtime, part))
        assert inbox.url == f"lmtp://127.0.0.1:{port}"


def heard_of(runtime: Runtime, part: str) -> bool:
    with runtime.engine.connect() as db:
        return part in ages(db)
