"""Time the moves of ODS while the mail server hangs, and without; relay and workers are processes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from threading import Event
from time import perf_counter, sleep
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import text

from service.commands.selfplay import draw
from service.handlers import lobby, people
from service.handlers.lobby import Plan
from service.handlers.people import Arrival
from service.handlers.play import Move, play
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from tests.bench.figures import figure, percentile
from tests.bench.http import bench_servers
from tests.bench.post import Postman, begun, owe, process, settings_of
from workers.queue import QUEUES

MAILS = 20
MOVES, ROUNDS = 40, 2
REST = 0.25
"""Seconds between two moves: a round lasts longer than a mailer waits for a server."""
POLL = 0.002
PATIENCE = 60.0


class Hanging(Postman):
    """A mail sink that says nothing to a recipient while it hangs."""

    def __init__(self, *place: Any) -> None:
        super().__init__(*place)
        self.well = Event()
        self.well.set()
        self.asked = Event()

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient, as soon as all is well; called by the server."""
        self.asked.set()
        while not self.well.is_set():
            await asyncio.sleep(POLL)
        envelope.rcpt_tos.append(address)
        return "250 OK"


def main() -> None:
    """Print how many times as long ODS takes for a move while the mail server hangs."""
    with bench_servers() as servers, Hanging(servers.folder / "mailbox") as server, ExitStack() as stack:
        settings = settings_of(servers, server)
        runtime = Runtime.build(settings)
        for module in ("workers.relay", *(f"workers.main {queue}" for queue in QUEUES)):
            stack.enter_context(process(servers, settings, module))
        games, rng = runtime.games, Random("bench:hanging")
        backlog = [begun(games, Random(f"bench:hanging:{each}")) for each in range(MAILS)]
        moves = _moves(games, rng)
        next(moves)
        calm, hanging = [], []
        for _ in range(ROUNDS):
            calm += [next(moves) for _ in range(MOVES)]
            hanging += _while_it_hangs(runtime, server, backlog, moves)
        runtime.engine.dispose()
    _print(calm, hanging)


def _print(calm: list[float], hanging: list[float]) -> None:
    (calm_p50, calm_p95), (p50, p95) = ([percentile(each, share) for share in (0.5, 0.95)] for each in (calm, hanging))
    more = {"p50": p50, "p95": p95, "calm_p50": calm_p50, "calm_p95": calm_p95, "ratio_p50": p50 / calm_p50}
    unit = "times as long as with a mail server that answers, at the 95th percentile"
    figure("ods_latency_ms", p95 / calm_p95, unit, 1.5, 1.1, moves=len(hanging), mails=MAILS, **more)


def _while_it_hangs(runtime: Runtime, server: Hanging, backlog: list[Position], moves: Iterator[float]) -> list[float]:
    server.well.clear()
    server.asked.clear()
    owe(runtime, backlog)
    assert server.asked.wait(PATIENCE), "no mail has come"
    taken = [next(moves) for _ in range(MOVES)]
    server.well.set()
    server.next()
    # The others would leave while the next round is measured.
    owe(runtime, [])
    return taken


def _moves(games: Games, rng: Random) -> Iterator[float]:
    """Play solo games, and yield the milliseconds from each action that leaves ODS to move to its move."""
    while True:
        position = _solo(games, rng)
        while position.awaited:
            action = draw(position.ruleset.legal(position.state, 0), rng)
            position = play(games, Move(position.game.id, 0, position.decision, action, "api")).position
            if position.ruleset.automaton(position.state) is not None:
                begun = perf_counter()
                _expect_move(games, position)
                yield (perf_counter() - begun) * 1000
                sleep(REST)
                with games.engine.connect() as db:
                    position = games.open(db, position.game.id)


def _expect_move(games: Games, position: Position) -> None:
    deadline = perf_counter() + PATIENCE
    with games.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        while db.execute(_VERSION, {"game": position.game.id}).scalar_one() == position.version:
            assert perf_counter() < deadline, "ODS does not move"
            sleep(POLL)


_VERSION = text("select version from game where id = :game")


def _solo(games: Games, rng: Random) -> Position:
    now = clock.now()
    host, _ = people.register_player(games, Arrival("en", "Alice"), now)
    game = lobby.create(games, host, Plan("new-corp-order", 1), now).game.id
    return lobby.start(games, game, host, now)


if __name__ == "__main__":
    main()
