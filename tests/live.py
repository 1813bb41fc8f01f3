"""A house that really listens: a web server and a relay that carries out jobs itself, both in threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Thread

from flask import Flask
from werkzeug.serving import make_server

from service.app import create_app
from service.runtime import Runtime
from workers.relay import Relay


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """Serve an app on a free port of this machine and return the address."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def listening(runtime: Runtime, relayed: bool = True, app: Flask | None = None) -> Iterator[str]:
    """Serve the whole house, and return its address; only where it is `relayed`, jobs are carried out.

    Its app is a new one unless one is given.
    """
    relay = Relay(replace(runtime, redis=None))
    thread = Thread(target=relay.run)
    with serving(app or create_app(runtime)) as url:
        if not relayed:
            yield url
            return
        thread.start()
        try:
            yield url
        finally:
            relay.stop()
            thread.join()
