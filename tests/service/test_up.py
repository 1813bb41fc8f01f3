"""`boardroom up` as somebody at a terminal meets it: it starts, survives, stops, and says clearly why it cannot."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import text

from service.local_redis import redis_program
from service.processes import wait_until
from service.running import noted
from service.store.engine import build_engine
from service.store.heartbeats import IDLE

Start = Callable[..., "Up"]
PATIENCE = 60
# Without any Redis there are no workers, and the relay does their work.
WORKERS = {"worker-moves", "worker-replies", "worker-mails"}
PARTS = {"relay", "courier", "web-1", "web-2"} | (WORKERS if redis_program() else set())


class Up:
    """A `boardroom up` under test; `said` is its standard output so far."""

    def __init__(self, data: Path, port: int, environment: dict[str, str]) -> None:
        self.port = port
        self.log = data.with_name(data.name + ".out")
        inherited = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "service.cli", "up", "--data", str(data)],
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
                env={**inherited, "PORT": str(port), **environment},
            )

    @property
    def said(self) -> str:
        return self.log.read_text()

    def open(self) -> Up:
        opened = wait_until(lambda: "Ctrl-C stops" in self.said or self.process.poll() is not None, PATIENCE)
        assert opened, self.said
        assert self.process.poll() is None, self.process.communicate()
        return self

    def refusal(self) -> str:
        """Wait for the end and return the one line on stderr."""
        _, errors = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 1, self.said + errors
        assert errors.count("\n") == 1, errors
        return errors

    def ask(self, path: str, body: dict[str, Any] | None = None, token: str | None = None) -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read())

    def children(self) -> dict[str, int]:
        """The processes started by it that run: the process id by the name of the part, or of the program."""
        found = {}
        for pid in children_of(self.process.pid):
            with suppress(OSError):
                settings = dict(each.partition("=")[::2] for each in read(pid, "environ"))
                program = Path(read(pid, "cmdline")[0].split()[0]).name
                found[settings.get("PART") or program] = pid
        return found


def read(pid: int, name: str) -> list[str]:
    return Path(f"/proc/{pid}/{name}").read_text(errors="replace").split("\0")


def children_of(parent: int) -> list[int]:
    """The processes that were started by another one and run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, above = status.read_text().rsplit(")", 1)[1].split()[:2]
            if int(above) == parent and state != "Z":
                found.append(int(status.parent.name))
    return found


@pytest.fixture
def start(scratch: Path) -> Iterator[Start]:
    started: list[Up] = []

    def start_one(port: int | None = None, data: Path = scratch / "data", **environment: str) -> Up:
        started.append(Up(data, port or free_port(), environment))
        return started[-1]

    yield start_one
    for each in started:
        if each.process.poll() is None:
            each.process.terminate()
        each.process.communicate(timeout=PATIENCE)


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


def test_ctrl_c_stops_everything_in_order_and_the_next_start_finds_the_players_again(start: Start) -> None:
    first = start().open()
    token = first.ask("/api/v1/players", {"name": "Alice"})["token"]
    assert set(first.children()) > PARTS
    second = start(data=first.log.with_suffix(""))
    assert f"in use by process {first.process.pid}" in second.refusal()
    looked = [sys.executable, "-m", "service.cli", "doctor", "--data", str(first.log.with_suffix(""))]
    assert subprocess.run(looked, check=False).returncode == 0

    first.process.send_signal(signal.SIGINT)

    assert first.process.wait(PATIENCE) == 0
    assert first.said.endswith("Stopped.\n")
    assert first.children() == {}
    again = start(port=first.port).open()
    assert again.ask("/api/v1/me", token=token)["name"] == "Alice"


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


def replaced(up: Up, before: dict[str, int], names: Iterable[str]) -> bool:
    now = up.children()
    return all(now.get(name, before[name]) != before[name] for name in names)


@pytest.mark.slow
def test_a_killed_web_process_costs_no_more_than_the_requests_that_it_held(start: Start) -> None:
    up = start(RATE_LIMITS="off").open()
    over, done, failed = Event(), [0] * 16, []

    def ask(number: int) -> None:
        while not over.is_set():
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{up.port}/api/v1/rulesets", timeout=20) as answer:
                    answer.read()
                done[number] += 1
            except OSError as error:
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
            failed.clear()
            os.kill(process, signal.SIGKILL)
            all_go_on()
            assert wait_until(lambda: heard_of(up, up.children().get(name, 0)), 20), up.said  # noqa: B023
            # Who was cut off and comes again at once may still find the same process while it is taken apart.
            assert len(failed) <= 2 * len(clients), failed
            assert not [each for each in failed if isinstance(reason(each), ConnectionRefusedError)], failed
    finally:
        over.set()
        for client in clients:
            client.join()


