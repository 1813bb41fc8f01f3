"""Machines whose clocks are 50 seconds behind or ahead: no moment of a log falls, and no seat's time lapses early."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import UUID

import pytest

from service.log.codec import action_json
from service.log.recorded import Recorded, milliseconds
from service.rules.pace import Pace
from service.rules.shared_events import TimeLapsed
from service.runtime import Runtime
from service.store import events
from service.store.games import Position
from service.store.heartbeats import clocks, database_now
from tests.builders import first_legal, now_at, paced, started
from tests.chaos.faketime import LIBRARIES
from tests.people import Person, alice, bob
from tests.ports import free_port
from tests.workers import solo
from tests.workers.parts import Start

PACE = Pace(free=6, bank=0, credit=0, cap=0)
ROUNDS = 16
NEAR = timedelta(seconds=2)


def wrong(offset: str) -> dict[str, str]:
    """Return the environment of a process on a machine whose clock is so far off."""
    return {
        "LD_PRELOAD": str(LIBRARIES[0]),
        "FAKETIME": offset,
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "PYTHONPATH": str(Path(__file__).parents[1] / "chaos" / "faked"),
    }


@dataclass(frozen=True, slots=True)
class Server:
    """A web server, which a person's program talks to."""

    port: int

    def call(self, path: str, person: Person | None = None, body: Any = None) -> Any:
        """Return the answer to a GET, or with a body to a POST; None if it comes too late."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        if person is not None:
            headers["Authorization"] = f"Bearer {person.token}"
        try:
            with urlopen(Request(f"http://127.0.0.1:{self.port}{path}", data, headers), timeout=30) as answer:
                return json.load(answer)
        except HTTPError as refusal:
            if refusal.code != 409:
                raise
            return None

    def answers(self) -> bool:
        """Return whether it is ready."""
        try:
            return bool(self.call("/readyz"))
        except OSError:
            return False


def right_now(runtime: Runtime) -> datetime:
    with runtime.engine.connect() as db:
        return database_now(db)


def log(runtime: Runtime, game: UUID, after: int = 0) -> list[Recorded]:
    position = now_at(runtime.games, game)
    with runtime.engine.connect() as db:
        return events.read(db, position.codec, game, after)


def act(runtime: Runtime, server: Server, position: Position, people: Sequence[Person]) -> None:
    """Let one of those whose move it is play the first legal action, which then has the moment that it is."""
    seat, game = min(position.awaited), position.game.id
    body = {"decision": position.decision, "action": action_json(first_legal(position, seat))}
    before = right_now(runtime)
    if server.call(f"/api/v1/games/{game}/actions", people[seat], body) is None:
        return
    made = next(each for each in log(runtime, game, position.version) if each.door == "api" and each.action)
    assert before - NEAR < made.at < right_now(runtime) + NEAR


def lapses(runtime: Runtime, game: UUID) -> list[tuple[Recorded, datetime]]:
    """Return the lapses of a game, each with the latest moment at which its wait can have begun."""
    found = log(runtime, game)
    return [
        (each, max(before.at for before in found if before.seq < each.seq and before.decision < each.decision))
        for each in found
        if isinstance(each.event, TimeLapsed)
    ]


def told(runtime: Runtime) -> dict[str, str]:
    """Return by how much the clock of each part is off, by its heartbeats."""
    with runtime.engine.connect() as db:
        return {each.part: f"{round(each.ahead):+d}s" for each in clocks(db)}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or not LIBRARIES, reason="libfaketime is not here")
@pytest.mark.parametrize(("one", "other"), [("-50s", "+0s"), ("+50s", "+0s"), ("-50s", "+50s"), ("+50s", "-50s")])
def test_no_moment_falls_and_no_time_lapses_early_where_web_worker_and_relay_disagree_about_the_time(
    runtime: Runtime, start: Start, one: str, other: str
) -> None:
    games, servers = runtime.games, [Server(free_port()), Server(free_port())]
    for server, offset in zip(servers, (one, other), strict=True):
        start("service.serve", WEB_PROCESSES="1", PORT=str(server.port), PART=f"web{offset}", **wrong(offset))
    start("workers.main moves", PART="worker", **wrong(one))
    start("workers.relay", PART="relay", **wrong(other))
    for server in servers:
        solo.eventually(server.answers)

    people = [alice(games, None), bob(games, None)]
    tables = [(paced(games, PACE, solo.RULESET, people), people), (started(games, solo.RULESET, people[:1]), people)]
    for server, _ in zip(cycle(servers), range(ROUNDS), strict=False):
        for table, seated in tables:
            position = now_at(games, table.game.id)
            if position.awaited:
                act(runtime, server, position, seated)
    # Nobody moves any more: one wait after the other ends by a lapse.
    solo.eventually(lambda: len(lapses(runtime, tables[0][0].game.id)) > 2)

    for table, _ in tables:
        found = [each.at for each in log(runtime, table.game.id)]
        assert found == sorted(found) and found[-1] < right_now(runtime) + NEAR
    for lapse, asked in lapses(runtime, tables[0][0].game.id):
        assert milliseconds(lapse.at) >= lapse.event.deadline
        assert lapse.at - asked >= timedelta(seconds=PACE.free)
    expected = {f"web{one}": one, f"web{other}": other, "worker": one, "relay-moves": other}
    solo.eventually(lambda: expected.items() <= told(runtime).items())
    for server, offset in zip(servers, (one, other), strict=True):
        assert round(server.call("/readyz").get("clock_ahead_seconds", 0)) == int(offset[:-1])
