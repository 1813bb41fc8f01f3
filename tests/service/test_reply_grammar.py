"""What a reply asks for, in whatever shape people's mail programs send it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.header import decode_header, make_header
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.mail.inbound.authentic import authentic
from service.mail.inbound.grammar import Act, Asked, asked
from service.mail.inbound.loops import automatic
from service.mail.inbound.reading import read
from service.mail.inbound.written import written
from service.rules.registry import find_rulesets
from tests.house import RULESETS

MOST_ROOM = 50_000
"""In kB."""
CORPUS = sorted((Path(__file__).parent / "replies").glob("*.eml"))
GAMES = find_rulesets(RULESETS)
RULES = GAMES["new-corp-order"]


def command(found: Asked) -> str:
    if len(found.found) > 1:
        return "several"
    if isinstance(found.command, Act):
        return found.command.notation
    return found.command or "nothing"


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_reply_is_exactly_one_command_or_nothing(path: Path) -> None:
    raw = path.read_bytes()
    found = asked(RULES, written(raw))
    expected = message_from_bytes(raw)
    assert command(found) == expected["X-Expect"]
    said = expected["X-Expect-Said"]
    assert (found.said or "").replace("\n", " / ") == (
        str(make_header(decode_header(" ".join(said.split())))) if said else ""
    )


def test_the_corpus_has_the_mail_programs_of_three_languages() -> None:
    assert len(CORPUS) >= 60
    for program in ("gmail", "outlook", "iphone", "apple-mail", "thunderbird-bottom"):
        assert {path.stem[-2:] for path in CORPUS if path.stem.startswith(program)} >= {"en", "de", "fr"}


def test_what_our_own_mails_quote_never_plays() -> None:
    text = 'Plot\n  P 1 D = Plot: slot 1, then the deck.\n\nanswer with the words "resign yes" on a line'
    assert asked(RULES, text) == Asked()


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\n" * 4000,
        b"From: " + b"(" * 200_000 + b"\n\nx",
        b"Authentication-Results: " + b"(" * 100_000 + b")" * 100_000 + b"\n\nx",
        b"Subject: " + b"=?utf-8?q?a?= " * 10_000 + b"\n\nx",
        b"Content-Type: text/html\n\n" + b"<table><tr><td>" * 17_000,
        b"Content-Type: text/html\n\n" + b"<table><tr><td>a</td></tr></table>" * 7000,
        b"Content-Type: text/html\n\n" + b"<blockquote>" * 20_000,
        b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 80_000,
        b"Content-Type: text/plain\n\n" + b"P 2 D\n" * 40_000,
        b"Content-Type: text/plain\n\n" + b"from " * 50_000,
        b"Content-Type: text/plain; charset=punycode\n\n" + b"a" * 200_000,
    ],
    ids=range(11),
)
def test_a_hostile_mail_takes_neither_time_nor_room(raw: bytes) -> None:
    before = process_time()
    with room_taken() as taken:
        understood(raw)
    assert process_time() - before < 1
    assert taken() < MOST_ROOM


@given(st.binary(max_size=2000) | st.text(max_size=800).map(lambda text: b"Subject: x\n\n" + text.encode("utf-8")))
@settings(max_examples=40, deadline=1000)
def test_any_bytes_are_a_mail(raw: bytes) -> None:
    understood(raw)


@given(
    st.lists(
        st.sampled_from(
            ["Content-Type: text/html", "Content-Type: text/plain; charset=", "From: ", "Subject: =?", "\n"]
        )
        | st.text(max_size=30),
        max_size=20,
    )
)
@settings(max_examples=40, deadline=1000)
def test_any_headers_are_a_mail(lines: list[str]) -> None:
    understood("\n".join(lines).encode("utf-8", "replace"))


@contextmanager
def room_taken() -> Iterator[Callable[[], int]]:
    """Measures how many kB of memory the process had at most while it ran, beyond those it had before."""
    gc.collect()
    # Makes the system forget how much it was at most before (proc(5)).
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    yield lambda: memory("VmHWM") - before


def memory(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def test_room_that_is_taken_is_seen() -> None:
    with room_taken() as taken:
        much = b"x" * 1024 * MOST_ROOM
    assert taken() > MOST_ROOM * 0.9 and much


OURS = "mx.example.net; dmarc=pass (p=none) header.from=example.org; spf=pass"


@pytest.mark.parametrize(
    ("sender", "results", "believed"),
    [
        ("alice@example.org", (OURS,), True),
        ('"Alice, at home" <ALICE@example.org>', ("mx.example.net 1; dkim=pass", OURS), True),
        ("alice@example.org", ("MX.example.net; dmarc=none",), True),
        ("mallory@example.com", (OURS,), False),
        ("alice@example.org, mallory@example.com", (OURS,), False),
        ("alice@example.org <mallory@example.com>", (OURS,), False),
        ("alice@example.org]<mallory@example.com>", (OURS,), False),
        ("alice@example.org", (), False),
        ("alice@example.org", ("mx.example.net; spf=pass; dkim=pass",), False),
        ("alice@example.org", ("mx.example.net; dmarc=fail", OURS), False),
        ("alice@example.org", ("mx.evil.example; dmarc=pass", OURS), False),
        ("alice@example.org", ("mx.example.net; spf=pass", "mx.evil.example; spf=pass", OURS), False),
        ("alice@example.org", ('mx.example.net; spf=fail smtp.mailfrom="a; dmarc=pass"; dmarc=fail',), False),
        ("alice@example.org", ("mx.example.net; spf=fail (; dmarc=pass; ) ; dmarc=fail",), False),
    ],
)
def test_a_sender_is_believed_by_the_headers_of_our_own_server(
    sender: str, results: tuple[str, ...], believed: bool
) -> None:
    raw = "".join(f"Authentication-Results: {each}\n" for each in results) + f"From: {sender}\n\nhold\n"
    mail = read(raw.encode())
    assert authentic(mail, "Alice@example.org", "mx.example.net", own=True) is believed


def understood(raw: bytes) -> None:
    mail = read(raw)
    automatic(mail, "somebody@example.org", "boardroom@example.org")
    assert not authentic(mail, "nobody@example.org", "mx.example.org", own=False)
    for ruleset in GAMES.values():
        found = asked(ruleset, written(raw))
        assert found.command is None or len(found.found) == 1
