"""Answers to mails as mail servers hand them in: whose they are, how large they may be, and for which addresses."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from select import select
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers import mail_preferences
from service.inbound.ingest import LARGEST
from service.inbound.listener import LINE_TOO_LONG, LONGEST_LINE, MOST_AT_ONCE, TOO_LARGE
from service.mail import envelope_sender
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Position
from tests.builders import now_at
from tests.letters import Letter
from tests.memory import room_taken
from tests.replying import address_of, answers, by_reply, delivered, hand_in, outcomes, place, reply
from workers.inbox import UNREAD, Inbox

ALICE, BOB = "alice@example.org", "bob@example.org"
SERVER = "mx.example.net"
PASS = f"{SERVER}; dmarc=pass header.from=example.org"
MEGABYTE = 1024 * 1024


@pytest.fixture
def checked(runtime: Runtime) -> Runtime:
    """A house whose mail server checks senders."""
    return replace(runtime, settings=replace(runtime.settings, inbound_server=SERVER))


@pytest.fixture(params=["smtp", "lmtp"])
def door(checked: Runtime, request: pytest.FixtureRequest) -> Iterator[str]:
    with Inbox(checked, f"{request.param}://127.0.0.1:0") as listening:
        yield listening.url


@pytest.fixture
def lmtp(checked: Runtime) -> Iterator[str]:
    with Inbox(checked, "lmtp://127.0.0.1:0") as listening:
        yield listening.url


def signed(message: EmailMessage, *results: str) -> bytes:
    """The mail as our own server hands it on, with its results on top."""
    return "".join(f"Authentication-Results: {each}\r\n" for each in results).encode() + message.as_bytes()


NONE = f"{SERVER}; dmarc=none header.from=example.org"


@pytest.mark.parametrize(
    ("results", "plays", "plays_signed_in"),
    [
        (PASS, True, True),
        (f"{SERVER}; spf=fail smtp.mailfrom=evil.test; dmarc=none", False, False),
        (f"{NONE}; spf=pass smtp.mailfrom=alice@example.org", True, False),
        (f"{NONE}; dkim=pass header.d=example.org", True, False),
        (f"{NONE}; dkim=pass header.d=evil.test", False, False),
        (f"{SERVER}; dmarc=pass header.from=evil.test", False, False),
        (f"{SERVER}; spf=pass smtp.mailfrom=example.org; dkim=pass header.d=example.org", False, False),
    ],
)
def test_a_reply_to_links_that_need_sign_in_plays_only_with_dmarc_for_its_sender(
    checked: Runtime, mailbox: Path, game: UUID, position: Position, mails: dict[str, Letter], lmtp: str,
    results: str, plays: bool, plays_signed_in: bool,
) -> None:  # fmt: skip
    mail_preferences.change(checked.games, position.seats[1].player_id, {"links_need_sign_in": True})
    played = []
    for player in (ALICE, BOB):
        before = by_reply(checked, game)
        hand_in(lmtp, "somebody@evil.test", address_of(mails[player]), signed(reply(mails[player], "hold"), results))
        (letter,) = answers(checked, mailbox, game, player)
        played.append(by_reply(checked, game) > before)
        assert played[-1] or ("/t/" in letter.text and address_of(letter) != address_of(mails[player]))
        assert played[-1] or (player == ALICE) != ("(DMARC)" in letter.text)
    assert played == [plays, plays_signed_in]


def test_results_that_came_along_beneath_our_own_are_not_read(
    checked: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], lmtp: str
) -> None:
    raw = signed(reply(mails[ALICE], "hold"), f"{SERVER}; spf=fail smtp.mailfrom=evil.test", PASS)
    hand_in(lmtp, "mallory@evil.test", address_of(mails[ALICE]), raw)
    (letter,) = answers(checked, mailbox, game, ALICE)
    assert outcomes(checked, game) == ["unchecked"]
    assert "Nothing was played" in letter.text and not by_reply(checked, game)


@pytest.mark.parametrize(
    ("sender", "headers"),
    [
        ("bounces+SRS=a1b2=x@lists.test", {}),
        ("bounces-12-alice=example.org@mailer.test", {"List-Unsubscribe": "<https://mailer.test/u>"}),
        (ALICE, {"From": "Alice @ home (really) <alice@example.org>", "X-Auto-Response-Suppress": "All"}),
        (ALICE, {"From": "alice@example.org (Adler, Alice)", "List-Unsubscribe": "<mailto:u@example.org>"}),
        (ALICE, {"From": "Us: =?utf-8?q?Al=C3=AFce?= <alice@example.org>;"}),
    ],
)
def test_a_mail_that_a_person_has_written_plays_whatever_handed_it_on(
    checked: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], lmtp: str,
    sender: str, headers: dict[str, str],
) -> None:  # fmt: skip
    written = {"From": "Alice <alice@example.org>", "Message-ID": "<1@example.org>", "Subject": "Re: bids"} | headers
    fields = [f"Authentication-Results: {PASS}", *(f"{name}: {value}" for name, value in written.items())]
    hand_in(lmtp, sender, address_of(mails[ALICE]), "\r\n".join([*fields, "", "hold", ""]).encode())
    assert len(answers(checked, mailbox, game, ALICE)) == 1
    assert outcomes(checked, game) == ["played"]


SIGNED_INLINE = """-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA512

