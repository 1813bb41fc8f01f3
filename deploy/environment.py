"""Make the virtual environment of a checkout: `environment.py VENV LOCK DATA`, run by any Python 3.11 or later.

The environment is made aside and renamed when it is whole. It is made anew when LOCK has changed, by its hash. An
environment behind a link belongs to somebody else, and one that runs a program is not pulled away from it: both are
refused. What is being done, and how far, stands in a line of the terminal that changes, or in lines of a log.
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
from time import monotonic, sleep
from typing import Any


def main(venv: Path, lock: Path, data: Path) -> int:
    """Make the environment unless it is there as the lock file wants it; return the exit code."""
    if venv.is_symlink():
        return refuse(f"{venv} is a link to {venv.resolve()}. Remove the link, or run the programs in there yourself.")
    wanted = sha256(lock.read_bytes()).hexdigest()
    if fits(venv, wanted):
        return 0
    wait_for_others(venv.parent)
    if fits(venv, wanted):
        return 0
    if user := used_by(venv, data):
        return refuse(f"{venv} has to be made anew, and is in use by {user}. Stop that first, then try again.")
    print(f"Making {venv} with Python {sys.version.split()[0]} (once, takes a minute or two) ...", flush=True)
    began = monotonic()
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
    print(f"{venv} is ready, after {monotonic() - began:.0f} seconds.", flush=True)
    return 0


def fits(venv: Path, wanted: str) -> bool:
    """Return whether the environment is whole, and made for the lock file with the hash that is wanted."""
    complete = venv / ".complete"
    return complete.exists() and complete.read_text() == wanted


def wait_for_others(folder: Path) -> None:
    """Wait until no other process makes an environment in the folder; the lock is held until this process ends."""
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print("Waiting for another make, which is making the environment ...", flush=True)
        fcntl.flock(held, fcntl.LOCK_EX)


def build(fresh: Path, lock: Path) -> None:
    """Make an environment with what the lock file names, and this project in it; CalledProcessError."""
    install = [fresh / "bin" / "python", "-m", "pip", "install", "--progress-bar", "off", "--no-color"]
    progress = Progress()
    progress.tell("an empty environment")
    subprocess.run([sys.executable, "-m", "venv", fresh], check=True)
    packages = sum(line[:1].isalnum() for line in lock.read_text().splitlines())
    watch([*install, "--require-hashes", "-r", lock], fresh, packages, progress)
    progress.tell("this project")
    watch([*install, "--no-deps", "--no-build-isolation", "--editable", "."], fresh, 0, progress)
    progress.end()


def watch(install: list[Any], fresh: Path, packages: int, progress: Progress) -> None:
    """Run an installation by pip and tell how many of the packages it has got and installed; CalledProcessError.

    Its own lines are shown if it fails.
    """
    said, got = list[str](), 0
    quiet = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(install, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=quiet) as pip:
        for line in pip.stdout or ():
            said.append(line)
            if line.startswith("Installing collected packages"):
                break
            # What is not for this Python or this system is said to be ignored.
            if packages and line.startswith(("Collecting ", "Processing ", "Ignoring ")):
                got += 1
                progress.tell("getting packages", got, packages, Path(line.split()[1]).name.rstrip(":"))
        while packages and pip.poll() is None:
            progress.tell("installing packages", len(list(fresh.glob("lib/*/site-packages/*.dist-info"))), packages)
            sleep(0.3)
        said += pip.stdout or ()
    if pip.returncode:
        progress.end()
        sys.stderr.writelines(said[-20:])
        raise subprocess.CalledProcessError(pip.returncode, install)


class Progress:
    """Progress of the work, and how far it is: a line of a terminal that is written anew, or a line for each tenth."""

    def __init__(self) -> None:
        self._terminal = sys.stdout.isatty()
        self._told = ""

    def tell(self, doing: str, done: int = 0, of: int = 0, name: str = "") -> None:
        """Tell what is done now, and how many of how many are done; `name` is the one at work."""
        far = f"  {doing}: {min(done, of)} of {of}" if of else f"  {doing}"
        if self._terminal:
            line = f"{far}  {name}"[: max(20, shutil.get_terminal_size().columns - 1)]
            print(f"\r{line}\x1b[K", end="", flush=True)
        elif (tenth := f"{doing} {10 * done // of if of else 0}") != self._told:
            self._told = tenth
            print(far, flush=True)

    def end(self) -> None:
        """Leave the line that is written anew."""
        if self._terminal:
            print(flush=True)


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
