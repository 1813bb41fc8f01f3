"""Replies that take more to read than a mail may: they are answered, and cost nobody else anything."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from time import monotonic, process_time
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers import sign_in
from service.inbound.replies import MAX_UNREADABLE_PER_HOUR
from service.runtime import Runtime
from service.shared import clock, limited_process
from tests.letters import Letter
from tests.people import new_address
from tests.ports import free_port
from tests.replying import answers, delivered, outcomes, post, reply, take
from tests.workers.parts import Start
from tests.workers.solo import eventually

ALICE, BOB = "alice@example.org", "bob@example.org"
WIDE = "<div style='padding-left:9999em'>" * 100 + "x<br>" * 6_000
"""A text of six gigabytes, all but a few kilobytes of it margin."""
NESTED = "<table><tr><td>" * 80 + "x" * 30_000 + "<tr><td>x" * 3_000
SPACES = (" " * 65_000, "\n\t" * 32_000, "<?xml" * 13_000)
"""Pages that made a pattern take the square of their size."""


def page(letter: Letter, source: str, **headers: str) -> EmailMessage:
    message = reply(letter, "", **headers)
    del message["Content-Type"], message["Content-Transfer-Encoding"]
    message.set_content(source, subtype="html", cte="8bit")
    return message


@pytest.mark.parametrize("source", [WIDE, NESTED], ids=["memory", "time"])
def test_a_mail_that_cannot_be_read_within_limits_is_answered_and_the_next_one_is_read(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], source: str
) -> None:
    begun = process_time()
    take(runtime, page(mails[ALICE], source))
    take(runtime, reply(mails[BOB], "show"))
    found = delivered(runtime, mailbox, game)
    (alices,), (bobs,) = found[ALICE], found[BOB]
    assert (alices.kind, bobs.kind) == ("problem", "receipt")
    assert "is not readable" in str(alices.message["Subject"]) + alices.text
    assert outcomes(runtime, game) == ["unreadable", "shown"]
    assert process_time() - begun < 2, "the worker has waited, and not worked"


def test_answers_to_unreadable_mails_are_limited_as_to_those_in_which_nothing_was_read(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    for _ in range(2):
        take(runtime, page(mails[ALICE], NESTED))
    for _ in range(3):
        take(runtime, reply(mails[ALICE], "castle"))
    assert [each.kind for each in answers(runtime, mailbox, game, ALICE)] == ["problem"] * 3
    assert sorted(map(str, outcomes(runtime, game))) == [
        "nothing",
        "unanswered",
        "unanswered",
        "unreadable",
        "unreadable",
    ]


def test_a_player_whose_mails_took_too_long_is_told_so_and_not_read_for_an_hour(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    for _ in range(MAX_UNREADABLE_PER_HOUR):
        take(runtime, page(mails[ALICE], NESTED))
    *_, last = answers(runtime, mailbox, game, ALICE)
    assert "No other mail is read until an hour has passed" in " ".join(last.text.split())
    limited_process.shared.close()
    take(runtime, page(mails[ALICE], NESTED))
    take(runtime, reply(mails[BOB], "show"))
    take(runtime, reply(mails[ALICE], "show"))
    assert [each.kind for each in answers(runtime, mailbox, game, BOB)] == ["receipt"], "others are read as ever"
    assert outcomes(runtime, game) == [*["unreadable"] * 3, "unanswered", "shown", "unanswered"]
    with runtime.engine.begin() as db:
        db.execute(text("update inbound_mail set received_at = received_at - interval '1 hour'"))
    take(runtime, reply(mails[ALICE], "show"))
    assert [each.kind for each in answers(runtime, mailbox, game, ALICE)] == ["receipt"]


@pytest.mark.parametrize("own", [True, False], ids=["another sender", "no word of our server"])
def test_the_text_of_a_mail_that_is_not_its_players_is_not_read(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], own: bool
) -> None:
    limited_process.shared.close()
    sender = "mallory@example.org" if own else ALICE
    for source in SPACES:
        take(runtime, page(mails[ALICE], source, From=sender), own)
    assert [each.kind for each in answers(runtime, mailbox, game, ALICE)] == ["problem"] * 3
    assert outcomes(runtime, game) == ["not-believed"] * 3 and limited_process.shared.pid is None


def test_an_unbelieved_note_of_absence_is_not_answered(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    take(runtime, reply(mails[ALICE], "show", From="mallory@example.org", Subject="Away"))
    assert not answers(runtime, mailbox, game, ALICE) and outcomes(runtime, game) == ["automatic"]


def test_pages_of_white_space_are_read_at_once(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    for source in SPACES:
        take(runtime, page(mails[ALICE], source))
    assert [each.kind for each in answers(runtime, mailbox, game, ALICE)] == ["problem"] * 3
    assert outcomes(runtime, game) == ["nothing"] * 3


@pytest.mark.slow
def test_five_pages_of_white_space_hold_up_neither_answers_nor_who_signs_in_and_restart_nothing(
    runtime: Runtime, start: Start, mailbox: Path, game: UUID, mails: dict[str, Letter], tmp_path: Path
) -> None:
    # given all parts at work, each in a process of its own, and how long an answer usually takes
    log, door = tmp_path / "log", f"lmtp://127.0.0.1:{free_port()}"
    start("workers.parts relay courier inbox moves replies mails computers", log, INBOUND_LISTEN=door)
    eventually(lambda: "the inbox listens" in log.read_text() and len(running(runtime)) == 10)
    before = running(runtime)
    usual = max(seconds_to_show(mailbox, door, mails[ALICE]) for _ in range(3))
    # when five such pages come, and with them pages that no limit allows
    for source in (*SPACES, *SPACES[:2]):
        post(door, page(mails[BOB], source))
    # then an answer comes in its time, and so does a mail to sign in with
    begun = monotonic()
    sign_in.ask(runtime.games, new_address(), "Zoe", "en", clock.now())
    assert seconds_to_show(mailbox, door, mails[ALICE]) < 2 * usual + 1
    eventually(lambda: any("/sign-in/" in each.read_text() for each in mailbox.glob("*.eml")))
    assert monotonic() - begun < 2 * usual + 2
    # and each of the others is settled, those that break the limits as well, without a process that has ended
    for source in (WIDE, NESTED):
        post(door, page(mails[BOB], source))
    eventually(lambda: None not in outcomes(runtime, game))
    told = [*["nothing"] * 3, *["shown"] * 4, *["unanswered"] * 2, *["unreadable"] * 2]
    assert sorted(map(str, outcomes(runtime, game))) == told
    assert running(runtime) == before and "is started again" not in log.read_text()
    assert log.read_text().count("a mail cannot be read") == 2


def seconds_to_show(mailbox: Path, door: str, letter: Letter) -> float:
    """Answer a mail with `show`, and return how long it takes until the table comes."""
    known, begun = set(mailbox.glob("*.eml")), monotonic()
    post(door, reply(letter, "show"))
    eventually(lambda: any(answers_to(letter, each) for each in {*mailbox.glob("*.eml")} - known))
    return monotonic() - begun


def answers_to(letter: Letter, file: Path) -> bool:
    head = file.read_bytes().replace(b"\r", b"").partition(b"\n\n")[0]
    return b"auto-replied" in head and letter.recipient.encode() in head


def running(runtime: Runtime) -> set[tuple[str, int]]:
    """The parts that have sent heartbeats, and their processes."""
    with runtime.engine.connect() as db:
        return {(row.part, row.pid) for row in db.execute(text("select part, pid from heartbeat"))}