hold
- --
Alice
-----BEGIN PGP SIGNATURE-----

iQIzBAEBCgAdFiEE
-----END PGP SIGNATURE-----
"""


@pytest.mark.parametrize(
    ("words", "html", "outcome", "told"),
    [
        (SIGNED_INLINE, None, "played", 'You played "hold"'),
        ("hold", "<div><s>hold</s></div>", "nothing", "matches no move"),
        ("say: I will most probably\nhold\nand then see", None, "said", 'Not carried out: "hold"'),
        ("say: good luck\n\nhold", None, "said", 'Write a move above "say:"'),
        ("hold\nsay: I will never\nundo\nthat", None, "played", 'Not carried out: "undo"'),
        (None, f"<style>{'.a{color:red}' * 6000}</style><p>hold</p>", "played", 'You played "hold"'),
    ],
)
def test_a_reply_is_read_as_its_writer_sees_it(
    checked: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], lmtp: str,
    words: str | None, html: str | None, outcome: str, told: str,
) -> None:  # fmt: skip
    message = reply(mails[ALICE], words or "")
    if words is None and html is not None:
        message.set_content(html, subtype="html")
    elif html is not None:
        message.add_alternative(html, subtype="html")
    hand_in(lmtp, ALICE, address_of(mails[ALICE]), signed(message, PASS))
    (letter,) = answers(checked, mailbox, game, ALICE)
    assert outcomes(checked, game) == [outcome]
    assert told in " ".join(letter.text.split())
    assert (0 in now_at(checked.games, game).awaited) == (outcome != "played")


def test_a_large_picture_keeps_no_move_from_being_played_and_is_not_kept(
    checked: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], door: str
) -> None:
    message = reply(mails[ALICE], "hold\n\n-- \nAlice Adler")
    message.add_related(b"\x89PNG" * 100 * 1024, "image", "png", cid="<logo@example.org>")
    message.add_attachment(b"%PDF" * MEGABYTE, "application", "pdf", filename="rules.pdf")
    raw = signed(message, PASS)
    assert 5 * MEGABYTE < len(raw) < LARGEST
    hand_in(door, ALICE, address_of(mails[ALICE]), raw)
    assert len(answers(checked, mailbox, game, ALICE)) == 1
    assert outcomes(checked, game) == ["played"]
    with checked.engine.connect() as db:
        query = text("select octet_length(sealed) from inbound_mail where game_id = :game")
        assert int(db.execute(query, {"game": game}).scalar_one()) < 4096


def test_a_mail_of_25_megabytes_is_refused_with_what_to_do_and_takes_no_room(
    checked: Runtime, mails: dict[str, Letter], game: UUID, door: str
) -> None:
    line, told = b"x" * 998 + b"\r\n", tuple(TOO_LARGE.split(" ", 1))
    kind = smtplib.LMTP if door.startswith("lmtp") else smtplib.SMTP
    with kind(*place(door), timeout=60) as server, room_taken() as taken:
        server.ehlo("client.example.org")
        # A server that says beforehand how much there is hears it at once.
        code, words = server.mail(ALICE, [f"size={25 * MEGABYTE}"])
        assert (str(code), words.decode()) == told and "attachments" in told[1]
        server.mail(ALICE)
        recipients = [mails[each] for each in (ALICE, BOB)]
        assert {server.rcpt(address_of(each))[0] for each in recipients} == {250}
        assert server.docmd("DATA")[0] == 354
        for _ in range(25 * MEGABYTE // len(line)):
            server.send(line)
        server.send(b".\r\n")
        for _ in recipients if kind is smtplib.LMTP else recipients[:1]:
            code, words = server.getreply()
            assert (str(code), words.decode()) == told
        assert server.docmd("NOOP")[0] == 250
    assert taken() < 50_000
    assert not outcomes(checked, game)


def test_only_so_many_mails_are_held_in_memory_at_a_time(mails: dict[str, Letter], door: str) -> None:
    kind = smtplib.LMTP if door.startswith("lmtp") else smtplib.SMTP
    with ExitStack() as opened:
        talks = [opened.enter_context(kind(*place(door), timeout=60)) for _ in range(MOST_AT_ONCE + 1)]
        for talk in talks:
            talk.ehlo("client.example.org")
            talk.mail(ALICE)
            talk.rcpt(address_of(mails[ALICE]))
        *before, last = talks
        assert [talk.docmd("DATA")[0] for talk in before] == [354] * MOST_AT_ONCE
        last.putcmd("DATA")
        assert last.sock is not None and not select([last.sock], [], [], 0.2)[0]
        for talk in before:
            talk.send(b"Subject: x\r\n\r\nhold\r\n.\r\n")
            assert talk.getreply()[0] == 250
        assert last.getreply()[0] == 354
        last.send(b"Subject: x\r\n\r\nhold\r\n.\r\n")
        assert last.getreply()[0] == 250


def test_a_line_may_be_long_and_not_endless(
    checked: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], door: str
) -> None:
    head = signed(reply(mails[ALICE], ""), PASS).partition(b"Content-Type")[0].rstrip()
    page = head + b"\r\nContent-Type: text/html\r\n\r\n<p>hold</p><p>" + b"x" * 100_000 + b"</p>\r\n"
    hand_in(door, ALICE, address_of(mails[ALICE]), page)
    assert len(answers(checked, mailbox, game, ALICE)) == 1
    assert outcomes(checked, game) == ["played"]
    with pytest.raises(smtplib.SMTPDataError) as refused:
        hand_in(door, BOB, address_of(mails[BOB]), page + b"x" * 3 * LONGEST_LINE + b"\r\n")
    assert f"{refused.value.smtp_code} {bytes(refused.value.smtp_error).decode()}" == LINE_TOO_LONG


def test_the_door_takes_recipients_only_that_have_been_given_an_address(checked: Runtime, door: str) -> None:
    back = envelope_sender.bounce_address(checked.settings, "gone@example.org", clock.now())
    forged = back.replace("b+", "b+aaaa")[:24] + "@" + back.partition("@")[2]
    other = replace(checked.settings, mail_keys=("A" * 43 + "=",))
    kind = smtplib.LMTP if door.startswith("lmtp") else smtplib.SMTP
    with kind(*place(door), timeout=60) as server:
        server.ehlo("client.example.org")
        server.mail("")
        assert server.rcpt(back)[0] == 250
        assert server.rcpt(back.upper())[0] == 250
        for stranger in (
            forged,
            envelope_sender.bounce_address(other, "gone@example.org", clock.now()),
            "anybody@example.org",
        ):
            assert server.rcpt(stranger)[0] == 550
        code, words = server.rcpt("Boardroom@example.org")
        assert f"{code} {words.decode()}" == UNREAD
        assert "Reply-To" in UNREAD and "links" in UNREAD


def test_everything_that_is_due_goes_on_after_a_refusal(
    checked: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], lmtp: str
) -> None:
    with pytest.raises(smtplib.SMTPSenderRefused):
        hand_in(lmtp, ALICE, address_of(mails[ALICE]), b"Subject: x\r\n\r\n" + (b"x" * 998 + b"\r\n") * 12 * 1024)
    hand_in(lmtp, ALICE, address_of(mails[ALICE]), signed(reply(mails[ALICE], "hold"), PASS))
    assert ALICE in delivered(checked, mailbox, game)
    assert outcomes(checked, game) == ["played"]
