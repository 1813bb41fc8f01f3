"""Replies that take more to read than a mail may: they are answered, and cost nobody else anything."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from time import process_time
from uuid import UUID

import pytest

from service.runtime import Runtime
from service.shared import limited_process
from tests.letters import Letter
from tests.replying import answers, delivered, outcomes, reply, take

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
    assert "could not be read" in str(alices.message["Subject"]) + alices.text
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
