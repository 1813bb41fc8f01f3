"""A whole game of New Corp Order by nothing but answers to mails, in three languages."""

from __future__ import annotations

import re
from itertools import cycle
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from sqlalchemy import text

from service.runtime import Runtime
from tests.builders import now_at, started
from tests.letters import Letter
from tests.people import alice, bob, carol
from tests.replying import delivered, outcomes, post, reply
from tests.workers.solo import hurry
from workers.inbox import Inbox

NOTATION = re.compile(r"^  ([A-Z0-9@][^=\n]*?) = ", re.MULTILINE)


def due(runtime: Runtime, mailbox: Path, game: UUID) -> dict[str, list[Letter]]:
    """Return the mails that come; if there are none, those after the time in which one plays on without being asked."""
    found = delivered(runtime, mailbox, game)
    if not found:
        hurry(runtime)
        found = delivered(runtime, mailbox, game)
    return found


@pytest.mark.slow
def test_three_people_play_new_corp_order_to_its_end_through_smtp_and_lmtp(runtime: Runtime, mailbox: Path) -> None:
    games, chance = runtime.games, Random(5)
    people = [alice(games), bob(games), carol(games)]
    game = started(games, "new-corp-order", people).game.id
    languages: set[str] = set()
    asked = receipts = 0
    with Inbox(runtime, "smtp://127.0.0.1:0") as smtp, Inbox(runtime, "lmtp://127.0.0.1:0") as lmtp:
        doors = cycle((smtp.url, lmtp.url))
        while mails := due(runtime, mailbox, game):
            for letter in (mail for each in mails.values() for mail in each):
                languages.add(letter.message["Content-Language"])
                receipts += letter.message["Auto-Submitted"] == "auto-replied" and b"image/png" in letter.raw
                if moves := NOTATION.findall(letter.text):
                    post(next(doors), reply(letter, f"{chance.choice(moves)}\n\n> {letter.text}"))
                    asked += 1
    assert now_at(games, game).game.status == "finished"
    assert outcomes(runtime, game) == ["played"] * asked and receipts == asked > 40
    assert languages == {"en", "de", "fr"}
    with runtime.engine.connect() as db:
        through = "select distinct door from event where game_id = :game and action is not null"
        assert set(db.execute(text(through), {"game": game}).scalars()) == {"reply"}
