"""The web server: granian, several processes with many threads each, run by `python -m service.serve [PROCESSES]`.

A stream, or a request that waits for news, keeps a thread; a thread that waits costs next to nothing.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from multiprocessing import get_start_method
from typing import TYPE_CHECKING

from granian.constants import Interfaces
from granian.server import Server

from service import leash
from service.settings import PLACES, PROCESSES, Settings

if TYPE_CHECKING:
    from flask import Flask

THREADS = 2 * PLACES
"""For each process."""
PATIENCE = 3
YOUNG = 20_000
"""So many new objects make the collector look through them; by itself it does so several times in each action."""

TURN = 0.05
"""Seconds after which a thread has to let others go on. Few actions take a tenth of that, so changing over within one,
as after the usual 5 ms on a busy machine, only makes all of them later."""


def application() -> Flask:
    """Make the app in a worker process of the server, which ends with the server even when that is killed."""
    leash.die_with_parent(os.getppid(), signal.SIGKILL)
    # Imported late, so that what only looks at this module needs none of it.
    from service.app import create_app
    from service.pulse import feel
    from service.runtime import Runtime

    runtime = Runtime.build(Settings.from_env(), hurried=True)
    app = create_app(runtime)
    feel(app, runtime)
    # What is there now stays; the collector need not look through it again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
    sys.setswitchinterval(TURN)
    return app


def main(words: Sequence[str]) -> None:
    """Serve until SIGTERM or SIGINT, with so many processes; requests under way get PATIENCE seconds."""
    settings = Settings.from_env()
    if get_start_method() == "fork":
        # Loaded once, for all processes and for those that take their place: loading is most of what a start takes.
        import service.app
        import service.runtime  # noqa: F401

        gc.freeze()
    Server(
        "service.serve:application",
        factory=True,
        interface=Interfaces.WSGI,
        address=settings.host,
        port=settings.port,
        websockets=False,
        workers=int(words[0]) if words else PROCESSES,
        # Without this the end of one process would be the end of all.
        respawn_failed_workers=True,
        blocking_threads=THREADS,
        workers_kill_timeout=PATIENCE,
    ).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
