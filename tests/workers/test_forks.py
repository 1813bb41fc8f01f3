"""Processes forked from one: each runs by itself, one that ends is there again, and all end together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.workers.solo import eventually

PROGRAM = """
import os, signal, sys, threading
from pathlib import Path
import structlog
from workers.forks import Forks

log = structlog.get_logger()

def run(name):
    over = threading.Event()
    log.warning("here")
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    written = Path(sys.argv[1], f"{name}.new")
    written.write_text(str(os.getpid()))
    written.rename(Path(sys.argv[1], name))
    over.wait()
    Path(sys.argv[1], f"{name}-ended").touch()

Forks(("one", "two"), run).run()
"""


@pytest.fixture
def main(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process with two forks, each of which writes its process id into a file of its name.

    Its output is a pipe, to which each line comes whole. Not every file system keeps what two processes write to a file
    that they share at one place.
    """
    command = [sys.executable, "-W", "error", "-c", PROGRAM, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


def pid(folder: Path, name: str) -> int:
    with suppress(OSError):
        return int((folder / name).read_text())
    return 0


def runs(number: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def test_one_that_is_killed_is_there_again_and_the_other_goes_on(main: subprocess.Popen[bytes], tmp_path: Path) -> None:
    eventually(lambda: bool(pid(tmp_path, "one") and pid(tmp_path, "two")))
    killed, other = pid(tmp_path, "one"), pid(tmp_path, "two")
    os.kill(killed, signal.SIGKILL)
    eventually(lambda: pid(tmp_path, "one") != killed)
    assert runs(pid(tmp_path, "one")) and runs(other)
    assert pid(tmp_path, "two") == other


def test_the_end_of_the_main_process_lets_each_end_what_it_is_at(main: subprocess.Popen[bytes], tmp_path: Path) -> None:
    eventually(lambda: bool(pid(tmp_path, "one") and pid(tmp_path, "two")))
    main.terminate()
    assert main.wait(60) == 0
    assert {each.name for each in tmp_path.glob("*-ended")} == {"one-ended", "two-ended"}


def test_each_line_of_their_log_says_which_of_them_speaks(main: subprocess.Popen[bytes], tmp_path: Path) -> None:
    eventually(lambda: bool(pid(tmp_path, "one") and pid(tmp_path, "two")))
    main.terminate()
    output, _ = main.communicate(timeout=60)
    said = [line for line in output.decode().splitlines() if "here" in line]
    assert sorted(line.rpartition("part=")[2] for line in said) == ["one", "two"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent is gone")
def test_a_main_process_that_is_killed_leaves_nothing_behind(main: subprocess.Popen[bytes], tmp_path: Path) -> None:
    eventually(lambda: bool(pid(tmp_path, "one") and pid(tmp_path, "two")))
    main.kill()
    eventually(lambda: not runs(pid(tmp_path, "one")) and not runs(pid(tmp_path, "two")))


def test_none_that_is_asked_to_end_while_it_is_forked_goes_on() -> None:
    # given a main process that was asked to end, and asks each of its forks to end as soon as there is one
    program = """
import signal
from workers.forks import Forks

class Stopping(Forks):
    def _fork(self, name):
        self._stopping = True
        super()._fork(name)

Stopping([str(number) for number in range(400)], lambda name: signal.pause()).run()
"""
    # then each of them ends; a few in 400 had lost the signal
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_signal_that_another_thread_takes_ends_all_parts() -> None:
    # given a part that does nothing until it is stopped, and a thread of it that the kernel chooses for the signal
    program = """
import signal, threading
from workers.drain import run_until_signal
from workers.parts import Together

class Part:
    def __init__(self):
        self.over = threading.Event()
    def begin(self, part):
        pass
    def run(self):
        # The main thread has come to its waiting by then.
        self.over.wait(0.5)
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        self.over.wait()
    def stop(self, *_):
        self.over.set()

run_until_signal(Together({"one": Part()}), "")
"""
    # then the main thread, which waits for the parts, hears of it all the same
    subprocess.run([sys.executable, "-c", program], check=True, timeout=30)
