"""Shows what processes count at a port of its own, for parts that answer no other requests."""

from __future__ import annotations

import errno
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import sleep
from typing import Any, Final

import structlog

from service.shared import metrics

AGAIN_SECONDS: Final = 5.0
"""Seconds between two tries for a port that another process of the machine has, which shows the same sums."""
TIMEOUT_S: Final = 5
"""Seconds that a client may take for each step of a request."""
log = structlog.get_logger()


class _Handler(BaseHTTPRequestHandler):
    timeout = TIMEOUT_S

    def do_GET(self) -> None:
        """Answer a scrape."""
        found = self.path == "/metrics"
        body = metrics.exposition([]) if found else b"only /metrics is here\n"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", metrics.CONTENT_TYPE if found else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing of each scrape."""


def show_metrics(host: str, port: int) -> None:
    """Show /metrics from now on at the port, in a thread, or once the process that has it is gone."""
    Thread(target=_serve, args=(host, port), name="metrics", daemon=True).start()


def _serve(host: str, port: int) -> None:
    while True:
        try:
            with ThreadingHTTPServer((host, port), _Handler) as server:
                server.daemon_threads = True
                server.serve_forever()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                log.error("metrics cannot be shown", host=host, port=port, error=error.strerror)
                return
            sleep(AGAIN_SECONDS)
