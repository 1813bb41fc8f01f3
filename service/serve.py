"""The web server: granian, several processes with many threads each, run by `python -m service.serve [PROCESSES]`.

A stream, or a request that waits for events or for its body, keeps a thread; a waiting thread costs almost nothing.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from multiprocessing import get_start_method
from typing import TYPE_CHECKING, Any

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.mp import MPServer

from service.settings import Settings, ended_by_bad_settings
from service.shared import die_with_parent, network
from service.shared.lazy_imports import load_logging, load_redis

if TYPE_CHECKING:
    from flask import Flask

    from service.runtime import Runtime

CONNECTIONS = 8192
"""The most open connections of a process: while there are so many, others wait."""
SPARE_FILES = 256
"""Open files of a process beside its connections."""
HEAD = 15_000
"""Milliseconds in which the head of a request has to arrive, and for which a connection may be idle."""
LARGEST_HEAD = 64 * 1024
PATIENCE = 3
YOUNG = 20_000
"""New objects before the garbage collector runs; with its default it runs several times in each action."""

TURN = 0.05
"""Seconds after which a thread has to let others go on. Few actions take a tenth of that, so changing over within one,
as after the usual 5 ms on a busy machine, only makes all of them later."""


class _Inheriting(MPServer):
    """A server that takes its connections from the listener of the process that started it.

    The hook is none of granian's promises, so its version is pinned (pyproject.toml).
    """

    def _init_shared_socket(self: Any) -> None:
        number = network.inherited_listener()
        self._ssp, self._sfd = None, number
        self._shd = SocketHolder(number, False, network.LISTEN_BACKLOG)  # type: ignore[call-arg] # its stub is old
        self._sso = socket.socket(fileno=number)
        self._sso.set_inheritable(True)


def application() -> Flask:
    """Make the app ready in a worker process of the server, which ends with the server even when that is killed."""
    die_with_parent.die_with_parent(os.getppid(), signal.SIGKILL)
    _wait_turns()
    _load_lean()
    # Imported late, so that what only looks at this module needs none of it.
    from service.http.admission import install_gate
    from service.http.heartbeat import report_liveness
    from service.runtime import begin_process

    settings = Settings.from_env()
    begin_process(settings, settings.part or "web")
    runtime, app = _made()
    runtime.mode.watch()
    runtime.heart.begin(settings.part or "web")
    report_liveness(app, runtime.heart, runtime.subscriber, runtime.engine)
    install_gate(app, settings.proxies)
    # What is there now stays; the collector need not look through it again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
    sys.setswitchinterval(TURN)
    return app


@cache
def _made() -> tuple[Runtime, Flask]:
    """Return a runtime that has connected to nothing, and the app on it; SystemExit as `games_here` raises it."""
    from service.app import create_app
    from service.runtime import Runtime

    runtime = Runtime.build(Settings.from_env(), hurried=True)
    return runtime, create_app(runtime)


@ended_by_bad_settings()
def main(words: Sequence[str]) -> None:
    """Serve until SIGTERM or SIGINT, with so many processes or else WEB_PROCESSES; requests get PATIENCE to end."""
    _load_lean()
    # Imported late, as below.
    from service.shared import metrics

    settings = Settings.from_env()
    _end_without_games(settings)
    # What is traced is made after the traces have begun, which each process has to do by itself.
    if get_start_method() == "fork" and settings.traces_endpoint is None:
        # Made once, for all processes and their replacements: it takes most of the time of a start, and what each of
        # them made for itself, or changed, would be memory of its own.
        _made()
        gc.collect()
        gc.freeze()
    server = (MPServer if network.inherited_listener() is None else _Inheriting)(
        "service.serve:application",
        factory=True,
        interface=Interfaces.WSGI,
        address=settings.host,
        port=settings.port,
        websockets=False,
        # In the other modes a connection on which nothing is sent has no deadline.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEAD, max_buffer_size=LARGEST_HEAD),
        backpressure=_connections(),
        workers=int(words[0]) if words else settings.web_processes,
        # Without this the end of one process would be the end of all.
        respawn_failed_workers=True,
        blocking_threads=settings.web_threads,
        workers_kill_timeout=PATIENCE,
    )
    try:
        with metrics.folder_for_forks(settings.metrics_folder) as folder:
            # From where the processes take it.
            os.environ[metrics.FOLDER] = str(folder)
            server.serve()
    except RuntimeError as refusal:
        _end_without_port(settings, refusal)
        raise


def _end_without_port(settings: Settings, refusal: RuntimeError) -> None:
    """SystemExit with a sentence if the server could not listen; what it says itself has pages of calls behind it."""
    reason, _, said = str(refusal).splitlines()[0].partition(" (os error ")
    if said:
        todo = "End the program that has the port, or set HOST and PORT to what this account may use."
        sys.exit(f"The web server cannot listen on {settings.host}:{settings.port}: {reason}. {todo}")


def _end_without_games(settings: Settings) -> None:
    """SystemExit with a sentence if an installed game cannot be had; the processes would be started again for ever."""
    from service.runtime import games_here

    games_here(settings)


def _wait_turns() -> None:
    """Let what becomes ready in this process wait until others have had their turn, instead of interrupting them.

    Those that a request is handed on between wake each other up several times, and whatever was interrupted finds the
    caches cold afterwards. Side by side in one run, an action took 0.91 to 0.96 of the CPU time (three runs).
    """
    # Linux alone has it, and a sandbox may refuse it.
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def _load_lean() -> None:
    """Load some libraries without what is not needed of them; a second time it does nothing."""
    load_logging()
    load_redis()


def _connections() -> int:
    """Return how many connections a process may have, and allow this one and its children the files for that."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + SPARE_FILES if most == resource.RLIM_INFINITY else min(CONNECTIONS + SPARE_FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return wanted - SPARE_FILES


if __name__ == "__main__":
    from service import serve  # noqa: PLW0406 - as the server imports it, or its processes would not find what is made

    serve.main(sys.argv[1:])
