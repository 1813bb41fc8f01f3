"""The grammar of replies: commands and actions in whatever shape mail programs send them, orders (T-33), absences."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from email import message_from_bytes
from email.header import decode_header, make_header
from pathlib import Path
from textwrap import wrap
from time import process_time
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.inbound.attachments import without_attachments
from service.inbound.authentication import belief
from service.inbound.auto_replies import Writer, writer
from service.inbound.grammar import (
    AbsenceLine,
    Act,
    Ambiguous,
    ReplyText,
    WrittenDay,
    read_absence,
    read_day,
    read_reply,
)
from service.inbound.headers import MAX_MAIL_BYTES
from service.inbound.headers import read as read_headers
from service.inbound.text import written
from service.rules.registry import find_rulesets
from tests.house import RULESETS
from tests.memory import room_taken

RULES = find_rulesets(RULESETS)["new-corp-order"]
THIRD = WrittenDay(3, 3)
NO_DAY = WrittenDay(31, 2)
MOST_ROOM = 50_000
"""In kB."""
CORPUS = sorted((Path(__file__).parent / "replies").glob("*.eml"))
GAMES = find_rulesets(RULESETS)
LINES = st.lists(
    st.sampled_from(["P 1 D", "P 2 D", "undo", "resign yes", "help", "", "say: hello", "so be it", "> P 3 D"])
)
WORDS = st.lists(st.sampled_from(["well", "P", "1", "D", "undo", "help", "then", "mute"]), min_size=1, max_size=60)


@pytest.mark.parametrize(
    "line",
    [
        "away until 3 March",
        "Away until March 3rd",
        "away till the 3rd of March",
        "away until 3.3.",
        "> away until 4 March\naway until 3 March.",
        "abwesend bis 3. März",
        "Abwesend bis zum 3. Maerz!",
        "abwesend bis 3. Mär.",
        "absent jusqu'au 3 mars",
        "Absente jusqu’au 3 mars",
        "absente jusqu'au 3/3",
    ],
)
def test_t18_an_absence_is_announced_by_mail_in_three_languages(line: str) -> None:
    assert read_reply(RULES, line).absences == (AbsenceLine(THIRD),)


@pytest.mark.parametrize(
    "line",
    ["away from 1 March to 3 March", "abwesend vom 1. März bis zum 3. März", "absent du 1er mars au 3 mars"],
)
def test_t18_the_first_day_may_be_named_too(line: str) -> None:
    assert read_reply(RULES, line).absences == (AbsenceLine(THIRD, WrittenDay(1, 3)),)


@pytest.mark.parametrize("line", ["back", "I'm back!", "Wieder da.", "ich bin wieder da", "de retour", "De retour."])
def test_t18_a_player_who_is_back_says_so(line: str) -> None:
    assert read_reply(RULES, line).absences == (AbsenceLine(back=True),)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-03-03", WrittenDay(3, 3, 2026)),
        ("March 3, 2026", WrittenDay(3, 3, 2026)),
        ("25/3", WrittenDay(25, 3)),
        ("3/25/2026", WrittenDay(25, 3, 2026)),
        ("3.4.2026", WrittenDay(3, 4, 2026)),
        ("24 déc.", WrittenDay(24, 12)),
        ("24 decembre", WrittenDay(24, 12)),
        ("1. Januar", WrittenDay(1, 1)),
        ("3/4", Ambiguous("3/4", WrittenDay(3, 4), WrittenDay(4, 3))),
        ("next week", None),
        ("3 Smarch", None),
        ("31 February", NO_DAY),
    ],
)
def test_t18_days_are_read_as_people_write_them(text: str, day: WrittenDay | Ambiguous | None) -> None:
    assert read_day(text) == day


@pytest.mark.parametrize(
    ("day", "today", "meant"),
    [
        (WrittenDay(3, 1), date(2026, 12, 20), date(2027, 1, 3)),
        (WrittenDay(3, 3), date(2026, 3, 2), date(2026, 3, 3)),
        (WrittenDay(1, 3), date(2026, 3, 2), date(2026, 3, 1)),
        (WrittenDay(29, 2), date(2027, 12, 1), date(2028, 2, 29)),
        (WrittenDay(29, 2), date(2026, 2, 1), None),
        (NO_DAY, date(2026, 2, 1), None),
        (WrittenDay(1, 1, 0), date(2026, 2, 1), None),
    ],
)
def test_t18_a_day_without_a_year_is_the_one_around_today(day: WrittenDay, today: date, meant: date | None) -> None:
    assert day.near(today) == meant


def test_an_absence_goes_along_with_a_move_and_a_remark() -> None:
    found = read_reply(RULES, "P 3\naway until 3 March\nsay: see you then")
    assert (found.found, found.absences, found.said) == (("P 3",), (AbsenceLine(THIRD),), "see you then")


def test_what_stands_after_a_remark_is_not_lost_in_silence() -> None:
    assert read_reply(RULES, "say: bye\n\naway until 3 March").late == ("away until 3 March",)


@pytest.mark.parametrize("line", ["I am away until 3 March", "away", "Bob is away until 3 March", "backwards"])
def test_what_an_away_note_or_a_person_writes_by_the_way_is_no_announcement(line: str) -> None:
    assert read_reply(RULES, line).absences == ()


@given(st.text(max_size=60))
def test_no_text_breaks_the_reading_of_days(text: str) -> None:
    found = read_day(text)
    if isinstance(found, WrittenDay):
        found.near(date(2026, 3, 2))
    read_absence(f"away until {text}")


def read(text: str) -> ReplyText:
    return read_reply(RULES, text)


def ordered(found: ReplyText) -> list[str]:
    return [each.notation for each in found.orders]


def test_t33_a_move_alone_is_a_command_and_no_order() -> None:
    found = read("P 3")
    assert isinstance(found.command, Act) and found.command.notation == "P 3"
    assert found.orders == ()


@pytest.mark.parametrize(
    "then", ["then", "Then:", "and then", "dann", "Dann", "und dann", "puis", "ensuite,", "*then*"]
)
def test_t33_lines_that_begin_with_then_are_orders_in_their_sequence(then: str) -> None:
    found = read(f"P 3\n{then} T B2-C2 1\n\n{then} P D D.\n")
    assert isinstance(found.command, Act) and found.command.notation == "P 3"
    assert ordered(found) == ["T B2-C2 1", "P D D"]
    assert found.misread == ()


def test_t33_the_same_move_may_be_given_twice() -> None:
    assert ordered(read("then P D D\nthen P D D")) == ["P D D", "P D D"]


def test_t33_orders_may_come_without_a_move() -> None:
    found = read("Hello!\n\nthen P D D\n")
    assert (found.command, found.found) == (None, ())
    assert ordered(found) == ["P D D"]


def test_t33_a_line_that_cannot_be_read_is_told_if_it_is_short() -> None:
    found = read("P 3\nthen T B2\nthen I went home and thought about this move for a very long time indeed, you know.")
    assert found.orders == ()
    assert found.misread == ("then T B2",)


def test_t33_no_command_is_an_order() -> None:
    assert read("then resign yes").orders == ()
    assert read("then undo").misread == ("then undo",)


def test_t33_orders_in_what_is_quoted_or_said_are_none() -> None:
    assert read("P 3\n> then P D D").orders == ()
    assert read("P 3\nsay: hello\nthen P D D").orders == ()


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("orders", "orders"),
        ("Vorgemerkt", "orders"),
        ("coups d’avance", "orders"),
        ("ordres", "orders"),
        ("cancel", "cancel"),
        ("streichen", "cancel"),
        ("effacer", "cancel"),
    ],
)
def test_t33_orders_are_listed_and_cancelled_by_a_word(word: str, meaning: str) -> None:
    assert read(word).command == meaning


def command(found: ReplyText) -> str:
    if len(found.found) > 1:
        return "several"
    if isinstance(found.command, Act):
        return found.command.notation
    return found.command or "nothing"


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_reply_is_exactly_one_command_or_nothing(path: Path) -> None:
    raw = path.read_bytes()
    found = read_reply(RULES, written(without_attachments(raw)).text)
    expected = message_from_bytes(raw)
    assert command(found) == expected["X-Expect"]
    assert ", ".join(found.late) == (expected["X-Expect-Late"] or "")
    said = expected["X-Expect-Said"]
    assert (found.said or "").replace("\n", " / ") == (
        str(make_header(decode_header(" ".join(said.split())))) if said else ""
    )


def test_the_corpus_has_the_mail_programs_of_three_languages() -> None:
    assert len(CORPUS) >= 60
    for program in ("gmail", "outlook", "iphone", "apple-mail", "thunderbird-bottom"):
        assert {path.stem[-2:] for path in CORPUS if path.stem.startswith(program)} >= {"en", "de", "fr"}


def test_of_pictures_and_files_only_the_headers_are_kept() -> None:
    text = b"Content-Type: text/plain\r\n\r\nP 2 D\r\n"
    pixels = b"iVBORw0KGgo\r\n" * 40_000
    picture = b"Content-Type: image/png; name=me.png\r\nContent-Transfer-Encoding: base64\r\n\r\n" + pixels
    notes = b"Content-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\nP 3 D\r\n" * 10_000
    parts = b"".join(b"--=_b\r\n" + part for part in (picture, notes, text, picture))
    raw = b'Subject: x\r\nContent-Type: multipart/mixed; boundary="=_b"\r\n\r\n' + parts + b"--=_b--\r\n"
    kept = without_attachments(raw)
    assert len(kept) < 1000 and b"me.png" in kept
    assert command(read_reply(RULES, written(kept).text)) == "P 2 D"
    whole = b"Subject: x\r\nContent-Type: image/png\r\n\r\n" + pixels
    assert without_attachments(whole) == whole.partition(pixels)[0]


def test_what_our_own_mails_quote_never_plays() -> None:
    text = 'Plot\n  P 1 D = Plot: slot 1, then the deck.\n\nanswer with the words "resign yes" on a line'
    assert read_reply(RULES, text) == ReplyText()


@pytest.mark.parametrize(
    ("text", "plays", "says", "late"),
    [
        ("P 2 D\nsay: hello", "P 2 D", "hello", ()),
        ("P 2 D\n\nsay: hello\nto all of you", "P 2 D", "hello to all of you", ()),
        ("Hi there,\n\nP 2 D\n\nsay: hello\n\nBob", "P 2 D", "hello\nBob", ()),
        ("say: hello\nP 2 D", "nothing", "hello", ("P 2 D",)),
        ("say: hello\n\nP 2 D", "nothing", "hello", ("P 2 D",)),
        ("say: hello\nP 2 D\nundo", "nothing", "hello", ("P 2 D", "undo")),
        ("say: I take\nP 2 D\nsoon", "nothing", "I take P 2 D soon", ("P 2 D",)),
        ("say:\nP 2 D", "nothing", None, ("P 2 D",)),
        ("say: one\n\nP 2 D\n\nsay: two", "nothing", "one\ntwo", ("P 2 D",)),
        ("P 1 D\nsay: or rather\nP 2 D", "P 1 D", "or rather", ("P 2 D",)),
        ("say: P 2 D", "nothing", "P 2 D", ()),
    ],
)
def test_a_move_stands_above_what_is_said(text: str, plays: str, says: str | None, late: tuple[str, ...]) -> None:
    found = read_reply(RULES, text)
    assert (command(found), found.said, found.late) == (plays, says, late)


@given(above=LINES.map(lambda lines: [line for line in lines if not line.startswith("say")]), below=LINES)
def test_nothing_that_stands_below_the_beginning_of_a_remark_is_carried_out(above: list[str], below: list[str]) -> None:
    only, both = (read_reply(RULES, "\n".join(lines)) for lines in (above, [*above, "say: well", *below]))
    assert (both.command, both.found) == (only.command, only.found)


@given(words=WORDS, width=st.integers(6, 40), flowed=st.booleans())
def test_a_remark_plays_nothing_wherever_a_mail_program_breaks_it(words: list[str], width: int, flowed: bool) -> None:
    said = " ".join(["say: so", *words])
    broken = (" \n" if flowed else "\n").join(wrap(said, width))
    kind = "text/plain; format=flowed" if flowed else "text/plain"
    found = read_reply(RULES, written(f"Content-Type: {kind}\n\nP 2 D\n\n{broken}\n".encode()).text)
    assert command(found) == "P 2 D"
    if flowed:
        assert found.said == said.removeprefix("say: ")


def hostile_mails() -> Iterator[bytes]:
    """Yield mails of up to 12 MB, one after the other: together they take much room."""
    yield b"Content-Type: multipart/mixed; boundary=a\n\n--a\n" * 4000
    yield b"From: " + b"(" * 200_000 + b"\n\nx"
    yield b"Authentication-Results: " + b"(" * 100_000 + b")" * 100_000 + b"\n\nx"
    yield b"Subject: " + b"=?utf-8?q?a?= " * 10_000 + b"\n\nx"
    yield b"Content-Type: text/html\n\n" + b"<table><tr><td>" * 17_000
    yield b"Content-Type: text/html\n\n" + b"<table><tr><td>a</td></tr></table>" * 7000
    yield b"Content-Type: text/html\n\n" + b"<blockquote>" * 20_000
    yield b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 80_000
    yield b"Content-Type: text/plain\n\n" + b"P 2 D\n" * 40_000
    yield b"Content-Type: text/plain\n\n" + b"from " * 50_000
    yield b"Content-Type: text/plain; charset=punycode\n\n" + b"a" * 200_000
    yield b"Content-Type: text/html\n\n" + b"<style><!--" * 20_000
    yield b"Content-Type: text/html\n\n" + b"<p style='" + b"text-decoration:" * 10_000 + b"'>x"
    yield b"Content-Type: text/html\n\n" + b"<s>" * 20_000
    yield b"Authentication-Results: mx.example.org; " + b"dmarc=none smtp.mailfrom=a@" * 10_000 + b"\n\nx"
    yield b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n" * 2_500_000
    yield b"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: image/png\n\n" + b"iVBOR\n" * 1_500_000
    yield b"Content-Type: multipart/mixed; boundary=" + b"a" * 30_000 + b"\n\n" + b"--aaaaaaaaaaaaaaaaaaa\n" * 400_000
    yield (
        b"Content-Type: multipart/mixed; boundary=a\n\n"
        + b"".join(b"--a\nContent-Type: multipart/mixed; boundary=a%d\n\n" % each for each in range(100_000))
    )
    yield b"X: y\n" * 2_000_000


def test_a_hostile_mail_takes_neither_time_nor_room(subtests: pytest.Subtests) -> None:
    for number, raw in enumerate(hostile_mails()):
        with subtests.test(number=number):
            before = process_time()
            with room_taken() as taken:
                understood(raw)
            assert process_time() - before < 3
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


def test_room_that_is_taken_is_seen() -> None:
    with room_taken() as taken:
        much = b"x" * 1024 * MOST_ROOM
    assert taken() > MOST_ROOM * 0.9 and much


def understood(raw: bytes) -> None:
    mail = read_headers(raw)
    assert writer(mail, "somebody@example.org", "boardroom@example.org", ()) in get_args(Writer)
    assert belief(mail, "nobody@example.org", "mx.example.org", own=False) != "believed"
    kept = without_attachments(raw)
    assert len(kept) <= MAX_MAIL_BYTES
    text = written(kept).text
    for ruleset in GAMES.values():
        found = read_reply(ruleset, text)
        assert found.command is None or len(found.found) == 1
