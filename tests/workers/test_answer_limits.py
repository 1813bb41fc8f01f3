"""Limits on answers to replies of people; what was carried out is confirmed in any case."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from service.inbound.executor import MAX_REMARKS_PER_HOUR
from service.runtime import Runtime
from tests.letters import Letter
from tests.replying import answers, later, outcomes, reply, take

ALICE, CAROL = "alice@example.org", "carol@example.org"


@pytest.mark.slow
def test_words_that_the_game_knows_have_a_larger_limit_of_their_own(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    for _ in range(4):
        take(runtime, reply(mails[ALICE], "castle"))
    hours = []
    for _ in range(6):
        for _ in range(25):
            take(runtime, reply(mails[ALICE], "show"))
        hours.append(len([each for each in answers(runtime, mailbox, game, ALICE) if each.kind == "receipt"]))
        later(runtime, 1)
    assert hours == [20, 20, 20, 0, 0, 0]


def test_what_was_carried_out_is_confirmed_however_often_somebody_was_answered_before(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    kinds = []
    said = ["dis: un", "dis: deux", "dis: trois\nbid 99"]
    for words in (*["Bonjour"] * 4, *said, "muet", "muet", "abandonner oui", "Bonjour"):
        take(runtime, reply(mails[CAROL], words))
        kinds.append([letter.kind for letter in answers(runtime, mailbox, game, CAROL)])
    done = [["receipt"]]
    assert kinds == [*[["problem"]] * 3, [], *done * 2, ["problem"], *done, *done, *done, []]
    assert outcomes(runtime, game)[3:] == [
        "unanswered",
        *["said"] * 3,
        "muted",
        "muted-before",
        "resigned",
        "unanswered",
    ]


def test_remarks_have_a_limit_of_their_own_and_whoever_reaches_it_is_told(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    for number in range(MAX_REMARKS_PER_HOUR + 1):
        take(runtime, reply(mails[ALICE], f"say: {number}"))
    *_, last = answers(runtime, mailbox, game, ALICE)
    assert last.kind == "problem" and "20 remarks by mail within an hour" in " ".join(last.text.split())
    assert outcomes(runtime, game) == [*["said"] * MAX_REMARKS_PER_HOUR, "too-many"]
    with runtime.engine.connect() as db:
        spoken = db.execute(text("select text from talk where game_id = :game"), {"game": game}).scalars().all()
    assert sorted(map(int, spoken)) == list(range(MAX_REMARKS_PER_HOUR))
