"""T-33: moves for later turns by answering mails, and the turn mail that says what was dropped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from service.handlers.play import Move, play
from service.runtime import Runtime
from service.store.games import Position
from tests.builders import now_at
from tests.letters import Letter
from tests.ordering import ALICE, BOB, by_order, corp, order, rows, try_orders, unconditional, waiting
from tests.replying import delivered, outcomes, reply, take

ALICES, BOBS = "alice@example.org", "bob@example.org"
_DUE = text("update outbox set not_before = now() where game_id = :game and state = 'pending'")


@pytest.fixture
def table(runtime: Runtime, mailbox: Path) -> Position:
    """Alice's first turn, of which the mails have gone out."""
    return corp(runtime.games)


def answered(runtime: Runtime, mailbox: Path, table: Position, letter: Letter, words: str) -> Letter:
    """Answer a mail, and return what comes back to its sender."""
    take(runtime, reply(letter, words))
    return delivered(runtime, mailbox, table.game.id)[letter.recipient][0]


def test_t33_a_move_is_played_and_the_lines_after_it_are_noted(
    runtime: Runtime, mailbox: Path, table: Position
) -> None:
    games, mails = runtime.games, delivered(runtime, mailbox, table.game.id)
    receipt = answered(runtime, mailbox, table, mails[ALICES][0], "P 1 2\nthen P D D\nthen P D D")
    assert 'You played "P 1 2"' in receipt.text
    assert "1. P D D:" in receipt.text and "2. P D D:" in receipt.text
    assert waiting(games, table, ALICE) == ["P D D", "P D D"]
    assert outcomes(runtime, table.game.id) == ["played"]
    played = now_at(games, table.game.id)
    assert played.awaited == {BOB}
    play(games, Move(table.game.id, BOB, played.decision, played.ruleset.parse("P D D"), "api"))
    try_orders(runtime, table)
    assert [each.action for each in by_order(games, table.game.id)] == [{"type": "plot", "sources": ["deck", "deck"]}]


def test_t33_a_mail_that_is_carried_out_twice_notes_its_moves_once(
    runtime: Runtime, mailbox: Path, table: Position
) -> None:
    mails = delivered(runtime, mailbox, table.game.id)
    take(runtime, reply(mails[BOBS][0], "dann P D D"))
    first = delivered(runtime, mailbox, table.game.id)[BOBS][0]
    with runtime.engine.begin() as db:
        db.execute(
            text(
                "update outbox set state = 'pending', done_at = null, not_before = now(), attempts = 0, failures = 0"
                " where kind = 'reply' and id = (select max(id) from outbox where kind = 'reply')"
            )
        )
    again = delivered(runtime, mailbox, table.game.id)[BOBS][0]
    assert first.message["Subject"] == again.message["Subject"]
    assert waiting(runtime.games, table, BOB) == ["P D D"]


def test_t33_orders_alone_are_noted_listed_and_cancelled_in_german(
    runtime: Runtime, mailbox: Path, table: Position
) -> None:
    letter = delivered(runtime, mailbox, table.game.id)[BOBS][0]
    noted = answered(runtime, mailbox, table, letter, "dann P D D\ndann P 1 2")
    assert "Deine Züge sind vorgemerkt" in noted.text
    listed = answered(runtime, mailbox, table, letter, "vorgemerkt")
    assert "1. P D D:" in listed.text and "2. P 1 2:" in listed.text
    gone = answered(runtime, mailbox, table, letter, "streichen")
    assert "Es ist kein Zug mehr vorgemerkt." in gone.text
    assert waiting(runtime.games, table, BOB) == []
    none = answered(runtime, mailbox, table, letter, "vorgemerkt")
    assert "Du hast keine Züge vorgemerkt" in none.text
    assert outcomes(runtime, table.game.id) == ["ordered", "orders-shown", "orders-cancelled", "no-orders"]


def test_t33_what_could_never_be_played_is_told_and_nothing_is_noted(
    runtime: Runtime, mailbox: Path, table: Position
) -> None:
    letter = delivered(runtime, mailbox, table.game.id)[ALICES][0]
    receipt = answered(runtime, mailbox, table, letter, "P 1 2\nthen P D D\nthen T A1-C3 1\nthen T B2")
    assert 'You played "P 1 2"' in receipt.text
    assert "C3 is not next to A1" in receipt.text.replace("\n", " ")
    assert '"then T B2"' in receipt.text
    assert waiting(runtime.games, table, ALICE) == []


def test_t33_orders_behind_a_move_that_is_refused_are_not_noted(
    runtime: Runtime, mailbox: Path, table: Position
) -> None:
    letter = delivered(runtime, mailbox, table.game.id)[ALICES][0]
    receipt = answered(runtime, mailbox, table, letter, "T A1-C3 1\nthen P D D")
    assert "the first move of your mail was not played" in receipt.text.replace("\n", " ")
    assert waiting(runtime.games, table, ALICE) == []


def test_t30_the_turn_mail_says_which_orders_were_dropped_and_why(
    runtime: Runtime, mailbox: Path, table: Position
) -> None:
    games = runtime.games
    delivered(runtime, mailbox, table.game.id)
    order(games, table, BOB, unconditional(table, "T A1-B1 3"), "P D D")
    play(games, Move(table.game.id, ALICE, table.decision, table.ruleset.parse("P D D"), "api"))
    # The order waits for its time, and so does the mail.
    assert BOBS not in delivered(runtime, mailbox, table.game.id)
    assert len(rows(runtime, table.game.id)) == 1
    with runtime.engine.begin() as db:
        db.execute(_DUE, {"game": table.game.id})
    (mail,) = delivered(runtime, mailbox, table.game.id)[BOBS]
    told = mail.text.replace("\n", " ")
    assert "Deine vorgemerkten Züge wurden nicht gespielt" in told
    assert "„T A1-B1 3“:" in told
    assert "„P D D“: er kam nach einem Zug, der nicht gespielt wurde." in told.replace("  ", " ")


def test_t30_a_relay_without_redis_plays_an_order_too(runtime: Runtime, mailbox: Path, table: Position) -> None:
    games = runtime.games
    order(games, table, BOB, "P D D")
    play(games, Move(table.game.id, ALICE, table.decision, table.ruleset.parse("P D D"), "api"))
    with runtime.engine.begin() as db:
        db.execute(_DUE, {"game": table.game.id})
    delivered(replace(runtime, redis=None), mailbox, table.game.id)
    assert len(by_order(games, table.game.id)) == 1
