"""The web server by itself, as one runs it without `make up`: it replaces a process that was killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from service.local.supervisor import wait_until
from service.settings import WEB_PROCESSES, Settings
from tests.ports import free_port

PATIENCE = 60


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def server(settings: Settings, port: int) -> Iterator[subprocess.Popen[bytes]]:
    environment = settings.environment() | {"PORT": str(port)}
    process = subprocess.Popen([sys.executable, "-m", "service.serve"], env=environment)
    yield process
    process.terminate()
    process.wait(PATIENCE)


def processes_of(server: subprocess.Popen[bytes]) -> set[int]:
    return {int(pid) for pid in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()}


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.mark.slow
def test_a_killed_web_process_is_replaced_and_its_server_goes_on(server: subprocess.Popen[bytes], port: int) -> None:
    assert wait_until(lambda: answers(port), PATIENCE)
    before = processes_of(server)
    assert len(before) == WEB_PROCESSES
    killed = min(before)
    os.kill(killed, signal.SIGKILL)

    def replaced() -> bool:
        # The one that has its place was started by a thread of the server.
        threads = Path(f"/proc/{server.pid}/task").glob("*/children")
        now = {int(pid) for each in threads for pid in each.read_text().split()}
        return killed not in now and len(now) == WEB_PROCESSES

    assert wait_until(replaced, PATIENCE)
    assert server.poll() is None
    assert wait_until(lambda: answers(port), PATIENCE)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone can be told that a process does not interrupt others")
def test_no_thread_of_a_web_process_interrupts_what_is_at_work(server: subprocess.Popen[bytes], port: int) -> None:
    assert wait_until(lambda: answers(port), PATIENCE)

    def waits_its_turn(process: int) -> bool:
        threads = [int(each.name) for each in Path(f"/proc/{process}/task").iterdir()]
        # A thread may end meanwhile.
        with suppress(ProcessLookupError):
            return len(threads) > 2 and {os.sched_getscheduler(each) for each in threads} == {os.SCHED_BATCH}
        return False

    # One of them may answer before another has begun.
    assert wait_until(lambda: all(map(waits_its_turn, processes_of(server))), PATIENCE)
    assert len(processes_of(server)) == WEB_PROCESSES


@pytest.mark.slow
def test_a_port_that_another_program_has_is_one_sentence(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        environment = settings.environment() | {"PORT": str(port)}
        command = [sys.executable, "-m", "service.serve"]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith(
        f"The web server cannot listen on 127.0.0.1:{port}: Address already in use. End the program that has the port"
    )
    assert "Traceback" not in ended.stderr
