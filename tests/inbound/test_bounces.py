"""Mails that come back in words alone are understood as those with a report are."""

from __future__ import annotations

import smtplib
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.mail import envelope_sender
from service.mail.bounces import is_complaint, read_bounce
from service.mail.envelope_sender import BOUNCE_VALIDITY, bounce_address, is_bounce_address, record_bounce
from service.messages.keys import new_key
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store import mail
from service.store.games import Games
from tests.people import alice, bob
from tests.replying import place
from tests.rest import Caller
from workers.inbox import Inbox

FOLDER = Path(__file__).parent / "returned"
EXPECTED: dict[str, tuple[str, str | None, str] | None] = {
    "qmail-unknown": ("address", "unknown-address", "5.1.1"),
    "qmail-remote": ("address", "unknown-address", "5.1.1"),
    "qmail-queue-too-long": ("again", None, "4.4.1"),
    "exim-unknown": ("address", "unknown-address", "5.1.1"),
    "exim-unrouteable": ("address", "unknown-address", "5.1.1"),
    "exim-full": ("again", "mailbox-full", "5.2.2"),
    "exim-timeout": ("again", None, "4.4.7"),
    "exim-delayed": None,
    "gmx-unavailable": ("address", "unknown-address", "5.1.1"),
    "gmx-policy-de": ("policy", None, "5.7.1"),
    "t-online-unknown": ("address", "unknown-address", "5.1.1"),
    "freenet-unbekannt": ("address", "unknown-address", "5.1.1"),
    "posteo-postfix": ("again", "mailbox-full", "5.2.2"),
    "exchange-de": ("address", "unknown-address", "5.1.1"),
    "exchange-fr": ("address", "unknown-address", "5.1.10"),
    "outlook-en": ("address", "not-accepted", "5.4.300"),
    "orange-fr": ("address", "unknown-address", "5.1.1"),
    "free-fr": ("again", "mailbox-full", "5.2.2"),
    "sfr-fr": ("address", "unknown-address", "5.1.1"),
    "laposte-fr": ("address", "not-accepted", "5.5.0"),
    "opensmtpd-unknown": ("address", "unknown-address", "5.1.1"),
    "opensmtpd-delayed": None,
    "dma-unknown": ("address", "unknown-address", "5.1.1"),
    "workmail-unknown": ("address", "unknown-address", "5.1.1"),
    "domino-directory": ("address", "unknown-address", "5.1.1"),
    "domino-report": ("address", "unknown-address", "5.1.1"),
    "exim-policy": ("policy", None, "5.7.1"),
    "gmail-html": ("address", "unknown-address", "5.1.1"),
    "zoho-unknown": ("address", "unknown-address", "5.1.1"),
    "ionos-unknown": ("address", "unknown-address", "5.1.1"),
    "from-nobody": ("again", "mailbox-full", "5.2.2"),
    "expired": ("again", None, "4.4.7"),
    "away-with-a-code": None,
    "vacation": None,
    "postmaster-writes": None,
}
REPORT = """\
Return-Path: <>
From: {who}
To: <b+xyz@example.org>
Subject: {subject}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="=_1"

--=_1
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

{words}

--=_1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
Arrival-Date: Sat, 21 Nov 2026 18:00:00 +0100

Final-Recipient: rfc822; alice@example.org
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {said}

--=_1
Content-Type: text/rfc822-headers

Message-ID: <o1@example.org>
Subject: Status: 5.1.1

--=_1--
"""
VACATION = """\
From: Alice <alice@example.org>
To: b+xyz@example.org
Subject: Auto: Re: It is your move
Auto-Submitted: auto-replied (vacation)
Content-Type: text/plain; charset=utf-8

I am away until Monday. My old address got a 550 5.1.1 user unknown, by the way.
"""
OUT_OF_OFFICE = """\
From: Alice <alice@example.org>
To: b+xyz@example.org
Subject: Abwesenheitsnotiz: Du bist dran
X-Auto-Response-Suppress: All
Auto-Submitted: auto-generated
X-MS-Exchange-Organization-SCL: -1
Content-Type: multipart/alternative; boundary="=_2"

--=_2
Content-Type: text/plain; charset=utf-8

Ich bin bis zum 5. Dezember nicht im Haus.

--=_2
Content-Type: text/html; charset=utf-8

<p>Ich bin bis zum 5. Dezember nicht im Haus.</p>

--=_2--
"""


def test_every_mail_of_the_folder_is_expected_to_say_something() -> None:
    assert {path.stem for path in FOLDER.glob("*.eml")} == EXPECTED.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_what_a_server_writes_in_words_is_understood(name: str) -> None:
    raw = (FOLDER / f"{name}.eml").read_bytes()
    found = read_bounce(raw)
    assert (found and (found[0].outcome, found[0].cause, found[1])) == EXPECTED[name]
    assert read_bounce(raw.replace(b"\n", b"\r\n")) == found


