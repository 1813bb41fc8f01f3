"""A house that really listens: a web server and a relay that carries out jobs itself, both in threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Thread

from werkzeug.serving import make_server

from service.app import create_app
from service.runtime import Runtime
from workers.relay import Relay


@contextmanager
def listening(runtime: Runtime, relayed: bool = True) -> Iterator[str]:
    """Serve on a free port of this machine and return the address."""
    server = make_server("127.0.0.1", 0, create_app(runtime), threaded=True)
    relay = Relay(replace(runtime, redis=None))
    threads = [Thread(target=server.serve_forever), *([Thread(target=relay.run)] if relayed else [])]
    for thread in threads:
        thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        relay.stop()
        for thread in threads:
            thread.join()
        server.server_close()
