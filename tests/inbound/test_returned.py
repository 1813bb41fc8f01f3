"""Mails that come back in words alone are understood as those with a report are."""

from __future__ import annotations

import smtplib
from pathlib import Path
from uuid import uuid4

import pytest

from service.mail.bounce_reports import read_bounce
from service.mail.bounces import bounce_address
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.people import alice
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
