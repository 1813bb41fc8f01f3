"""Mails that no mail program writes: they are read without an error, in a time that grows with their size."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schemas.fields import PROSE
from service.inbound.attachments import without_attachments
from service.inbound.auto_replies import writer
from service.inbound.grammar import read_reply
from service.inbound.headers import read
from service.inbound.text import written
from service.mail import bounces
from service.rules.registry import find_rulesets
from tests.house import RULESETS

RULES = find_rulesets(RULESETS)["new-corp-order"]
HERE = Path(__file__).parent
CORPUS = [path.read_bytes() for path in sorted(HERE.glob("re*/*.eml"))]
LONGEST = 1.0
"""Seconds; where the time is the square of the size, each of these takes several."""
CAME_BACK = b"From: mailer-daemon@example.org\n\nThis is the mail system at host example.org\n"
HTML, FLOWED = b"Content-Type: text/html\n\n", b"Content-Type: text/plain; format=flowed; "
PIECES = [
    *(b"Content-Type: text/plain; a*%d*=x; charset*=%s''%%FF\n" % (n, c) for n, c in ((0, b"idna"), (1, b"hex"))),
    *(b"Content-Type: %s; " % kind for kind in (b"multipart/mixed", b"multipart/report", b"message/delivery-status")),
    *(b"charset=%s\n" % name for name in (b"idna", b"undefined", b"punycode", b"utf-16", b"x\0", b'"')),
    *(b"Content-Transfer-Encoding: %s\n" % name for name in (b"base64", b"quoted-printable", b"x-uuencode")),
    *(
        b"boundary=x\n\n--x\n",
        b"boundary*0*=a''x;boundary*=y;",
        b"a*=x;a*0=y;",
        b"\n\n",
        b"--x--\n",
        b"--x\n",
        b"\r",
        b"\0",
    ),
    *(
        b"\xff\xfe",
        b"=?utf-8?b?x?=",
        b"=?x?y?z?=",
        b"\xe2\x80\xa8",
        b"<table><td colspan=99999>",
        b"&#0;&#xD800;",
        b"<s>",
    ),
    *(b"<!--", b"<style>", b"<?xml", b"<ol start=99999999999>", b"<li value=x>", b"<div style='margin-left:9e9em'>"),
    *(b"Action: failed\nStatus: 5.1.1\n", b"Feedback-Type: abuse\n", b"say: ", b"P 1 D\n", "²Ⅻ٣".encode(), b"> "),
]
ALL: tuple[Callable[[bytes], object], ...] = (
    without_attachments,
    lambda raw: read_reply(RULES, written(raw).text),
    lambda raw: writer(read(raw), "alice@example.org", "games@example.org", ("New Corp Order",)),
    bounces.read_bounce,
    bounces.is_complaint,
)


@given(st.sampled_from(CORPUS), st.lists(st.tuples(st.floats(0, 1), st.sampled_from(PIECES)), max_size=8))
@example(b"\nsay: a NUL \0, a colour \x1b[31m and \xc2\x9b a sequence of eight bits", [])
def test_whatever_a_mail_is_made_of_it_is_read(raw: bytes, changes: list[tuple[float, bytes]]) -> None:
    for share, piece in changes:
        at = int(share * len(raw))
        raw = raw[:at] + piece + raw[at:]
    for reads in ALL:
        reads(raw)
    kept = without_attachments(raw)
    asked = read_reply(RULES, written(kept).text)
    assert re.fullmatch(PROSE, asked.said or ""), "it can be stored, and shown anywhere"


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: text/plain; a*=x; a*0=y\n\nshow",
        b"Content-Type: text/plain; charset*=idna''utf-8; a*0*=x; a*=y\n\nshow",
        b"Content-Type: multipart/mixed; boundary*=idna''x\n\n--x\n\nshow\n--x--\n",
        b"Content-Type: message/delivery-status; charset=idna\n\n\xff\n",
        b"From: mailer-daemon@x\nContent-Type: text/plain; charset=idna\n\n" + b"a" * 70 + b"..\xff\n",
    ],
)
def test_parameters_that_the_standard_library_cannot_read_are_as_good_as_none(raw: bytes) -> None:
    for reads in ALL:
        reads(raw)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b'Content-Type: text/plain; x="' + b";" * 250_000 + b"\n\nshow", id="parameters"),
        pytest.param(CAME_BACK + b"\n" * 20_000 + b"x", id="empty lines of a bounce"),
        pytest.param(CAME_BACK + b"adresse" * 2_800, id="words of a bounce"),
        pytest.param(FLOWED + b"charset=utf-8\n\na" + "\u0301\u0316".encode() * 60_000, id="accents"),
        pytest.param(b"".join(b'Content-Type: multipart/mixed; boundary="%s"\n\n--%s\n' % (n, n) for n in
                              (b"b%d" % number * 600 for number in range(40))), id="boundaries"),
        pytest.param(b"\n" + b"wrote " * 40_000, id="a line of an attribution"),
        pytest.param(HTML + b"<blockquote>" * 20_000, id="quotes in quotes"),
        pytest.param(HTML + b"<!--" * 60_000, id="comments"),
    ],
)  # fmt: skip
def test_a_mail_made_to_take_long_does_not(raw: bytes) -> None:
    for reads in ALL:
        begun = process_time()
        reads(raw)
        assert process_time() - begun < LONGEST


@pytest.mark.long
def test_parts_nested_deeper_than_python_can_go_are_no_text() -> None:
    parts = (b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (number, number) for number in range(3000))
    raw = b"".join(parts)
    assert written(raw).text == "" and bounces.read_bounce(raw) is None and not bounces.is_complaint(raw)
