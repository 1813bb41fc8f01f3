"""Many mails at once leave quickly, pictures of the table and all."""

from __future__ import annotations

from pathlib import Path
from random import Random
from statistics import quantiles
from time import process_time

import pytest
from sqlalchemy import text

from service.runtime import Runtime
from service.store import notices, outbox
from tests.builders import act, started
from tests.people import alice, bob
from workers.jobs import carry_out

TABLES, EACH = 10, 6
MOST_SECONDS, SLOWEST = 60 / 200, 0.4
"""For a mail on the average of 200 a minute, and for all but one in twenty; of this process, the mail server in it."""


@pytest.mark.slow
def test_two_hundred_mails_a_minute_leave_through_one_worker(runtime: Runtime, mailbox: Path) -> None:
    games, chance = runtime.games, Random(8)
    people = [alice(games), bob(games)]
    for table in range(TABLES):
        position = started(games, "new-corp-order", people)
        for _ in range(10 + 2 * table):
            seat = min(position.awaited)
            position = act(
                games, position, seat, chance.choice(list(position.ruleset.legal(position.state, seat)))
            ).position
        with games.engine.begin() as db:
            db.execute(text("delete from outbox where game_id = :game"), {"game": position.game.id})
            seat = min(position.awaited)
            again = [notices.turn_mail_again(position.game.id, position.decision, seat, str(n)) for n in range(EACH)]
            outbox.post(db, position.game.id, again)
    with games.engine.connect() as db:
        rows = list(db.execute(text("select id from outbox where state = 'pending' and kind = 'turn-mail'")).scalars())
    Random(9).shuffle(rows)
    taken = []
    for row in rows:
        before = process_time()
        carry_out(runtime, row)
        taken.append(process_time() - before)
    mails = list(mailbox.glob("*.eml"))
    assert len(mails) == TABLES * EACH
    assert all(b"Content-Type: image/png" in path.read_bytes() for path in mails)
    assert sum(taken) / len(taken) < MOST_SECONDS
    assert quantiles(taken, n=20)[-1] < SLOWEST
