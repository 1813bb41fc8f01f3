"""`boardroom up` goes on when its processes end or hang, and ends when it should, whoever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from threading import Event, Thread

import pytest
from psutil import CONN_LISTEN, Process
from sqlalchemy import text

from service.local.environment import read_environment
from service.local.servers import redis_program
from service.local.supervisor import wait_until
from service.local.up import QUEUES
from service.store.engine import build_engine
from service.store.heartbeats import IDLE
from tests.local.going_up import PARTS, PATIENCE, Start, Up, answers, children_of, start
from tests.ports import free_port

__all__ = ["start"]


BEATS = "select part, pid, parent from heartbeat"
FORKS = len(QUEUES) + 1


@pytest.mark.slow
def test_a_killed_start_does_not_block_the_next_one_on_the_same_port(start: Start) -> None:
    killed = start().open()
    token = killed.ask("/api/v1/players", {"name": "Bob"})["token"]

    killed.process.kill()
    killed.process.wait()

    again = start(port=killed.port).open()
    assert again.ask("/api/v1/me", token=token)["name"] == "Bob"


@pytest.mark.slow
def test_a_part_that_is_killed_is_started_again(start: Start) -> None:
    up = start().open()
    before = up.children()

    for part in PARTS:
        os.kill(before[part], signal.SIGKILL)

    assert wait_until(lambda: replaced(up, before, PARTS), PATIENCE), up.said
    assert wait_until(lambda: answers(up), PATIENCE), up.said
    assert "started again" in up.said


def forks_of(up: Up) -> set[int]:
    """The process of relay, courier and inbox, and those that work on the queues."""
    return {*children_of(up.children()["parts"])}


@pytest.mark.slow
@pytest.mark.skipif(redis_program() is None, reason="without Redis there are no workers, and one process for all parts")
def test_a_part_that_is_killed_is_started_again_by_their_main_process(start: Start) -> None:
    up = start().open()
    main = up.children()["parts"]
    assert wait_until(lambda: len(forks_of(up)) == FORKS, PATIENCE)
    before = forks_of(up)
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: len(forks_of(up) - before) == FORKS, PATIENCE), up.said
    assert up.children()["parts"] == main
    os.kill(main, signal.SIGKILL)
    assert wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in before), PATIENCE)
    assert wait_until(lambda: up.children().get("parts", main) != main and len(forks_of(up)) == FORKS, PATIENCE)


def replaced(up: Up, before: dict[str, int], names: Iterable[str]) -> bool:
    now = up.children()
    return all(now.get(name, before[name]) != before[name] for name in names)


def takes_connections(up: Up, name: str) -> bool:
    """Return whether the process of a web server listens."""
    found = children_of(up.children()[name])
    return any(each.status == CONN_LISTEN for pid in found for each in Process(pid).net_connections("tcp"))


@pytest.mark.slow
def test_both_web_servers_killed_at_once_refuse_nobody(start: Start) -> None:
    up = start(RATE_LIMITS="off").open()
    assert wait_until(lambda: takes_connections(up, "web-1") and takes_connections(up, "web-2"), PATIENCE), up.said
    before = up.children()
    # given that nobody serves, neither the servers nor their processes
    for name in ("web-1", "web-2"):
        for pid in (before[name], *children_of(before[name])):
            os.kill(pid, signal.SIGKILL)
    # when somebody asks meanwhile
    with urllib.request.urlopen(f"http://127.0.0.1:{up.port}/livez", timeout=PATIENCE) as answer:
        # then the question waits for its answer
        assert answer.status == 200
    assert wait_until(lambda: replaced(up, before, ("web-1", "web-2")), PATIENCE), up.said


@pytest.mark.slow
def test_a_killed_web_process_costs_no_more_than_the_requests_that_it_held(start: Start) -> None:
    up = start(RATE_LIMITS="off").open()
    # One of them is enough for the start, and the first to be killed.
    assert wait_until(lambda: takes_connections(up, "web-1") and takes_connections(up, "web-2"), PATIENCE), up.said
    over, done, failed = Event(), [0] * 16, list[Exception]()

    def ask(number: int) -> None:
        while not over.is_set():
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{up.port}/api/v1/rulesets", timeout=PATIENCE) as answer:
                    answer.read()
                done[number] += 1
            # It may be killed between the head and the body of an answer, too.
            except (OSError, HTTPException) as error:
                failed.append(error)

    def all_go_on() -> None:
        """Wait until each client has been answered again, and often."""
        least = [each + 5 for each in done]
        assert wait_until(lambda: all(now >= wanted for now, wanted in zip(done, least, strict=True)), PATIENCE)

    clients = [Thread(target=ask, args=(number,)) for number in range(len(done))]
    for client in clients:
        client.start()
    try:
        for round_ in range(4):
            all_go_on()
            name = f"web-{round_ % 2 + 1}"
            (process,) = children_of(up.children()[name])
            began = begun(up, name)
            failed.clear()
            os.kill(process, signal.SIGKILL)
            all_go_on()
            assert wait_until(lambda: heard_of(up, up.children().get(name, 0)), PATIENCE), up.said  # noqa: B023
            assert wait_until(lambda: begun(up, name) > began, PATIENCE), up.said  # noqa: B023
            # It says that it lives before it takes connections, and the next one to be killed is the only other one.
            assert wait_until(lambda: takes_connections(up, name), PATIENCE), up.said  # noqa: B023
            # Who was cut off and comes again at once may still find the same process while it is taken apart.
            assert len(failed) <= 2 * len(clients), failed
            assert not [each for each in failed if isinstance(reason(each), ConnectionRefusedError)], failed
    finally:
        over.set()
        for client in clients:
            client.join()


def reason(error: Exception) -> object:
    return getattr(error, "reason", error)


def heard_of(up: Up, main: int) -> bool:
    """Return whether every current process of the web server has sent a heartbeat."""
    said = {pid for _, pid, parent in beats(up) if parent == main}
    return bool(children_of(main)) and {*children_of(main)} <= said


def begun(up: Up, name: str) -> int:
    """Count how often a process of the web server has said that it takes requests."""
    log = up.log.with_suffix("") / "logs" / f"{name}.log"
    return log.read_text(encoding="utf-8").count("Started worker-")


def beats(up: Up) -> list[tuple[str, int, int]]:
    """The part, the process and its parent of each heartbeat so far."""
    running = read_environment(up.log.with_suffix(""))
    assert running is not None
    engine = build_engine(running["DATABASE_URL"])
    try:
        with engine.connect() as db:
            return [(part, pid, parent) for part, pid, parent in db.execute(text(BEATS))]
    finally:
        engine.dispose()


@pytest.mark.slow
@pytest.mark.skipif(redis_program() is None, reason="there is no Redis to be killed")
def test_killed_servers_are_started_again_and_the_parts_play_on_without_being_so(start: Start) -> None:
    up = start().open()
    before = up.children()
    servers = [name for name in before if name == "postgres" or "server" in name]
    assert len(servers) == 2

    for _ in range(2):
        latest = up.children()
        for name in servers:
            os.kill(latest[name], signal.SIGKILL)
        assert wait_until(lambda: replaced(up, latest, servers), PATIENCE), up.said  # noqa: B023
        assert wait_until(lambda: answers(up), PATIENCE), up.said

    token = up.ask("/api/v1/players", {"name": "Alice"})["token"]
    game = up.ask("/api/v1/games", {"ruleset": "new-corp-order", "seats": 1}, token)["id"]
    assert up.ask(f"/api/v1/games/{game}", token=token)["id"] == game
    now = up.children()
    assert {name: pid for name, pid in now.items() if name not in servers} == {
        name: pid for name, pid in before.items() if name not in servers
    }
    assert not zombies_of(up.process.pid)


def zombies_of(parent: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, above = status.read_text().rsplit(")", 1)[1].split()[:2]
            if int(above) == parent and state == "Z":
                found.append(int(status.parent.name))
    return found


@pytest.mark.slow
def test_parts_that_hang_are_ended_and_started_again(start: Start) -> None:
    up = start().open()
    before = up.children()
    main = before["web-1"]
    assert wait_until(lambda: heard_of(up, main), PATIENCE)
    (process,) = children_of(main)
    # The others may be at their first job, which has more time.
    with_redis = redis_program() is not None
    stopped = {"courier", "worker-moves"} if with_redis else {"courier"}
    assert wait_until(lambda: stopped <= {part for part, _, _ in beats(up)}, PATIENCE)
    hanging = {pid for part, pid, _ in beats(up) if part in stopped}
    assert len(hanging) == len(stopped)

    for pid in (process, *hanging):
        os.kill(pid, signal.SIGSTOP)

    if with_redis:
        assert wait_until(lambda: len(forks_of(up) - hanging) == FORKS, PATIENCE), up.said
    else:
        assert wait_until(lambda: replaced(up, before, {"parts"}), PATIENCE), up.said
    assert wait_until(lambda: process not in children_of(main) and heard_of(up, main), PATIENCE), up.said
    assert up.said.count(" hangs (process ") == 1 + len(hanging)
    assert up.children()["web-1"] == main
    assert (up.children()["parts"] == before["parts"]) == with_redis


@pytest.mark.slow
def test_a_web_server_whose_main_process_is_stopped_is_ended_and_started_again(start: Start) -> None:
    up = start().open()
    before = up.children()
    main = before["web-1"]
    assert wait_until(lambda: heard_of(up, main), PATIENCE)

    os.kill(main, signal.SIGSTOP)

    assert wait_until(lambda: replaced(up, before, ["web-1"]), PATIENCE), up.said
    assert wait_until(lambda: heard_of(up, up.children()["web-1"]), PATIENCE), up.said
    assert f"Process {main} was stopped" in up.said
    now = up.children()
    assert {name for name, pid in now.items() if before[name] != pid} == {"web-1"}


@pytest.mark.slow
def test_while_the_database_hangs_nobody_is_judged_and_afterwards_all_get_time(start: Start) -> None:
    up = start().open()
    before = up.children()
    database = [before["postgres"], *children_of(before["postgres"])]
    for pid in database:
        os.kill(pid, signal.SIGSTOP)
    hung = time.monotonic()
    # As long as it takes until all of them would be late.
    assert not wait_until(lambda: "hangs" in up.said, IDLE + 5), time.monotonic() - hung
    for pid in database:
        os.kill(pid, signal.SIGCONT)
    assert wait_until(lambda: answers(up), PATIENCE)
    assert wait_until(lambda: heard_of(up, before["web-1"]), PATIENCE)
    assert "hangs" not in up.said
    assert up.children() == before


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_make_is_the_end_of_all(scratch: Path, number: signal.Signals) -> None:
    data, out = scratch / "data", scratch / "out"
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    with out.open("wb") as said:
        make = subprocess.Popen(
            ["make", "up", f"DATA={data}"], stdout=said, env={**environment, "PORT": str(free_port())}
        )
    assert wait_until(lambda: "Ctrl-C stops" in out.read_text(), PATIENCE), out.read_text()
    (supervisor,) = children_of(make.pid)
    everybody = [supervisor, *children_of(supervisor)]
    assert len(everybody) > len(PARTS)

    make.send_signal(number)
    make.wait(PATIENCE)

    assert wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in everybody), PATIENCE)
    assert "Stopped." in out.read_text()


@pytest.mark.slow
def test_a_web_server_that_ends_while_it_starts_is_started_again(start: Start) -> None:
    up = start()
    assert wait_until(lambda: {"web-1", "web-2"} <= up.children().keys(), PATIENCE), up.said
    for name in ("web-1", "web-2"):
        os.kill(up.children()[name], signal.SIGKILL)
    assert answers(up.open())
    assert "The web server 1 ended (exit -9) and is started again" in up.said
