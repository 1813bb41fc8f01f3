"""Call functions on strangers' bytes in a separate process with limits of CPU time, memory and wall time.

A slow pattern, parser or C library there costs only that process: neither the GIL of a worker, nor a connection or a
lock of its threads. The process is spawned at the first call, lives while calls come, and is replaced after a call that
killed it. It knows no settings, so it holds no key and reaches no server.
"""

from __future__ import annotations

import atexit
import math
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from threading import Lock, Thread, Timer
from time import monotonic
from typing import Any, Final, TypeVar, get_type_hints

import msgspec

CPU_S: Final = 1
"""Maximum CPU seconds of a call; the kernel counts whole seconds, so a call may begin a second one."""
WALL_S: Final = 30.0
"""Seconds after which a call within its CPU time is abandoned: the machine is too busy."""
MEMORY_BYTES: Final = 256 * 1024 * 1024
"""Bytes of address space of the process; its modules take a fifth. A container needs as much besides."""
IDLE_S: Final = 60.0
"""Seconds without a call after which the process is ended, so that it takes no memory where no mail comes in."""
LONGEST_ANSWER: Final = 1024 * 1024
"""Maximum bytes of JSON that a function may return."""
_LENGTH: Final = 4
_TOLD: Final = ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "PYTHONHASHSEED")
"""Variables of the environment that the process gets."""
Answer = TypeVar("Answer")


class BeyondLimits(Exception):
    """Call that exceeded its limits, or raised; the text says how it ended, and quotes nothing."""


class LimitedProcess:
    """Process that runs calls one at a time; safe between threads, and in forks of this process."""

    def __init__(self, cpu_s: int = CPU_S, wall_s: float = WALL_S, idle_s: float = IDLE_S) -> None:
        self._cpu_s, self._wall_s, self._idle_s = cpu_s, wall_s, idle_s
        self._process: subprocess.Popen[bytes] | None = None
        self._timer = Timer(0, self.close)
        self._forget()
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._forget)

    def call(self, function: Callable[[bytes], Answer], raw: bytes) -> Answer:
        """Call the function on the bytes; BeyondLimits, OSError if no process can be spawned.

        The function has to be at the top of a module of ours that loads little, and to return JSON types.
        """
        request = msgspec.json.encode((function.__module__, function.__name__, self._cpu_s))
        with self._lock:
            self._timer.cancel()
            spoken = self._running()
            try:
                spoken.settimeout(self._wall_s)
                _send(spoken, request)
                _send(spoken, raw)
                failed, answer = msgspec.json.decode(_receive(spoken, monotonic() + self._wall_s), type=tuple[str, Any])
            except (OSError, EOFError, msgspec.MsgspecError) as error:
                raise BeyondLimits(self._end(error)) from None
            except BaseException as error:
                # A job's timeout, for example: its pending answer must not be read as that of the next call.
                self._end(error)
                raise
            self._timer = Timer(self._idle_s, self.close)
            self._timer.daemon = True
            self._timer.start()
        if failed:
            raise BeyondLimits(failed)
        returned: Answer = msgspec.convert(answer, type=get_type_hints(function)["return"])
        return returned

    def close(self) -> None:
        """End the process, if any; the next call spawns another."""
        with self._lock:
            self._timer.cancel()
            self._end(None)

    @property
    def pid(self) -> int | None:
        """Return the id of the process; None if there is none at the moment."""
        process = self._process
        return None if process is None else process.pid

    def _running(self) -> socket.socket:
        if self._process is not None and self._process.poll() is not None:
            # The process was ended from outside since the last call.
            self._end(None)
        if self._process is None:
            self._spoken, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", __name__],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    # Messages of a library about a mail quote the mail.
                    stderr=subprocess.DEVNULL,
                    env=_environment(),
                )
                # Reap the process at once if it is ended from outside.
                Thread(target=self._process.wait, daemon=True).start()
        return self._spoken

    def _end(self, error: BaseException | None) -> str:
        """Kill the process if it still runs, and return how it ended."""
        process, self._process = self._process, None
        if process is None:
            return type(error).__name__
        self._spoken.close()
        ended = None
        with suppress(subprocess.TimeoutExpired):
            # A process ended by its limit exits at once; others are not waited for.
            ended = process.wait(0.2 if isinstance(error, (EOFError, ConnectionError)) else 0)
        if ended is None:
            process.kill()
            process.wait()
        return type(error).__name__ if ended is None else f"exit {ended}"

    def _forget(self) -> None:
        """Start without a process: in a fork, the present one belongs to the parent."""
        self._lock = Lock()
        self._process = None
        self._timer = Timer(0, self.close)


def _environment() -> dict[str, str]:
    told = {name: os.environ[name] for name in _TOLD if name in os.environ}
    # The child has to find modules where this process has found them.
    return told | {"PYTHONPATH": os.pathsep.join(filter(None, [*sys.path, told.get("PYTHONPATH", "")]))}


def _send(spoken: socket.socket, piece: bytes) -> None:
    spoken.sendall(len(piece).to_bytes(_LENGTH) + piece)


def _receive(spoken: socket.socket, until: float | None = None) -> bytes:
    """Return one message; EOFError at the end of the stream, TimeoutError at the moment `until`."""
    length = int.from_bytes(_exactly(spoken, _LENGTH, until))
    return _exactly(spoken, length, until)


def _exactly(spoken: socket.socket, count: int, until: float | None) -> bytes:
    found = bytearray()
    while len(found) < count:
        if until is not None:
            spoken.settimeout(max(0.001, until - monotonic()))
        piece = spoken.recv(count - len(found))
        if not piece:
            raise EOFError
        found += piece
    return bytes(found)


def main() -> None:
    """Answer calls, until the calling process ends or closes the connection."""
    spoken = socket.socket(fileno=0)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, MEMORY_BYTES)
    with suppress(EOFError, ConnectionError):
        while True:
            module, name, cpu_s = msgspec.json.decode(_receive(spoken), type=tuple[str, str, int])
            raw = _receive(spoken)
            function = getattr(import_module(module), name)
            used = resource.getrusage(resource.RUSAGE_SELF)
            _limit(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime) + cpu_s)
            try:
                answer = msgspec.json.encode(("", function(raw)))
                if len(answer) > LONGEST_ANSWER:
                    answer = msgspec.json.encode(("answer too long", None))
            except Exception as error:
                answer = msgspec.json.encode((type(error).__name__, None))
            _send(spoken, answer)


def _limit(kind: int, most: int) -> None:
    """Lower a limit of this process; a limit that the system does not know is left unchanged."""
    hard = resource.getrlimit(kind)[1]
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


shared: Final = LimitedProcess()
"""Instance of this process, spawned at its first call."""


def call_limited(function: Callable[[bytes], Answer], raw: bytes) -> Answer:
    """Call a function on strangers' bytes, as `LimitedProcess.call`; BeyondLimits."""
    return shared.call(function, raw)


if __name__ == "__main__":
    main()