@pytest.mark.parametrize("name", EXPECTED)
def test_an_address_is_not_written_to_again_only_if_it_is_unknown(
    runtime: Runtime, api: Caller, games: Games, name: str
) -> None:
    address = f"{uuid4().hex}@example.org"
    one = alice(games, address)
    back = bounce_address(runtime.settings, address, clock.now())
    raw = (FOLDER / f"{name}.eml").read_bytes().replace(b"alice@example.org", address.encode())
    with Inbox(runtime, "lmtp://127.0.0.1:0") as inbox, smtplib.LMTP(*place(inbox.url)) as server:
        # People write from an address of their own.
        server.sendmail("postmaster@example.org" if name == "postmaster-writes" else "", [back], raw)
    expected = EXPECTED[name]
    unknown = expected is not None and expected[1] == "unknown-address"
    assert api.by(one).get("/me/mail").get_json()["reachable"] == (not unknown)


def test_what_our_own_mail_says_beneath_the_reason_says_nothing() -> None:
    raw = (FOLDER / "qmail-queue-too-long.eml").read_bytes()
    assert b"550" not in raw
    assert read_bounce(raw + b"\nFrom: a@example.org\n\nBob is an unknown user. 550 5.1.1\n") == read_bounce(raw)


def test_of_a_mail_from_nobody_a_code_is_enough_and_of_one_from_somebody_it_is_not() -> None:
    words = b"From: Mail <noreply@example.org>\n\nNo luck with alice@example.org: 550 5.1.1\n"
    found = read_bounce(b"Return-Path: <>\n" + words)
    assert found is not None and found[1] == "5.1.1"
    assert read_bounce(b"Return-Path: <noreply@example.org>\n" + words) is None
    assert read_bounce(b"Return-Path: <>\nAuto-Submitted: auto-replied\n" + words) is None


def report(action: str, status: str, said: str, words: str = "It could not be delivered.", subject: str = "") -> str:
    return REPORT.format(
        who="Mail Delivery System <MAILER-DAEMON@mx.example.net>",
        subject=subject or "Undelivered Mail Returned to Sender",
        words=words,
        action=action,
        status=status,
        said=said,
    )


EXCHANGE = report(
    "failed",
    "5.1.10",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
    "Ihre Nachricht an alice@example.org konnte nicht zugestellt werden.",
    "Unzustellbar: Du bist dran",
)
FRENCH = report(
    "failed",
    "5.1.1",
    "550 5.1.1 Adresse d au moins un destinataire invalide. LPN007_510",
    "Votre message n'a pas pu être remis à son destinataire.",
    "Non remis : C'est à vous",
)
READ: dict[str, tuple[str, tuple[str, str | None, str] | None]] = {
    "unknown": (report("failed", "5.1.1", "550 5.1.1 unknown"), ("address", "unknown-address", "5.1.1")),
    "exchange, in German": (EXCHANGE, ("address", "unknown-address", "5.1.10")),
    "orange, in French": (FRENCH, ("address", "unknown-address", "5.1.1")),
    "only the answer says what": (
        report("failed", "5.0.0", "550 5.1.1 no such user"),
        ("address", "unknown-address", "5.1.1"),
    ),
    "disabled": (report("failed", "5.2.1", "550 5.2.1 disabled"), ("address", "unknown-address", "5.2.1")),
    "full, for now": (report("failed", "4.2.2", "452 4.2.2 mailbox full"), ("again", "mailbox-full", "4.2.2")),
    "full, for good": (report("failed", "5.2.2", "552 5.2.2 over quota"), ("again", "mailbox-full", "5.2.2")),
    "policy": (report("failed", "5.7.1", "550 5.7.1 blocked, 4.3.2.1"), ("policy", None, "5.7.1")),
    "too old": (report("failed", "4.4.7", "421 4.4.7 expired"), ("again", None, "4.4.7")),
    "no words": (report("Failed", "5.0.0", "550 no"), ("address", "not-accepted", "5.0.0")),
    "delayed": (report("delayed", "4.4.1", "421 4.4.1 timed out"), None),
    "delivered": (report("delivered", "2.0.0", "250 OK"), None),
    "relayed": (report("relayed", "2.0.0", "250 OK"), None),
    "no status": (report("failed", "none", "none"), None),
    "vacation": (VACATION, None),
    "out of office": (OUT_OF_OFFICE, None),
    "a person": ("From: a@example.org\n\nAction: failed\nStatus: 5.1.1\n", None),
    "cut off": (report("failed", "5.1.1", "550 5.1.1 no")[:300], None),
    "empty": ("", None),
}


@pytest.mark.parametrize("name", READ)
def test_a_mail_that_came_back_is_read_as_the_table_says(name: str) -> None:
    raw, expected = READ[name]
    said = read_bounce(raw.encode())
    assert (said and (said[0].outcome, said[0].cause, said[1])) == expected
    # As some servers write lines.
    assert read_bounce(raw.replace("\n", "\r\n").encode()) == said


