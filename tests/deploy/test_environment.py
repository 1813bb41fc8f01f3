"""`make` builds the virtual environment aside, and pulls none away that is a link or in use."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

PROGRAM: Final = Path(__file__).parents[2] / "deploy" / "environment.py"
NOT_TO_BE_HAD: Final = f"there-is-no-such-package==1 --hash=sha256:{'0' * 64}\n"


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    """An environment that was made for another lock file than the one of today, and that lock file."""
    (tmp_path / "lock").write_text(NOT_TO_BE_HAD)
    made = tmp_path / ".venv"
    made.mkdir()
    (made / "kept").touch()
    (made / ".complete").write_text("of another lock file")
    return made


def make(venv: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(PROGRAM), str(venv), str(venv.with_name("lock")), str(venv.with_name("data"))]
    offline = {**os.environ, "PIP_NO_INDEX": "1"}
    return subprocess.run(words, capture_output=True, text=True, check=False, env=offline)


def test_an_environment_behind_a_link_is_left_alone(venv: Path) -> None:
    link = venv.with_name("link")
    link.symlink_to(venv)
    done = make(link)
    assert done.returncode == 1 and "is a link" in done.stderr
    assert (venv / "kept").exists()


def test_an_environment_of_a_running_service_is_left_alone(venv: Path) -> None:
    folder = venv.with_name("data")
    folder.mkdir()
    with (folder / "lock").open("w") as held:
        held.write("4711")
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)
        done = make(venv)
    assert done.returncode == 1 and "in use by process 4711" in done.stderr
    assert (venv / "kept").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
def test_an_environment_that_runs_a_program_is_left_alone(venv: Path) -> None:
    (venv / "bin").mkdir()
    (venv / "bin" / "python").symlink_to(sys.executable)
    with subprocess.Popen([venv / "bin" / "python", "-c", "input()"], stdin=subprocess.PIPE) as running:
        done = make(venv)
        running.communicate(b"\n")
    assert done.returncode == 1 and f"in use by process {running.pid}" in done.stderr
    assert (venv / "kept").exists()


def test_an_environment_that_fits_the_lock_file_is_not_made_anew_whatever_the_times_of_files(venv: Path) -> None:
    lock = venv.with_name("lock")
    (venv / ".complete").write_text(sha256(lock.read_bytes()).hexdigest())
    os.utime(lock, (2**32, 2**32))
    done = make(venv)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (venv / "kept").exists()


def test_an_environment_is_as_it_was_when_a_new_one_cannot_be_made(venv: Path) -> None:
    done = make(venv)
    assert done.returncode == 1 and f"{venv} is as it was" in done.stderr
    assert sorted(each.name for each in venv.parent.iterdir()) == [".venv", "lock"]
    assert (venv / "kept").exists()