def reason(error: OSError) -> object:
    return getattr(error, "reason", error)


def heard_of(up: Up, main: int) -> bool:
    """Whether the web process that the server has now has said that it lives."""
    running = noted(up.log.with_suffix(""))
    assert running is not None
    engine = build_engine(running["DATABASE_URL"])
    try:
        with engine.connect() as db:
            said = {
                pid for (pid,) in db.execute(text("select pid from heartbeat where parent = :main"), {"main": main})
            }
    finally:
        engine.dispose()
    return bool(children_of(main)) and {*children_of(main)} <= said


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
        assert wait_until(lambda: replaced(up, latest, servers), 10), up.said  # noqa: B023
        assert wait_until(lambda: answers(up), 10), up.said

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
    hanging = ("relay", "courier", "inbox")

    for pid in (process, *(before[name] for name in hanging)):
        os.kill(pid, signal.SIGSTOP)

    assert wait_until(lambda: replaced(up, before, hanging), PATIENCE), up.said
    assert wait_until(lambda: process not in children_of(main) and heard_of(up, main), PATIENCE), up.said
    assert up.said.count(" hangs (process ") == 4
    assert up.children()["web-1"] == main


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
    assert wait_until(lambda: "web-1" in up.children(), PATIENCE), up.said
    for name in ("web-1", "web-2"):
        os.kill(up.children()[name], signal.SIGKILL)
    assert answers(up.open())
    assert "The web server 1 ended (exit -9) and is started again" in up.said


def answers(up: Up) -> bool:
    try:
        return bool(up.ask("/readyz")["status"] == "ready")
    except OSError:
        return False


def test_a_taken_port_is_one_clear_line(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        assert f"Port {port}" in start(port=port).refusal()


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("DATABASE_URL", "postgresql://alice:hush@127.0.0.1:{port}/games"),
        ("REDIS_URL", "redis://:hush@127.0.0.1:{port}/0"),
        ("SMTP_URL", "smtp://alice:hush@127.0.0.1:{port}"),
    ],
)
def test_a_server_that_does_not_answer_is_one_clear_line_without_its_password(
    start: Start, name: str, address: str
) -> None:
    refusal = start(**{name: address.format(port=free_port())}).refusal()

    assert name in refusal
    assert "hush" not in refusal


def test_a_bad_setting_is_one_clear_line(start: Start) -> None:
    assert "PORT is 'eighty'" in start(PORT="eighty").refusal()


@pytest.mark.slow
def test_a_body_may_come_in_pieces_to_the_web_server(start: Start, database_url: str, redis_url: str) -> None:
    up = start(DATABASE_URL=database_url, REDIS_URL=redis_url).open()
    body = json.dumps({"name": "Alice", "language": "fr"}).encode()
    head = f"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    with socket.create_connection(("127.0.0.1", up.port), timeout=PATIENCE) as line:
        line.sendall(head.encode() + b"\r\nConnection: close\r\n\r\n" + body[:10])
        # Meanwhile it answers others.
        assert answers(up)
        line.sendall(body[10:20])
        assert answers(up)
        line.sendall(body[20:])
        answer = line.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 201 "), answer


def test_where_others_reach_it_mails_do_not_stay_in_a_folder_unless_that_is_wanted(start: Start) -> None:
    assert "Set SMTP_URL to have them sent, or LOCAL_MAIL=true" in start(HOST="0.0.0.0").refusal()


@pytest.mark.slow
def test_mails_are_shown_to_who_sits_at_the_machine_and_asks_for_it(
    start: Start, database_url: str, redis_url: str
) -> None:
    up = start(DATABASE_URL=database_url, REDIS_URL=redis_url).open()

    def status(path: str, host: str) -> int:
        asked = HTTPConnection("127.0.0.1", up.port, timeout=10)
        asked.request("GET", path, headers={"Host": host})
        found = asked.getresponse().status
        asked.close()
        return found

    assert [status("/mailbox", host) for host in ("127.0.0.1", "localhost:1", "evil.example")] == [200, 200, 421]
    assert [status(path, "evil.example") for path in ("/livez", "/readyz", "/metrics")] == [200] * 3


@pytest.mark.slow
def test_servers_of_ones_own_are_used(start: Start, database_url: str, owner_url: str, redis_url: str) -> None:
    up = start(DATABASE_URL=owner_url, REDIS_URL=redis_url).open()

    assert "PostgreSQL" not in up.said
    assert answers(up)
    assert set(up.children()) == {*WORKERS, "relay", "courier", "inbox", "web-1", "web-2"}
