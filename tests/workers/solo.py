"""Solo games, in which the automaton owes a move every now and then, and ways to look at what became of it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from random import Random
from time import monotonic, sleep
from uuid import UUID

from sqlalchemy import text

from service.log.recorded import Recorded
from service.runtime import Runtime
from service.store import events
from service.store.games import Games, Position
from service.store.outbox import MAX_ATTEMPTS
from tests.builders import act, now_at, started
from tests.people import alice

RULESET = "new-corp-order"
PATIENCE = 300
"""Seconds after which what has not come about never will, however much else the machine has to do."""


def solo(games: Games) -> Position:
    """Return a solo game of Alice's, without mails."""
    return started(games, RULESET, [alice(games, email=None)])


def owed(games: Games) -> Position:
    """Return a solo game in which the automaton owes its first move."""
    return until_owed(games, solo(games), Random(1))


def until_owed(games: Games, position: Position, random: Random) -> Position:
    """Let Alice play until the automaton owes a move or the game is over."""
    while position.game.status == "running" and not owes(position):
        position = act(games, position, 0, random.choice(position.ruleset.legal(position.state, 0))).position
    return position


def owes(position: Position) -> bool:
    """Tell whether the automaton owes a move."""
    return position.ruleset.automaton(position.state) is not None


def row_of(runtime: Runtime, game: UUID) -> int:
    """Return the id of the newest automaton row of the game."""
    with runtime.engine.connect() as db:
        found = text("select max(id) from outbox where game_id = :game and kind = 'automaton'")
        row_id: int = db.execute(found, {"game": game}).scalar_one()
        return row_id


def state_of(runtime: Runtime, row_id: int) -> tuple[str, int]:
    """Return a row's state and how often it was attempted."""
    with runtime.engine.connect() as db:
        row = db.execute(text("select state, attempts from outbox where id = :id"), {"id": row_id}).one()
        return row.state, row.attempts


def hurry(runtime: Runtime) -> None:
    """Let the time pass after which rows handed out come back."""
    with runtime.engine.begin() as db:
        db.execute(text("update outbox set not_before = now() where state = 'pending'"))


def tire(runtime: Runtime, row_id: int) -> None:
    """Let a row have one attempt left."""
    with runtime.engine.begin() as db:
        db.execute(text("update outbox set attempts = :n where id = :id"), {"n": MAX_ATTEMPTS - 1, "id": row_id})


def automaton_moves(games: Games, game: UUID) -> list[list[Recorded]]:
    """Return the automaton's moves, each as the events that it caused."""
    position = now_at(games, game)
    with games.engine.connect() as db:
        made = [each for each in events.read(db, position.codec, game) if each.door == "worker"]
    return [list(move) for _, move in groupby(made, lambda each: each.decision)]


def assert_moved_once_per_debt(games: Games, game: UUID, debts: int) -> None:
    """Check that the automaton answered each of its debts, each exactly once, and that the log is whole."""
    moves = automaton_moves(games, game)
    assert len(moves) == debts
    for move in moves:
        assert [each.action is not None for each in move] == [True] + [False] * (len(move) - 1)
        assert [each.seq for each in move] == list(range(move[0].seq, move[0].seq + len(move)))
    position = now_at(games, game)
    with games.engine.connect() as db:
        assert games.at_version(db, position, position.version).state == position.state


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until it holds; fail if it does not in time."""
    deadline, pause = monotonic() + PATIENCE, 0.01
    while not holds():
        assert monotonic() < deadline, "it does not come about"
        sleep(pause)
        # Looking takes its time, too: a process that is still starting need not share the machine with it.
        pause = min(2 * pause, 0.1)
