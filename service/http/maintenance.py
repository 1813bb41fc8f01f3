"""Read-only mode, which refuses writing requests, and the header that announces maintenance."""

from __future__ import annotations

from typing import Final

from flask import Flask, Response
from werkzeug.exceptions import ServiceUnavailable

from service.handlers.refusals import Unavailable
from service.http.problems import problem
from service.http.request import current_request
from service.shared import clock
from service.store.operation import Mode, Validity

MAINTENANCE_HEADER: Final = "Maintenance"
"""Header of every response while maintenance is announced: two moments of ISO 8601, separated by a slash."""
OPERATE_PATH: Final = "/operate"
"""Path below which operators may write in read-only mode too."""
READ_ONLY_RETRY_S: Final = 30
"""Retry-After in seconds if the end of read-only mode is unknown."""
_MAX_RETRY_S: Final = 3600
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class ReadOnly(ServiceUnavailable):
    """Writing request in read-only mode; `retry_after` in seconds."""


def install_mode(app: Flask, mode: Mode) -> None:
    """Refuse writing requests while the service is read-only (ReadOnly), and announce maintenance by a header."""

    def refuse_writing() -> None:
        stopped, request = mode.now.read_only, current_request()
        if stopped is not None and _writes(request.method, request.path, request.endpoint):
            raise ReadOnly(retry_after=_seconds(stopped))

    def announce(response: Response) -> Response:
        announced = mode.now.maintenance
        if announced is not None and announced.ends is not None:
            response.headers[MAINTENANCE_HEADER] = f"{announced.begins.isoformat()}/{announced.ends.isoformat()}"
        return response

    app.before_request(refuse_writing)
    app.after_request(announce)


def answer_read_only(error: ReadOnly) -> Response:
    """Return the problem for a writing request."""
    refusal = Unavailable("read-only")
    refusal.retry_after = int(str(error.retry_after))
    return problem(refusal)


def _writes(method: str, path: str, endpoint: str | None) -> bool:
    if path == OPERATE_PATH or path.startswith(f"{OPERATE_PATH}/"):
        return False
    # Opening a stream uses up its ticket, which is a write.
    return method not in _SAFE_METHODS or endpoint == "follow.stream_by_ticket"


def _seconds(stopped: Validity) -> int:
    if stopped.ends is None:
        return READ_ONLY_RETRY_S
    return max(1, min(_MAX_RETRY_S, round((stopped.ends - clock.now()).total_seconds())))
