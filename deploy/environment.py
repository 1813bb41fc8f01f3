"""Make the virtual environment of a checkout: `environment.py VENV LOCK DATA`, run by any Python 3.11 or later.

The environment is made aside and renamed when it is whole. It is made anew when LOCK has changed, by its hash. An
environment behind a link belongs to somebody else, and one that runs a program is not pulled away from it: both are
refused.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path


def main(venv: Path, lock: Path, data: Path) -> int:
    """Make the environment unless it is there as the lock file wants it; return the exit code."""
    if venv.is_symlink():
        return refuse(f"{venv} is a link to {venv.resolve()}. Remove the link, or run the programs in there yourself.")
    wanted = sha256(lock.read_bytes()).hexdigest()
    complete = venv / ".complete"
    if complete.exists() and complete.read_text() == wanted:
        return 0
    if user := used_by(venv, data):
        return refuse(f"{venv} has to be made anew, and is in use by {user}. Stop that first, then try again.")
    print(f"Making {venv} with Python {sys.version.split()[0]} (once, takes about a minute) ...", flush=True)
    fresh = venv.with_name(f"{venv.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        build(fresh, lock)
    except subprocess.CalledProcessError as failed:
        shutil.rmtree(fresh, ignore_errors=True)
        return refuse(f"{' '.join(map(str, failed.cmd[3:5]))} failed (above). {venv} is as it was.")
    move(fresh, venv)
    (fresh / ".complete").write_text(wanted)
    replace(fresh, venv)
    return 0


def build(fresh: Path, lock: Path) -> None:
    """Make an environment with what the lock file names, and this project in it; CalledProcessError."""
    python = fresh / "bin" / "python"
    install = [python, "-m", "pip", "install", "-qq"]
    commands = (
        [sys.executable, "-m", "venv", fresh],
        [*install, "--require-hashes", "-r", lock],
        [*install, "--no-deps", "--no-build-isolation", "--editable", "."],
    )
    for command in commands:
        subprocess.run(command, check=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})


def move(fresh: Path, venv: Path) -> None:
    """Let the programs in a fresh environment name the place that it is moved to."""
    before, after = (str(each.absolute()).encode() for each in (fresh, venv))
    for program in (fresh / "bin").iterdir():
        if program.is_file() and not program.is_symlink() and before in (content := program.read_bytes()):
            program.write_bytes(content.replace(before, after))


def replace(fresh: Path, venv: Path) -> None:
    """Put a fresh environment in the place of the one that is there, if there is one."""
    old = venv.with_name(f"{venv.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if venv.exists():
        venv.rename(old)
    fresh.rename(venv)
    shutil.rmtree(old, ignore_errors=True)


def used_by(venv: Path, data: Path) -> str | None:
    """Return who uses the environment: who holds the data folder, or a process that runs a program of it (Linux)."""
    with suppress(OSError), (data / "lock").open() as held:
        try:
            fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return f"process {held.read().strip()}, which runs the service"
    programs = f"{venv.absolute()}/bin/".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cmdline").read_bytes().startswith(programs):
                return f"process {process.name}"
    return None


def refuse(why: str) -> int:
    """Say why nothing was done."""
    print(why, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
