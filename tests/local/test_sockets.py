"""The folder of the servers' sockets is removed when its process is gone, and never before."""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import IO

import pytest

from service.local import sockets
from service.local.sockets import clear_leftovers, socket_folder

ROUNDS = 30
DIE_WITHIN = """
import os, sys
from pathlib import Path
from service.local import sockets
sockets._PLACE = Path(sys.argv[1])
with sockets.socket_folder() as folder:
    (folder / "redis").mkdir()
    (folder / "environment.json").touch()
    print(folder, flush=True)
    os._exit(9)
"""


@pytest.fixture
def place(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the folders are made, instead of /tmp."""
    monkeypatch.setattr(sockets, "_PLACE", scratch)
    return scratch


@pytest.fixture
def server(place: Path) -> Iterator[socket.socket]:
    """A server that listens in a folder whose lock is lost."""
    folder = place / "boardroom-run-unlocked"
    (folder / "redis").mkdir(parents=True)
    (folder / "held").touch()
    with socket.socket(socket.AF_UNIX) as line:
        line.bind(str(folder / "redis" / "redis.sock"))
        line.listen()
        yield line


def test_the_folder_of_a_killed_process_is_removed(place: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", DIE_WITHIN, place], capture_output=True, text=True, check=False)
    assert killed.returncode == 9
    left = Path(killed.stdout.strip())
    assert left.is_dir()
    clear_leftovers()
    assert list(place.iterdir()) == []


def test_a_folder_without_a_lock_in_which_a_server_listens_stays_until_it_ends(
    place: Path, server: socket.socket
) -> None:
    clear_leftovers()
    assert Path(server.getsockname()).is_socket()
    server.close()
    clear_leftovers()
    assert list(place.iterdir()) == []


def test_a_folder_that_is_removed_before_it_has_its_file_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def mkdtemp(prefix: str, dir: Path) -> str:  # noqa: A002 - as the library has it
        made.append(real(prefix=prefix, dir=dir))
        if len(made) == 1:
            clear_leftovers()
        return made[-1]

    real = tempfile.mkdtemp
    monkeypatch.setattr(tempfile, "mkdtemp", mkdtemp)
    with socket_folder() as folder:
        assert [str(folder)] == made[1:]
        clear_leftovers()
        assert folder.is_dir()
    assert list(place.iterdir()) == []


def test_a_folder_that_is_removed_before_it_is_locked_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Path] = []

    def flock(file: IO[str], how: int) -> None:
        if how == fcntl.LOCK_EX and not found:
            found.extend(place.iterdir())
            clear_leftovers()
        real(file, how)

    real = fcntl.flock
    monkeypatch.setattr(fcntl, "flock", flock)
    with socket_folder() as folder:
        assert [folder] != found
        clear_leftovers()
        assert folder.is_dir()
    assert list(place.iterdir()) == []


def test_starts_at_the_same_time_take_no_folder_from_each_other(place: Path) -> None:
    over = Event()

    def clear() -> None:
        while not over.is_set():
            clear_leftovers()

    def start() -> None:
        for _ in range(ROUNDS):
            with socket_folder() as folder:
                (folder / "redis").mkdir()
                os.sched_yield()
                assert {each.name for each in folder.iterdir()} == {"held", "redis"}

    with ThreadPoolExecutor(6) as threads:
        clearing = [threads.submit(clear) for _ in range(3)]
        starting = [threads.submit(start) for _ in range(3)]
        try:
            for each in starting:
                each.result()
        finally:
            over.set()
        for each in clearing:
            each.result()
    assert list(place.iterdir()) == []
