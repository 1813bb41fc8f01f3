"""`make` builds the virtual environment aside, and pulls none away that is a link or in use."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final
from zipfile import ZipFile

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


def test_of_two_makes_at_once_the_second_waits_and_finds_the_environment_made(venv: Path) -> None:
    words = [sys.executable, str(PROGRAM), str(venv), str(venv.with_name("lock")), str(venv.with_name("data"))]
    held = os.open(venv.parent, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as second:
        assert second.stdout is not None and "Waiting for another make" in second.stdout.readline()
        (venv / ".complete").write_text(sha256(NOT_TO_BE_HAD.encode()).hexdigest())
        os.close(held)
    assert second.returncode == 0 and (venv / "kept").exists()


def test_an_environment_is_as_it_was_when_a_new_one_cannot_be_made(venv: Path) -> None:
    done = make(venv)
    assert done.returncode == 1 and f"{venv} is as it was" in done.stderr
    assert sorted(each.name for each in venv.parent.iterdir()) == [".venv", "lock"]
    assert (venv / "kept").exists()


PACKAGES: Final = 12


@pytest.fixture
def installed(tmp_path: Path) -> tuple[list[str | Path], Path, ModuleType]:
    """An installation by pip of some small packages into an empty environment, and the program that watches it."""
    lines = []
    for number in range(PACKAGES):
        name = f"small_{number}"
        wheel = tmp_path / f"{name}-1-py3-none-any.whl"
        with ZipFile(wheel, "w") as made:
            made.writestr(f"{name}.py", "")
            made.writestr(f"{name}-1.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
            made.writestr(f"{name}-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            made.writestr(f"{name}-1.dist-info/RECORD", "")
        lines.append(f"{name}==1 --hash=sha256:{sha256(wheel.read_bytes()).hexdigest()}\n")
    (tmp_path / "lock").write_text("".join(lines))
    fresh = tmp_path / "fresh"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", fresh], check=True)
    pip = [sys.executable, "-m", "pip", "--python", fresh / "bin" / "python", "install", "--no-index"]
    spec = spec_from_file_location("environment", PROGRAM)
    assert spec is not None and spec.loader is not None
    program = module_from_spec(spec)
    spec.loader.exec_module(program)
    return [*pip, "--find-links", tmp_path, "--require-hashes", "-r", tmp_path / "lock"], fresh, program


def test_a_log_has_lines_that_say_what_is_done_and_how_far(
    installed: tuple[list[str | Path], Path, ModuleType], capsys: pytest.CaptureFixture[str]
) -> None:
    command, fresh, program = installed
    program.watch(command, fresh, PACKAGES, program.Progress())
    said = capsys.readouterr().out
    assert "\r" not in said
    assert "  getting packages: 1 of 12\n" in said and "  getting packages: 12 of 12\n" in said
    assert "  installing packages: " in said
    assert len(said.splitlines()) < 25
    assert len(list(fresh.glob("lib/*/site-packages/small_*.py"))) == PACKAGES


def test_a_terminal_has_one_line_that_is_written_anew(
    installed: tuple[list[str | Path], Path, ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    command, fresh, program = installed
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        progress = program.Progress()
        program.watch(command, fresh, PACKAGES, progress)
        progress.end()
        said = ""
        while "\n" not in said:
            said += os.read(ours, 65_536).decode()
    os.close(ours)
    assert said.count("\n") == 1
    assert "\r  getting packages: 12 of 12  small" in said


def test_what_pip_says_of_a_failure_is_shown(
    installed: tuple[list[str | Path], Path, ModuleType], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, fresh, program = installed
    (tmp_path / "lock").write_text(NOT_TO_BE_HAD)
    with pytest.raises(subprocess.CalledProcessError):
        program.watch(command, fresh, 1, program.Progress())
    assert "there-is-no-such-package" in capsys.readouterr().err
