"""Measure how quickly mails leave `make up`: web server, relay and the worker of mails are processes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from queue import SimpleQueue
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session
from msgspec.json import encode
from sqlalchemy import text

from service.commands.selfplay import draw
from service.handlers import lobby
from service.handlers.lobby import Plan
from service.handlers.play import Move, play
from service.local.servers import LocalServers, MailSink
from service.local.supervisor import Child, Program
from service.log.codec import action_json
from service.messages.keys import new_key
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store import notices, outbox
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests import people
from tests.bench.figures import figure, percentile
from tests.bench.http import bench_servers, cpu_of, web_server

BACKLOG = 200
TURNS = 3
"""Runs of the backlog; the figures are medians."""
WARM_UP = 4
MOVES = 60
STEPS = (10, 40)
"""After how many actions the mails of the backlog are written: in the middle of a game."""
PATIENCE = 60


class Postman(MailSink):
    """A mail sink that notes when each mail has arrived, and to whom it went."""

    def __init__(self, *place: Any) -> None:
        super().__init__(*place)
        self._arrived: SimpleQueue[tuple[str, float]] = SimpleQueue()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Note a mail; called by the server."""
        answer = await super().handle_DATA(server, session, envelope)
        self._arrived.put((envelope.rcpt_tos[0], perf_counter()))
        return answer

    def next(self) -> tuple[str, float]:
        """Return the recipient of the next mail and when it arrived, in seconds of the performance counter."""
        return self._arrived.get(timeout=PATIENCE)


def main() -> None:
    """Print how long it is from a move to the opponent's mail, and how many mails a minute leave."""
    with bench_servers() as servers, Postman(servers.folder / "mailbox") as postman:
        settings = settings_of(servers, postman)
        runtime = Runtime.build(settings)
        with process(servers, settings, "workers.main mails") as worker, process(servers, settings, "workers.relay"):
            backlog = [begun(runtime.games, Random(f"bench:mail:{each}")) for each in range(BACKLOG)]
            _drain(runtime, postman, backlog[:WARM_UP])
            _print_backlog(runtime, postman, worker, backlog)
            with web_server(servers) as (port, _):
                _print_moves(runtime, postman, port)
        runtime.engine.dispose()


def _print_backlog(runtime: Runtime, postman: Postman, worker: Child, backlog: list[Position]) -> None:
    turns = [_timed(runtime, postman, worker, backlog) for _ in range(TURNS)]
    rates, cpu = ([turn[which] for turn in turns] for which in (0, 1))
    more = {"backlog": len(backlog), "turns": TURNS, "most": max(rates)}
    figure("mails_per_minute", median(rates), "mails/min", 1000, 1300, **more)
    # On a machine that has more to do the rate falls by much, and this by little.
    figure("mail_cpu_ms", median(cpu), "ms", 40, 30, lowest=min(cpu), highest=max(cpu), of="the worker, a mail")


def _timed(runtime: Runtime, postman: Postman, worker: Child, backlog: list[Position]) -> tuple[float, float]:
    """Return how many mails a minute leave, and the worker's CPU time for each in milliseconds."""
    before = cpu_of(worker)
    seconds = _drain(runtime, postman, backlog)
    return len(backlog) / seconds * 60, (cpu_of(worker) - before) / len(backlog) * 1000


def _print_moves(runtime: Runtime, postman: Postman, port: int) -> None:
    taken = list(_moves(runtime, postman, port))
    p50, p95 = (percentile(taken, share) for share in (0.5, 0.95))
    figure("move_to_mail_ms", p95, "ms", 1000, 300, p50=p50, moves=len(taken), of="the 95th percentile")


def settings_of(servers: LocalServers, postman: Postman) -> Settings:
    """Return the settings of a house whose mails go to the postman, all of them at once."""
    return Settings(
        database_url=servers.database_url,
        redis_url=servers.redis_url,
        base_url="http://127.0.0.1:8000",
        host="127.0.0.1",
        port=8000,
        smtp_url=postman.url,
        mail_from="Boardroom <boardroom@example.org>",
        mailbox=postman.mailbox,
        mail_keys=(new_key(),),
        rate_limits=0,
        mail_delay=0,
    )


