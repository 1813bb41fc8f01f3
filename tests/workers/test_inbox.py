"""The door for mails that come in: what comes back, and when it has to come again."""

from __future__ import annotations

import smtplib
from dataclasses import replace

from sqlalchemy import text

from service.mail import bounces
from service.runtime import Runtime
from service.shared import clock
from service.store import suppression
from service.store.engine import build_engine
from service.store.games import Games
from tests.replying import place
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
    back = bounces.sender(runtime.settings, "gone@example.org", clock.now())
    with Inbox(runtime, "lmtp://127.0.0.1:0") as inbox, smtplib.LMTP(*place(inbox.url)) as server:
        assert server.sendmail("", [back], REPORT) == {}
    query = text("select status from mail_trouble where address_hash = :hash")
    with runtime.engine.connect() as db:
        assert db.execute(query, {"hash": suppression.digest("gone@example.org")}).scalar() == "5.1.1"


def test_what_comes_back_while_the_database_is_away_has_to_come_again(runtime: Runtime) -> None:
    back = bounces.sender(runtime.settings, "gone@example.org", clock.now())
    away = replace(runtime, games=Games(build_engine("postgresql+psycopg://nobody@127.0.0.1:1/none"), {}))
    with Inbox(away, "smtp://127.0.0.1:0") as inbox, smtplib.SMTP(*place(inbox.url)) as server:
        server.ehlo("client.example.org")
        server.mail("")
        assert server.rcpt(back)[0] == 250
        code, words = server.data(REPORT)
    assert code == 451
    assert b"psycopg" not in words
