"""The web server: granian, one process with many threads, run by `python -m service.serve`.

A stream, or a request that waits for news, keeps a thread; a thread that waits costs next to nothing.
"""

from __future__ import annotations

import os
import signal

from flask import Flask
from granian.constants import Interfaces
from granian.server import Server

from service import leash
from service.api.hall import PLACES
from service.app import create_app
from service.runtime import Runtime
from service.settings import Settings

THREADS = 2 * PLACES
PATIENCE = 3


def application() -> Flask:
    """Make the app in a worker process of the server, which ends with the server even when that is killed."""
    leash.die_with_parent(os.getppid(), signal.SIGKILL)
    return create_app(Runtime.build(Settings.from_env()))


def main() -> None:
    """Serve until SIGTERM or SIGINT; requests under way get PATIENCE seconds."""
    settings = Settings.from_env()
    Server(
        "service.serve:application",
        factory=True,
        interface=Interfaces.WSGI,
        address=settings.host,
        port=settings.port,
        websockets=False,
        blocking_threads=THREADS,
        workers_kill_timeout=PATIENCE,
    ).serve()


if __name__ == "__main__":
    main()
