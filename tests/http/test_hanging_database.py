"""A PostgreSQL that hangs, as its processes do when they are stopped: who asks is told so soon, and nothing is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

import pytest

from service.local.servers import LocalServers
from service.log.codec import action_json
from service.settings import Settings
from service.store.games import Games
from tests.builders import first_legal, now_at, started
from tests.people import alice, bob
from tests.serving import Reply, web_server

SOON = 8
HANGS = 12
PATIENCE = 60
"""Seconds in which all is as before once the database goes on, however much else the machine has to do."""
AT_ONCE = 40
"""More than there are connections."""


@contextmanager
def stopped(servers: LocalServers) -> Iterator[None]:
    """Stop all processes of PostgreSQL, and let them go on afterwards."""
    assert servers.postgres
    postmaster = int((servers.postgres.data / "postmaster.pid").read_text().split("\n", 1)[0])
    processes = [postmaster, *children(postmaster)]
    send(processes, signal.SIGSTOP)
    try:
        yield
    finally:
        send(processes, signal.SIGCONT)


def send(processes: Sequence[int], number: signal.Signals) -> None:
    for each in processes:
        # The process of a connection may have ended meanwhile.
        with suppress(ProcessLookupError):
            os.kill(each, number)


def children(parent: int) -> list[int]:
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(each) for each in found.split()]


@pytest.mark.slow
def test_a_database_that_hangs_is_refused_soon_and_nothing_is_lost(
    settings: Settings, servers: LocalServers, games: Games, scratch: Path
) -> None:
    with web_server(settings, scratch) as server:
        # Given a game, connections that are in use, and others that have yet to be made
        people = [alice(games), bob(games)]
        position = started(games, "new-corp-order", people)
        seat = min(position.ruleset.to_act(position.state))
        action = {"decision": position.decision, "action": action_json(first_legal(position, seat))}
        by_seat = {"Authorization": f"Bearer {people[seat].token}"}
        path = f"/api/v1/games/{position.game.id}"
        assert server.ask(path, headers=by_seat).status == 200

        def act() -> Reply:
            return server.ask(f"{path}/actions", action, {**by_seat, "Idempotency-Key": "in-the-hang"})

        # When the database hangs, and many ask for games and pages, and somebody acts, all the time
        waited: list[Reply] = []
        with stopped(servers), ThreadPoolExecutor(AT_ONCE + 1) as pool:
            until, first = monotonic() + HANGS, pool.submit(act)
            while monotonic() < until:
                asked = [pool.submit(server.ask, path, None, by_seat) for _ in range(AT_ONCE)]
                asked += [pool.submit(server.ask, f"/games/{position.game.id}") for _ in range(2)]
                waited += [each.result() for each in asked]
            waited.append(first.result())

        # Then each is refused within seconds, and told to come again
        assert {each.status for each in waited} == {503}
        assert all("retry-after" in each.headers for each in waited)
        assert max(each.seconds for each in waited) < SOON

        # And once it goes on, so does the game, in which the action was played exactly once
        played = served(act)
        assert played.status == 201, played
        events = served(lambda: server.ask(f"{path}/events", headers=by_seat)).json["items"]
        assert [each["seq"] for each in events] == list(range(1, now_at(games, position.game.id).version + 1))
        assert played.json["version"] == events[-1]["seq"]
        assert served(act).headers["idempotency-replayed"] == "true"


def served(ask: Callable[[], Reply]) -> Reply:
    """Return the first answer that is no refusal: each process finds out for itself that the database is back."""
    until = monotonic() + PATIENCE
    while (answer := ask()).status == 503:
        assert monotonic() < until
    return answer
