"""A house that really listens: a web server and a relay that carries out jobs itself, both in threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Thread
from typing import IO, TYPE_CHECKING

from flask import Flask
from werkzeug.serving import make_server

from service.app import create_app
from service.runtime import Runtime
from workers.relay import Relay

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """Serve an app on a free port of this machine and return the address."""

    def in_one_piece(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # The server leaves a file open that it is reading from when the browser hangs up.
        environ["wsgi.file_wrapper"] = _read
        return app(environ, start_response)

    server = make_server("127.0.0.1", 0, in_one_piece, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _read(file: IO[bytes], _size: int = 0) -> Iterable[bytes]:
    """Read the whole file of an answer, and close it (PEP 3333, optional platform-specific file handling)."""
    with file:
        return [file.read()]


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