@contextmanager
def process(servers: LocalServers, settings: Settings, module: str) -> Iterator[Child]:
    """Run a part of the house, such as `workers.main mails`."""
    command = [sys.executable, "-m", *module.split()]
    log, environment = servers.logs / f"{module.replace(' ', '-')}.log", settings.environment()
    child = Child(Program(name=module, command=command, log=log, environment=environment))
    try:
        yield child
    finally:
        child.stop()


def begun(games: Games, rng: Random) -> Position:
    """Return a game for two in its middle, whose players have addresses; what it owes anybody is forgotten."""
    position, _ = _started(games, rng)
    for _ in range(rng.randint(*STEPS)):
        seat = min(position.awaited)
        action = draw(position.ruleset.legal(position.state, seat), rng)
        position = play(games, Move(position.game.id, seat, position.decision, action, "api")).position
    _forget(games)
    return position


def _started(games: Games, rng: Random) -> tuple[Position, list[str]]:
    """Return a game for two at its first decision, and its players' tokens."""
    now, number = clock.now(), rng.getrandbits(64)
    host, guest = (people.register(games, name, f"{name}.{number}@example.org", "en") for name in ("Alice", "Bob"))
    game = lobby.create(games, host.id, Plan("new-corp-order", 2, terms=Terms(access="public")), now).game.id
    lobby.join(games, game, guest.id, now)
    return lobby.start(games, game, host.id, now), [host.token, guest.token]


def _forget(games: Games) -> None:
    with games.engine.begin() as db:
        db.execute(text("delete from outbox"))


def _drain(runtime: Runtime, postman: Postman, backlog: list[Position]) -> float:
    """Owe each game a turn mail at once, and return the seconds until the last one has arrived."""
    start = owe(runtime, backlog)
    return max(postman.next()[1] for _ in backlog) - start


def owe(runtime: Runtime, backlog: list[Position]) -> float:
    """Owe each game a turn mail, and nobody anything else; return since when, in seconds of the performance counter."""
    _forget(runtime.games)
    with runtime.engine.begin() as db:
        for position in backlog:
            notice = notices.turn_mail(position.game.id, position.decision, min(position.awaited))
            outbox.post(db, position.game.id, [notice])
    start = perf_counter()
    runtime.games.wake()
    return start


def _moves(runtime: Runtime, postman: Postman, port: int) -> Iterator[float]:
    """Play over HTTP, and yield the milliseconds from each answer to the mail that it is the other's turn."""
    rng, told = Random("bench:moves"), 0
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    while told < MOVES:
        position, tokens = _started(runtime.games, rng)
        # The mails of the start are no answer to a move.
        for _ in position.seats:
            postman.next()
        while position.awaited and told < MOVES:
            seat = min(position.awaited)
            answered = _post(
                connection, position, tokens[seat], draw(position.ruleset.legal(position.state, seat), rng)
            )
            with runtime.engine.connect() as db:
                position = runtime.games.open(db, position.game.id)
            if position.awaited - {seat}:
                yield (_expect(postman, position) - answered) * 1000
                told += 1
    connection.close()


def _expect(postman: Postman, position: Position) -> float:
    """Return when the mail to whoever is to act arrives; others may arrive before."""
    address = position.seats[min(position.awaited)].email
    while True:
        recipient, arrived = postman.next()
        if recipient == address:
            return arrived


def _post(connection: HTTPConnection, position: Position, token: str, action: Any) -> float:
    """Post an action, and return when it was accepted, in seconds of the performance counter."""
    body = encode({"decision": position.decision, "action": action_json(action)})
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", f"/api/v1/games/{position.game.id}/actions", body, headers)
    answer = connection.getresponse()
    answered, said = perf_counter(), answer.read()
    assert answer.status == 201, said.decode()
    return answered


if __name__ == "__main__":
    main()