@given(st.one_of(st.binary(max_size=300), st.binary(max_size=60).map(lambda noise: REPORT[:700].encode() + noise)))
def test_garbage_is_never_more_than_nothing(raw: bytes) -> None:
    assert read_bounce(raw) is None
    assert not is_complaint(raw)


@given(st.text(max_size=80))
def test_any_address_can_be_asked_about(settings: Settings, text: str) -> None:
    assert not is_bounce_address(f"z+{text}@example.org")
    assert envelope_sender._address_hash(settings, f"b+{text}@example.org", clock.now()) is None


def reachable(api: Caller, person: object) -> bool:
    """Return whether the player's own settings say that mails reach them."""
    answer = api.by(person).get("/me/mail")  # type: ignore[arg-type]
    return bool(answer.get_json()["reachable"])


def test_an_address_that_is_unknown_is_not_written_to_again(runtime: Runtime, api: Caller, games: Games) -> None:
    one, other = alice(games, "Alice.Bounces@example.org"), bob(games, "bob.bounces@example.org")
    back = bounce_address(runtime.settings, "alice.bounces@example.org", clock.now())
    assert is_bounce_address(back) and is_bounce_address(back.upper())
    assert record_bounce(runtime, back.upper(), READ["unknown"][0].encode()) == "unknown-address"
    assert (reachable(api, one), reachable(api, other)) == (False, True)
    assert api.by(one).get("/me/mail").get_json()["trouble"]["cause"] == "unknown-address"


def test_a_full_mailbox_counts_once_a_day_and_is_given_time(runtime: Runtime, games: Games) -> None:
    address, now = "full.bounces@example.org", clock.now()
    alice(games, address)
    with runtime.engine.begin() as db:
        stopped = [
            mail.note_suppression(
                db, mail.suppression_digest(address), "mailbox-full", "4.2.2", now + timedelta(hours=hours)
            )
            for hours in range(0, 24 * 6, 8)
        ]
    # One point a day, a little of which is forgotten each day: four are not reached before the fifth.
    assert stopped.index(True) == 4 * 3


def test_points_are_forgotten_after_a_while(runtime: Runtime) -> None:
    hashed, now = mail.suppression_digest("seldom.bounces@example.org"), clock.now()
    with runtime.engine.begin() as db:
        each_month = [
            mail.note_suppression(db, hashed, "mailbox-full", "4.2.2", now + timedelta(days=30 * month))
            for month in range(12)
        ]
    assert not any(each_month)


def test_a_policy_against_us_is_nothing_that_the_player_could_mend(runtime: Runtime, api: Caller, games: Games) -> None:
    one = alice(games, "policy.bounces@example.org")
    assert (
        record_bounce(
            runtime, bounce_address(runtime.settings, str(one.email), clock.now()), READ["policy"][0].encode()
        )
        == "policy"
    )
    assert reachable(api, one)


@pytest.mark.parametrize("case", ["made up", "another key", "too old", "somebody's reply"])
def test_nobody_can_have_somebody_elses_mails_stopped(runtime: Runtime, api: Caller, games: Games, case: str) -> None:
    one, settings, now = alice(games, f"{case.split(maxsplit=1)[0]}.forged@example.org"), runtime.settings, clock.now()
    address = str(one.email)
    back = {
        "made up": f"b+{'a' * 47}@example.org",
        "another key": bounce_address(replace(settings, mail_keys=(new_key(),)), address, now),
        "too old": bounce_address(settings, address, now - BOUNCE_VALIDITY - timedelta(hours=2)),
        "somebody's reply": f"z+{bounce_address(settings, address, now)[2:]}",
    }[case]
    assert record_bounce(runtime, back, READ["unknown"][0].encode()) is None
    assert reachable(api, one)


def test_a_key_that_is_being_replaced_still_opens(runtime: Runtime, games: Games) -> None:
    alice(games, "rotated@example.org")
    back = bounce_address(runtime.settings, "rotated@example.org", clock.now())
    newer = replace(runtime, settings=replace(runtime.settings, mail_keys=(new_key(), *runtime.settings.mail_keys)))
    assert record_bounce(newer, back, READ["disabled"][0].encode()) == "unknown-address"


def test_whoever_calls_our_mails_unwanted_gets_no_more_about_games(runtime: Runtime, api: Caller, games: Games) -> None:
    one = alice(games, "complains@example.org")
    raw = (
        'Content-Type: multipart/report; report-type=feedback-report; boundary="=_3"\n\n'
        "--=_3\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\n\n--=_3--\n"
    )
    assert (
        record_bounce(runtime, bounce_address(runtime.settings, str(one.email), clock.now()), raw.encode())
        == envelope_sender.COMPLAINT
    )
    assert api.by(one).get("/me/mail").get_json()["kinds"] == dict.fromkeys(
        ("turn", "started", "over", "message", "problem", "lapsed", "proposal", "challenge", "league"), False
    )
