"""Wheel and source distribution are complete: each Python installs them outside the repository, starts, and plays."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from service.local.supervisor import wait_until
from tests.deploy.building import Built
from tests.deploy.debian import make, missing
from tests.ports import free_port

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
DEBIAN = {"3.14": "forky"}
"""The Debian to take a Python from that this machine does not have."""
SECONDS = 240

pytestmark = pytest.mark.slow


@pytest.fixture
def empty() -> Iterator[Path]:
    """A folder that PostgreSQL's own user can enter."""
    folder = Path(tempfile.mkdtemp(prefix="boardroom-install-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def interpreter(version: str) -> str | None:
    """Return a Python of the version with venv, from the PATH or from pyenv; None without one."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(f"python{version}"), *map(str, sorted(home.glob(f"{version}.*/bin/python")))]
    return next((each for each in found if each and _works(each)), None)


def _works(python: str) -> bool:
    command = [python, "-c", "import venv, ensurepip, sqlite3, ssl"]
    return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0


def outside(command: Sequence[str | Path], folder: Path) -> str:
    """Carry a command out in the folder, with nothing of the repository in its environment."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name in {"PATH", "HOME"} or name.startswith(("PIP_", "UV_", "SSL_"))
    }
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=clean, capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}{done.stderr[-3000:]}"
    return done.stdout


def plays(boardroom: Path, folder: Path) -> None:
    """Start `boardroom up` in the folder, play a game, and stop it in order."""
    port = free_port()
    said = folder / "said"
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), "PORT": str(port)}
    with said.open("wb") as out:
        up = subprocess.Popen([str(boardroom), "up"], cwd=folder, env=clean, stdout=out, stderr=subprocess.STDOUT)
    try:
        opened = wait_until(lambda: up.poll() is not None or "Ctrl-C stops" in said.read_text(), SECONDS)
        assert opened and up.poll() is None, said.read_text()
        outside([boardroom, "play", "--api", f"http://127.0.0.1:{port}", "--random"], folder)
        up.send_signal(signal.SIGINT)
        assert up.wait(SECONDS) == 0, said.read_text()
    finally:
        with suppress(ProcessLookupError):
            up.kill()
        up.wait()


@pytest.mark.parametrize("version", [each for each in VERSIONS if each not in DEBIAN])
def test_the_wheel_installs_starts_and_plays(version: str, built: Built, empty: Path):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    outside([python, "-m", "venv", empty / "venv"], empty)
    outside([empty / "venv/bin/pip", "install", "--quiet", built.wheel], empty)
    outside([empty / "venv/bin/pip", "check"], empty)
    plays(empty / "venv/bin/boardroom", empty)


def test_the_source_distribution_carries_all_and_installs_starts_and_plays(built: Built, empty: Path):
    # given the unpacked archive, then it has every file of the repository but what only git and its server read
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {each for each in built.sources if not each.startswith(".")} - names == set()
    assert not [each for each in names if each.endswith((".env", ".pyc"))]
    # and it installs like the wheel
    python = interpreter("3.11")
    assert python
    outside([python, "-m", "venv", empty / "venv"], empty)
    outside([empty / "venv/bin/pip", "install", "--quiet", built.sdist], empty)
    plays(empty / "venv/bin/boardroom", empty)


@pytest.mark.parametrize("words", [("uvx", "--from"), ("pipx", "run", "--no-cache", "--spec")], ids=["uvx", "pipx"])
def test_the_wheel_runs_without_being_installed(words: Sequence[str], built: Built, empty: Path):
    outside([sys.executable, "-m", "venv", empty / "tools"], empty)
    outside([empty / "tools/bin/pip", "install", "--quiet", "uv", "pipx"], empty)
    program, *options = words
    said = outside([empty / "tools/bin" / program, *options, built.wheel, "boardroom", "--version"], empty)
    assert said.startswith("boardroom ")


@pytest.mark.skipif(bool(missing()), reason=missing() or "all is here")
@pytest.mark.parametrize("version", sorted(DEBIAN))
def test_the_wheel_installs_starts_and_plays_in_a_newer_debian(version: str, built: Built, empty: Path):
    try:
        root = make(empty / "root", DEBIAN[version], [f"python{version}-venv", "redis-server", "ca-certificates"])
    except subprocess.CalledProcessError as refusal:
        pytest.skip(f"no Debian with Python {version} can be made: {refusal.stderr.decode()[-300:]}")
    inputs = empty / "inputs"
    inputs.mkdir()
    shutil.copy(built.wheel, inputs)
    port = free_port()
    script = f"""
        set -eu
        python{version} -m venv /opt/boardroom
        /opt/boardroom/bin/pip install --quiet /mnt/{built.wheel.name}
        /opt/boardroom/bin/pip check
        mkdir /srv/empty && cd /srv/empty
        PORT={port} /opt/boardroom/bin/boardroom up >said 2>&1 & up=$!
        for each in $(seq {SECONDS}); do grep -q 'Ctrl-C stops' said && break; sleep 1; done
        /opt/boardroom/bin/boardroom play --api http://127.0.0.1:{port} --random >/dev/null || {{ cat said; exit 1; }}
        kill -INT "$(cat .boardroom/lock)"
        wait $up
    """
    root.run(["sh", "-c", script], inputs, seconds=900)
